# Checks a model with spin: the SETs protocol and larger have what must hold, SET faults what must be
# found. The file NAME.cmake beside NAME.pml lists them, and files NAME_*.pml are what NAME.pml includes.
# Spin writes a program that visits all states; COMPILER builds it.
#
#   cmake -D SPIN=spin -D COMPILER=cc -D MODEL=tests/model_check/scan.pml -D FOLDER=build/...
#         -D SET=protocol|larger|faults -P run.cmake
#
# Safety is what asserts say and that launches end (no state in which nobody can go on). Liveness is
# that they end in any case: without fairness a waiting group may be all that ever runs.

cmake_minimum_required(VERSION 3.20)
if(NOT SPIN)
  message(FATAL_ERROR "This test needs spin (Debian: spin)")
endif()
set(safety -DSAFETY -DNOCLAIM)
set(memory -DMEMLIM=900 -DCOLLAPSE)
# A search for a fault ends early: compiling takes most of its time.
set(optimiser -O1)
if(SET STREQUAL "faults")
  set(optimiser -O0)
endif()

# visit(OUTPUT BUILD ARGUMENTS DEFINITIONS...): what the search prints.
function(visit output build arguments)
  file(REMOVE_RECURSE ${FOLDER})
  file(MAKE_DIRECTORY ${FOLDER})
  configure_file(${MODEL} ${FOLDER}/model.pml COPYONLY)
  file(COPY ${parts} DESTINATION ${FOLDER})
  list(TRANSFORM ARGN PREPEND -D OUTPUT_VARIABLE definitions)
  foreach(command IN ITEMS "${SPIN};${definitions};-a;model.pml"
          "${COMPILER};${optimiser};-w;${memory};${build};-o;pan;pan.c" "./pan;-m1000000;${arguments}")
    execute_process(COMMAND ${command} WORKING_DIRECTORY ${FOLDER}
      OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "failed with ${status}: ${command}\n${text}")
    endif()
  endforeach()
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

# holds(NAME BUILD ARGUMENTS DEFINITIONS...): no error in all of the states, and if NAME ends in
# "everything" no part of a group's work that was never reached.
function(holds name build arguments)
  visit(text "${build}" "${arguments}" ${ARGN})
  string(REGEX MATCH "([0-9]+) states, stored" states "${text}")
  if(NOT text MATCHES "errors: 0" OR text MATCHES "error: |max search depth too small|out of memory")
    message(FATAL_ERROR "${name} does not hold\n${text}")
  endif()
  if(name MATCHES "everything$" AND
     NOT text MATCHES "proctype group[^a-z]*\\(0 of ")
    message(FATAL_ERROR "${name}: a part of it is never reached\n${text}")
  endif()
  message(STATUS "holds: ${name}: ${states}")
endfunction()

# finds(NAME ERROR BUILD ARGUMENTS DEFINITIONS...): the search ends with an error of that kind.
function(finds name error build arguments)
  visit(text "${build}" "${arguments}" ${ARGN})
  if(NOT text MATCHES "pan:1: ${error}" OR NOT text MATCHES "errors: 1")
    message(FATAL_ERROR "${name} is not found\n${text}")
  endif()
  message(STATUS "found: ${name}")
endfunction()

get_filename_component(name ${MODEL} NAME_WE)
file(GLOB parts ${CMAKE_CURRENT_LIST_DIR}/${name}_*.pml)
include(${CMAKE_CURRENT_LIST_DIR}/${name}.cmake)
