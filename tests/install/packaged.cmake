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
file(GLOB texts RELATIVE ${examples} ${examples}/*.txt)
list(REMOVE_ITEM texts CMakeLists.txt)
foreach(text IN LISTS texts)
  get_filename_component(name ${text} NAME_WE)
  foreach(program IN ITEMS ${name} ${name}_cpp)
    if(EXISTS ${WORK}/examples/${program})
      run(${CMAKE_COMMAND} -D PROGRAM=${WORK}/examples/${program} -D EXPECTED=${examples}/${text}
        -P ${CMAKE_CURRENT_LIST_DIR}/output.cmake)
      message(STATUS "example ${program}: ok")
    endif()
  endforeach()
endforeach()
foreach(program IN ITEMS tensors tensors_cpp)
  if(NOT EXISTS ${WORK}/examples/${program})
    message(FATAL_ERROR "the examples have no program ${program}")
  endif()
endforeach()

build(add_subdirectory ${CMAKE_CURRENT_LIST_DIR}/subdirectory -D TALLY=${SOURCE} -D TALLY_BUILD_STATIC=OFF)
use(add_subdirectory ${WORK}/add_subdirectory/parent)
build(FetchContent ${CMAKE_CURRENT_LIST_DIR}/subdirectory -D TALLY=${SOURCE} -D FETCH=ON -D BUILD_SHARED_LIBS=OFF)
use(FetchContent ${WORK}/FetchContent/parent)
