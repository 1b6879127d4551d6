# Runs a program and holds what it prints against a file.
#
#   cmake -D PROGRAM=tensors[,ARGUMENT...] -D EXPECTED=tensors.txt -P output.cmake

cmake_minimum_required(VERSION 3.20)
string(REPLACE "," ";" PROGRAM "${PROGRAM}")
execute_process(COMMAND ${PROGRAM}
  OUTPUT_VARIABLE printed ERROR_VARIABLE errors RESULT_VARIABLE failed)
if(failed)
  message(NOTICE "${printed}${errors}")
  message(FATAL_ERROR "${PROGRAM} ended with ${failed}")
endif()
file(READ ${EXPECTED} expected)
if(NOT printed STREQUAL expected)
  message(NOTICE "It printed\n${printed}but ${EXPECTED} has\n${expected}")
  message(FATAL_ERROR "${PROGRAM} printed something else than expected")
endif()
