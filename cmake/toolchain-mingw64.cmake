# Builds for 64-bit Windows on Linux, with mingw-w64 (Debian: gcc-mingw-w64-x86-64-win32):
#
#   cmake -S . -B build/windows --toolchain cmake/toolchain-mingw64.cmake
#
# The compiler is the variant with Windows' own threads: the library needs no others, and that of POSIX
# threads would have programs of its users need one more DLL. Wine runs what is built, where it is there.

set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(triple x86_64-w64-mingw32)
set(CMAKE_C_COMPILER ${triple}-gcc-win32)
set(CMAKE_CXX_COMPILER ${triple}-g++-win32)
set(CMAKE_RC_COMPILER ${triple}-windres)
list(APPEND CMAKE_FIND_ROOT_PATH /usr/${triple}) # after folders that the caller names
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
find_program(TALLY_WINE wine)
if(TALLY_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${TALLY_WINE})
endif()
