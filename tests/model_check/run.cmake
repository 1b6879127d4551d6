# Checks scan.pml with spin: the SETs protocol and larger have what must hold, SET faults what must be
# found. Spin writes a program that visits all states; COMPILER builds it.
#
#   cmake -D SPIN=spin -D COMPILER=cc -D MODEL=scan.pml -D FOLDER=build/... -D SET=protocol|larger|faults
#         -P run.cmake
#
# Safety is what asserts say and that launches end (no state in which nobody can go on). Liveness is
# that they end in any case: without fairness a waiting group may be all that ever runs.

cmake_minimum_required(VERSION 3.20)
if(NOT SPIN)
  message(FATAL_ERROR "This test needs spin (Debian: spin)")
endif()
set(safety -DSAFETY -DNOCLAIM)
set(memory -DMEMLIM=900 -DCOLLAPSE)

# visit(OUTPUT BUILD ARGUMENTS DEFINITIONS...): what the search prints.
function(visit output build arguments)
  file(REMOVE_RECURSE ${FOLDER})
  file(MAKE_DIRECTORY ${FOLDER})
  configure_file(${MODEL} ${FOLDER}/scan.pml COPYONLY)
  list(TRANSFORM ARGN PREPEND -D OUTPUT_VARIABLE definitions)
  foreach(command IN ITEMS "${SPIN};${definitions};-a;scan.pml"
          "${COMPILER};-O1;-w;${memory};${build};-o;pan;pan.c" "./pan;-m1000000;${arguments}")
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

if(SET STREQUAL "protocol")
  holds("stretches of three and everything" "${safety}" "" PER=7 STRETCH=3 IDLE=1)
  holds("an anchor at the stretch before" "${safety}" "" PER=6 STRETCH=2 WINDOW=1 GROUPS=3
    LAUNCHES=1)
  holds("stretches of one unit" "${safety}" "" PER=5 STRETCH=1 WINDOW=3 GROUPS=3
    LAUNCHES=1)
  holds("turns without units" "${safety}" "" PER=4 IDLE=2 GROUPS=3)
  holds("three launches" "${safety}" "" PER=4 LAUNCHES=3 GROUPS=3)
  holds("two rows in turns" "${safety}" "" ROWS=2 PER=5 GROUPS=2)
  holds("two rows and three groups" "${safety}" "" ROWS=2 PER=3 GROUPS=3 LAUNCHES=1)
  holds("an end with bounded waits, however unfair" "" "-a" LOOKS=2 GROUPS=2)
  foreach(groups RANGE 1 3)
    holds("an end with endless waits, if fair, of ${groups} groups" "" "-a;-f" LOOKS=0
      GROUPS=${groups})
  endforeach()
elseif(SET STREQUAL "larger")
  holds("stretches of three and three groups" "${safety}" ""
    PER=7 STRETCH=3 WINDOW=2 GROUPS=3 LAUNCHES=1)
  holds("an anchor further away" "${safety}" "" PER=7 STRETCH=2 WINDOW=2 GROUPS=3 LAUNCHES=1)
  holds("an end with bounded waits of three groups" "" "-a" LOOKS=1 PER=5 GROUPS=3)
else()
  foreach(fault IN ITEMS TAG_FIRST TAG_IGNORED TICKET_IN_TWO_STEPS WRITE_FIRST MARK_LAST
          LEAVES_UNSEEN NO_REPAIR CLOSES_EARLY COUNTERS_STAY)
    finds(${fault} "assertion violated" "${safety}" "" FAULT_${fault})
  endforeach()
  finds("endless waits without fairness" "acceptance cycle" "" "-a" LOOKS=0)
  finds(LAST_UNIT_FIRST "acceptance cycle" "" "-a;-f" LOOKS=0 FAULT_LAST_UNIT_FIRST)
endif()
