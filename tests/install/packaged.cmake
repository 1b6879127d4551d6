# Programs of somebody else, where the packages are installed: C and C++, with CMake and with pkg-config, with the
# shared library and the static one, with link-time optimisation; and with the sources of a release, by
# add_subdirectory and by FetchContent. Knows Tally from the system's folders and from SOURCE alone.
#
#   cmake -D SOURCE=tally-0.1.0 -D WORK=folder -P packaged.cmake

cmake_minimum_required(VERSION 3.20)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(CC cc)
set(PKG_CONFIG pkg-config)

# build(NAME FOLDER OPTION...): a project, optimised.
function(build name folder)
  run(${CMAKE_COMMAND} -S ${folder} -B ${WORK}/${name} -D CMAKE_BUILD_TYPE=Release ${ARGN})
  run(${CMAKE_COMMAND} --build ${WORK}/${name})
endfunction()

# use(NAME PROGRAM...): they say that they are fine.
function(use name)
  foreach(program IN LISTS ARGN)
    run(${program})
    if(NOT output MATCHES "consumer: ok")
      message(FATAL_ERROR "${name}: ${program} says ${output}")
    endif()
  endforeach()
  message(STATUS "${name}: ok")
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(both -D LIBRARIES=tally,tally_static)
foreach(lto IN ITEMS OFF ON)
  set(name find_package_lto_${lto})
  build(${name} ${CMAKE_CURRENT_LIST_DIR} ${both} -D CMAKE_INTERPROCEDURAL_OPTIMIZATION=${lto})
  use(${name} ${WORK}/${name}/use_tally ${WORK}/${name}/use_tally_static)
endforeach()

foreach(name IN ITEMS tally tally-static)
  link_main(${WORK}/by_pc_${name} ${name})
  use("pkg-config ${name}" ${WORK}/by_pc_${name})
endforeach()

set(examples /usr/share/doc/libtally-dev/examples)
build(examples ${examples})
file(GLOB sources RELATIVE ${examples} ${examples}/*.c ${examples}/*.cpp ${examples}/*.py)
# It needs PyOpenCL, which is not installed here; the test package.example_with_pyopencl runs it.
list(REMOVE_ITEM sources with_pyopencl.py)
if(NOT sources)
  message(FATAL_ERROR "${examples} has no examples")
endif()
foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME_WE)
  set(program ${name})
  if(source MATCHES "\\.cpp$")
    set(program ${name}_cpp)
  endif()
  run(${CMAKE_COMMAND} -D PROGRAM=${WORK}/examples/${program} -D EXPECTED=${examples}/${name}.txt
    -P ${CMAKE_CURRENT_LIST_DIR}/output.cmake)
  message(STATUS "example ${program}: ok")
endforeach()

build(add_subdirectory ${CMAKE_CURRENT_LIST_DIR}/subdirectory -D TALLY=${SOURCE} -D TALLY_BUILD_STATIC=OFF)
use(add_subdirectory ${WORK}/add_subdirectory/parent)
build(FetchContent ${CMAKE_CURRENT_LIST_DIR}/subdirectory -D TALLY=${SOURCE} -D FETCH=ON -D BUILD_SHARED_LIBS=OFF)
use(FetchContent ${WORK}/FetchContent/parent)
