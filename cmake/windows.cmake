# What a build for Windows does otherwise; no other build sees this file. Included before packages are searched
# for. The rest is in functions that CMakeLists.txt calls.

# Windows' own threads need no library. CMake would find mingw's library of POSIX threads, which would then
# have to come along.
add_library(Threads::Threads INTERFACE IMPORTED)

# Within the program, which else would need one more DLL. CMake before 3.24 takes no notice.
set(ZLIB_USE_STATIC_LIBS ON)

# The C library that prints as C11 says. Warnings that a build elsewhere gives just as well and mingw gives
# wrongly: for it, formats are those of Windows' own C library, and isnan's macro converts.
function(tally_set_mingw_flags target)
  target_compile_definitions(${target} PRIVATE __USE_MINGW_ANSI_STDIO=1)
  target_compile_options(${target} PRIVATE -Wno-format -Wno-float-conversion)
  target_link_options(${target} PRIVATE -static-libgcc)
endfunction()

# ---- What a cross build borrows -------------------------------------------------------------------

# Headers that are the same on every system are the host's, copied: beside them lie those of the host's C library.
function(tally_borrow header what variable)
  find_path(TALLY_HOST_${variable} ${header} PATHS /usr/include /usr/local/include
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  if(TALLY_HOST_${variable} AND NOT ${variable})
    file(COPY ${TALLY_HOST_${variable}}/${what} DESTINATION ${PROJECT_BINARY_DIR}/borrowed)
    set(${variable} ${PROJECT_BINARY_DIR}/borrowed CACHE PATH "Where ${header} is")
  endif()
endfunction()

# The import library of OpenCL.dll, of the functions that the header declares.
function(tally_import_opencl)
  set(def ${PROJECT_BINARY_DIR}/borrowed/OpenCL.def)
  set(library ${PROJECT_BINARY_DIR}/borrowed/libOpenCL.dll.a)
  file(READ ${OpenCL_INCLUDE_DIR}/CL/cl.h text)
  string(REGEX MATCHALL "[\n ]cl[A-Z][A-Za-z0-9]+\\(" names "${text}")
  list(TRANSFORM names REPLACE "[\n (]" "")
  list(REMOVE_DUPLICATES names)
  list(LENGTH names count)
  list(JOIN names "\n" names)
  if(count LESS 100)
    message(FATAL_ERROR "${OpenCL_INCLUDE_DIR}/CL/cl.h seems to declare ${count} functions; OpenCL has more")
  endif()
  file(WRITE ${def} "LIBRARY OpenCL.dll\nEXPORTS\n${names}\n")
  execute_process(COMMAND ${CMAKE_DLLTOOL} -d ${def} -l ${library} COMMAND_ERROR_IS_FATAL ANY)
  set(OpenCL_LIBRARY ${library} CACHE FILEPATH "The import library of OpenCL.dll" FORCE)
endfunction()

if(CMAKE_CROSSCOMPILING AND MINGW)
  tally_borrow(CL/cl.h CL OpenCL_INCLUDE_DIR)
  tally_borrow(xxhash.h xxhash.h TALLY_XXHASH_INCLUDE_DIR)
  find_library(OpenCL_LIBRARY NAMES OpenCL)
  if(NOT OpenCL_LIBRARY AND OpenCL_INCLUDE_DIR)
    tally_import_opencl()
  endif()
endif()

# ---- The archive ----------------------------------------------------------------------------------

# `cpack` in the build folder makes it: what is installed, and what a reader begins with.
function(tally_package_zip)
  install(FILES README.md CHANGELOG.md LICENSE DESTINATION . ${runtime})
  set(CPACK_GENERATOR ZIP)
  set(CPACK_PACKAGE_NAME tally)
  set(CPACK_PACKAGE_FILE_NAME tally-${PROJECT_VERSION}-windows-x86_64)
  set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
  set(CPACK_VERBATIM_VARIABLES ON)
  include(CPack)
endfunction()
