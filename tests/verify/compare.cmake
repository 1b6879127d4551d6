# Runs a command that prints the text of tally verify --bits and compares it, line by line, with what
# another command prints or a file holds. Lines of what a device cannot run are passed over. Commands
# are lists joined by commas.
#
#   cmake -DPROGRAM=tally,verify,... -DREFERENCE=verify_reference,...|-DEXPECTED=FILE
#         [-DMETHOD=workitemloops] -P compare.cmake
#
# METHOD is PoCL's way of running a work-group; it has a folder of its own for compiled kernels.

cmake_minimum_required(VERSION 3.20)

function(run output command)
  string(REPLACE "," ";" command "${command}")
  execute_process(COMMAND ${command} OUTPUT_VARIABLE text RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed with ${result}: ${command}")
  endif()
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

if(DEFINED REFERENCE)
  run(expected "${REFERENCE}")
else()
  file(READ "${EXPECTED}" expected)
endif()
if(DEFINED METHOD)
  set(ENV{POCL_WORK_GROUP_METHOD} ${METHOD})
  set(ENV{POCL_CACHE_DIR} $ENV{POCL_CACHE_DIR}/${METHOD})
  file(MAKE_DIRECTORY $ENV{POCL_CACHE_DIR})
endif()
run(found "${PROGRAM}")

string(REGEX MATCHALL "[^\n]+" expected "${expected}")
string(REGEX MATCHALL "[^\n]+" found "${found}")
list(LENGTH expected lines)
list(LENGTH found found_lines)
if(NOT lines EQUAL found_lines OR lines LESS 4)
  message(FATAL_ERROR "${found_lines} lines, but ${lines} are expected")
endif()
set(compared 0)
set(different 0)
foreach(line want IN ZIP_LISTS found expected)
  if(line MATCHES "not run")
    continue()
  endif()
  math(EXPR compared "${compared} + 1")
  if(NOT line STREQUAL want)
    message("expected: ${want}\n   found: ${line}")
    math(EXPR different "${different} + 1")
  endif()
endforeach()
if(different GREATER 0 OR compared LESS 4)
  message(FATAL_ERROR "${different} of ${compared} lines differ")
endif()
message("${compared} lines are the same")
