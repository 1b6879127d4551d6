# Installs the build into a prefix, compiles the example of C++ with nothing but what lies there, and holds what
# it prints against the text beside it.

cmake_minimum_required(VERSION 3.20)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    list(JOIN ARGN " " command)
    message(NOTICE "${command}\n${output}")
    message(FATAL_ERROR "the command above ended with ${failed}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/prefix)
set(lib ${WORK}/prefix/${LIBDIR})
run(${CXX} -std=c++17 -Wall -Wextra -Wpedantic -Wold-style-cast -Werror ${EXAMPLES}/tensors.cpp
  -o ${WORK}/tensors -I${WORK}/prefix/${INCLUDEDIR} ${OPENCL_HPP}
  -L${lib} -Wl,-rpath,${lib} -ltally ${OPENCL})
run(${CMAKE_COMMAND} -D PROGRAM=${WORK}/tensors -D EXPECTED=${EXAMPLES}/tensors.txt -P ${OUTPUT})
