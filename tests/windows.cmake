# What the tests need to be built for Windows, and to run under wine. Included by tests/CMakeLists.txt, which builds
# for it the suites of the core, of the device and of the calls, and has the scripts of the program.

# What tests, and Check, call of POSIX: here, and in mingw's library of POSIX threads. All is linked
# in, so that no test asks for a DLL of mingw's.
add_compile_options(-include ${CMAKE_CURRENT_SOURCE_DIR}/windows/posix.h -Wno-return-type)
include_directories(BEFORE ${CMAKE_CURRENT_SOURCE_DIR}/windows/include)
set(shims windows/posix.c)
string(APPEND CMAKE_C_STANDARD_LIBRARIES " -lwinpthread")
add_link_options(-static)

# Suites of what Windows has no equal of: owners, modes, links and mounts; processes that fork. ci/windows
# names them.
set(other_suites "store_rights|store_processes|cache_rights")

list(APPEND test_environment TALLY_TEST_WINDOWS=1) # what single tests ask, ci/windows names them too

# A file that starts the program as others do: scripts know no emulator.
if(TARGET tally_cli AND CMAKE_CROSSCOMPILING_EMULATOR)
  set(tally_program ${CMAKE_CURRENT_BINARY_DIR}/tally)
  file(WRITE ${tally_program} "#!/bin/sh\nexec ${CMAKE_CROSSCOMPILING_EMULATOR} ${PROJECT_BINARY_DIR}/tally.exe \"$@\"\n")
  file(CHMOD ${tally_program} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endif()

# Descriptions written for DirectML, among Windows' own types: <windows.h> before tally/directml.h, and no other names.
set(strict -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only -I${root}/include)
set(company ${CMAKE_CURRENT_SOURCE_DIR}/headers)
set(windows_types -include windows.h)
foreach(file IN ITEMS headers/layout support/descriptions/pages_examples)
  get_filename_component(name ${file} NAME)
  tally_add_test(windows directml_${name} 60
    ${CMAKE_C_COMPILER} ${strict} ${windows_types} -I${company} ${CMAKE_CURRENT_SOURCE_DIR}/${file}.c)
  tally_add_test(windows directml_${name}_alone 60
    ${CMAKE_C_COMPILER} ${strict} -I${company} ${CMAKE_CURRENT_SOURCE_DIR}/${file}.c)
endforeach()
