# Starts a program with a loader of OpenCL 1.2: a library of the functions that the real loader has of
# that version, with its versions of symbols, none of which finds anything. All symbols are bound at the
# start, so that the library's use of a newer function may ask for nothing that is not there.
#
#   cmake -D NM=nm -D CC=cc -D OPENCL=libOpenCL.so -D PROGRAM=no_device -D WORK=folder -P old_loader.cmake

cmake_minimum_required(VERSION 3.20)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(MAKE_DIRECTORY ${WORK})

run(${NM} -D -P --defined-only ${OPENCL})
string(REGEX MATCHALL "cl[A-Za-z0-9]+@@?OPENCL_1\\.[0-2]" symbols "${output}")
string(REGEX MATCHALL "cl[A-Za-z0-9]+@@?OPENCL_2\\.0" newer "${output}")
if(NOT symbols OR NOT newer)
  message(FATAL_ERROR "${OPENCL} has no functions with the versions OPENCL_1.0 and OPENCL_2.0")
endif()

# Each function takes nothing and returns CL_PLATFORM_NOT_FOUND_KHR.
set(functions "")
set(versions "")
foreach(minor IN ITEMS 0 1 2)
  set(names ${symbols})
  list(FILTER names INCLUDE REGEX "OPENCL_1\\.${minor}$")
  list(TRANSFORM names REPLACE "@.*$" "")
  foreach(name IN LISTS names)
    string(APPEND functions "int ${name}(void);\nint ${name}(void) {\n    return -1001;\n}\n")
  endforeach()
  list(JOIN names "; " joined)
  string(APPEND versions "OPENCL_1.${minor} { global: ${joined}; };\n")
endforeach()
file(WRITE ${WORK}/loader.c "${functions}")
file(WRITE ${WORK}/loader.map "${versions}")
run(${CC} -shared -fPIC -Wl,-soname,libOpenCL.so.1 -Wl,--version-script=${WORK}/loader.map
  ${WORK}/loader.c -o ${WORK}/libOpenCL.so.1)

run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${WORK} LD_BIND_NOW=1 ${PROGRAM})
if(NOT output MATCHES "no_device: ok")
  message(FATAL_ERROR "${PROGRAM} printed ${output}")
endif()
