# Takes the first block of the README in a language, so that the example that people read is the one
# that is compiled and run, and what it prints is what the README says.
#
#   cmake -D README=README.md -D LANGUAGE=c -D OUT=example.c -P readme.cmake

cmake_minimum_required(VERSION 3.20)
file(READ ${README} text)
set(fence "\n```${LANGUAGE}\n")
string(FIND "${text}" "${fence}" begin)
if(begin EQUAL -1)
  message(FATAL_ERROR "${README} has no ${LANGUAGE} block")
endif()
string(LENGTH "${fence}" skip)
math(EXPR begin "${begin} + ${skip}")
string(SUBSTRING "${text}" ${begin} -1 text)
string(FIND "${text}" "\n```\n" length)
if(length EQUAL -1)
  message(FATAL_ERROR "the ${LANGUAGE} block of ${README} does not end")
endif()
math(EXPR length "${length} + 1")
string(SUBSTRING "${text}" 0 ${length} text)
file(WRITE ${OUT} "${text}")
