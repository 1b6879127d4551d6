# Compiles all C blocks of a page, one after the other, as the body of a function that is given what
# is the caller's: a context, a device, a queue, two buffers and a command buffer. A page may declare
# these itself, and need not use all that it declares.
#
#   cmake -D PAGE=page.md -D WORK=folder -D CC=compiler -D "FLAGS=-I...,..." -P page.cmake

cmake_minimum_required(VERSION 3.20)
include(${CMAKE_CURRENT_LIST_DIR}/blocks.cmake)
file(READ ${PAGE} text)
set(code "")
take_block(block c)
while(block)
  string(APPEND code "${block}")
  take_block(block c)
endwhile()
if(NOT code)
  message(FATAL_ERROR "${PAGE} has no C block")
endif()
get_filename_component(name ${PAGE} NAME_WE)
file(WRITE ${WORK}/${name}.c "#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <tally/tally.h>
void page(cl_context context, cl_device_id device, cl_command_queue queue, cl_mem input, cl_mem output,
  cl_command_buffer_khr commands);
void page(cl_context context, cl_device_id device, cl_command_queue queue, cl_mem input, cl_mem output,
  cl_command_buffer_khr commands) {
{
${code}}
}
")
string(REPLACE "," ";" flags "${FLAGS}")
list(APPEND flags -Wno-shadow -Wno-unused-parameter -Wno-unused-but-set-variable)
execute_process(COMMAND ${CC} -std=c11 ${flags} ${WORK}/${name}.c RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "the C blocks of ${PAGE} do not compile: ${WORK}/${name}.c")
endif()
