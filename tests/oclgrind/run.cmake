# Runs a case of a suite under Oclgrind. It passes if the tests do and Oclgrind reports nothing; with
# WANTED, if each of those texts is among the reports.
#
#   cmake -D OCLGRIND=oclgrind -D PROGRAM=test_oclgrind -D SUITE=kernels [-D CASE=gpu]
#         [-D WANTED=text,text] -P run.cmake
#
# All reports go to stderr, and nothing else may: Oclgrind's log would lack those of wrong calls.
# -cl-opt-disable and TALLY_PLAIN: Oclgrind 21.10 stops at some instructions that LLVM makes.
# --local-mem-size: it may count a kernel's local memory twice against its 32 KB, and some take 40.

cmake_minimum_required(VERSION 3.20)
if(CASE)
  set(ENV{CK_RUN_CASE} ${CASE})
endif()
set(watched --data-races --uninitialized --check-api)
if(CASE MATCHES "cpu$") # Oclgrind 21.10 dies of watching vectors for what is uninitialised
  list(REMOVE_ITEM watched --uninitialized)
endif()
# In a single pass groups tell each other in words that they race for, on purpose.
if(CASE STREQUAL "single_pass")
  list(REMOVE_ITEM watched --data-races)
endif()
execute_process(
  COMMAND ${OCLGRIND} --build-options "-cl-opt-disable -DTALLY_PLAIN=1"
          --local-mem-size 98304 ${watched}
          --max-errors 100 ${PROGRAM} ${SUITE}
  RESULT_VARIABLE status ERROR_VARIABLE reports)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${SUITE} ${CASE} under Oclgrind ended with ${status}\n${reports}")
endif()
if(NOT WANTED)
  if(NOT reports STREQUAL "")
    message(FATAL_ERROR "Oclgrind reports of ${SUITE} ${CASE}:\n${reports}")
  endif()
  return()
endif()
string(REPLACE "," ";" WANTED "${WANTED}")
foreach(text IN LISTS WANTED)
  string(FIND "${reports}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "Oclgrind did not report '${text}', but:\n${reports}")
  endif()
endforeach()
list(LENGTH WANTED count)
message(STATUS "Oclgrind reported all ${count} faults")
