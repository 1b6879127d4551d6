# Compiles all C blocks of a page, one after the other, as the body of a function that is given what
# is the caller's: a context, a device, a queue and two buffers. CMake's lists would break at the
# semicolons of C, so text is cut by position.
#
#   cmake -D PAGE=page.md -D WORK=folder -D CC=compiler -D "FLAGS=-I...,..." -P page.cmake

cmake_minimum_required(VERSION 3.20)
file(READ ${PAGE} text)
set(code "")
set(fence "\n```c\n")
string(LENGTH "${fence}" skip)
string(FIND "${text}" "${fence}" begin)
if(begin EQUAL -1)
  message(FATAL_ERROR "${PAGE} has no C block")
endif()
while(NOT begin EQUAL -1)
  math(EXPR begin "${begin} + ${skip}")
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "\n```\n" length)
  if(length EQUAL -1)
    message(FATAL_ERROR "a C block of ${PAGE} does not end")
  endif()
  string(SUBSTRING "${text}" 0 ${length} block)
  string(APPEND code "${block}\n")
  string(SUBSTRING "${text}" ${length} -1 text)
  string(FIND "${text}" "${fence}" begin)
endwhile()
get_filename_component(name ${PAGE} NAME_WE)
file(WRITE ${WORK}/${name}.c "#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <tally/tally.h>
void page(cl_context context, cl_device_id device, cl_command_queue queue, cl_mem input, cl_mem output);
void page(cl_context context, cl_device_id device, cl_command_queue queue, cl_mem input, cl_mem output) {
${code}}
")
string(REPLACE "," ";" flags "${FLAGS}")
execute_process(COMMAND ${CC} -std=c11 ${flags} ${WORK}/${name}.c RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "the C blocks of ${PAGE} do not compile: ${WORK}/${name}.c")
endif()
