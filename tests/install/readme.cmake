# Takes the first block of the README in a language, so that the example that people read is the one
# that is compiled and run, and what it prints is what the README says.
#
#   cmake -D README=README.md -D LANGUAGE=c -D OUT=example.c -P readme.cmake

cmake_minimum_required(VERSION 3.20)
include(${CMAKE_CURRENT_LIST_DIR}/blocks.cmake)
file(READ ${README} text)
take_block(block ${LANGUAGE})
if(NOT block)
  message(FATAL_ERROR "${README} has no ${LANGUAGE} block")
endif()
file(WRITE ${OUT} "${block}")
