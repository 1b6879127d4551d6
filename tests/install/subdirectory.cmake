# Builds the project of subdirectory/, runs its program, and installs it: Tally may lay down nothing
# unless its parent says TALLY_INSTALL.
#
#   cmake -D ROOT=. -D WORK=folder -D GENERATOR=Ninja -D CC=gcc -P subdirectory.cmake

cmake_minimum_required(VERSION 3.20)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

# install_parent(PREFIX OPTION...): sets installed to the files below the prefix.
function(install_parent prefix)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/subdirectory -B ${WORK}/build -G ${GENERATOR}
    -DCMAKE_C_COMPILER=${CC} -DCMAKE_BUILD_TYPE=Debug -DTALLY=${ROOT} ${ARGN})
  run(${CMAKE_COMMAND} --build ${WORK}/build --config Debug -j 1)
  run(${CMAKE_COMMAND} --install ${WORK}/build --config Debug --prefix ${prefix})
  file(GLOB_RECURSE installed RELATIVE ${prefix} ${prefix}/*)
  set(installed "${installed}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
install_parent(${WORK}/alone)
if(NOT installed STREQUAL "bin/parent")
  list(JOIN installed "\n  " lines)
  message(FATAL_ERROR "the parent has one program, but there was installed\n  ${lines}")
endif()
file(GLOB_RECURSE program ${WORK}/build/parent)
run(${program})

install_parent(${WORK}/asked -DTALLY_INSTALL=ON)
foreach(file IN ITEMS bin/parent include/tally/tally.h)
  if(NOT file IN_LIST installed)
    message(FATAL_ERROR "TALLY_INSTALL is on, but ${file} was not installed")
  endif()
endforeach()
