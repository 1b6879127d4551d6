# Installs the build into a prefix and builds the project examples/ against it, as somebody else would. Programs of
# examples/ without an expected text, and texts without a program, are found.
#
#   cmake -D BUILD=build -D CONFIG=Release -D WORK=folder -D EXAMPLES=examples -D GENERATOR=Ninja -D CC=gcc
#         -D CXX=g++ -D "FLAGS=-Wall ..." -D OPENCL_HPP_DIR=folder -P examples.cmake

cmake_minimum_required(VERSION 3.20)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(GLOB sources ${EXAMPLES}/*.c ${EXAMPLES}/*.cpp ${EXAMPLES}/*.py)
file(GLOB texts ${EXAMPLES}/*.txt)
list(TRANSFORM sources REPLACE "\\.[a-z]+$" ".txt")
list(REMOVE_DUPLICATES sources)
list(REMOVE_ITEM texts ${EXAMPLES}/CMakeLists.txt)
list(SORT sources)
list(SORT texts)
if(NOT sources OR NOT sources STREQUAL texts)
  message(FATAL_ERROR "the expected texts are ${texts}, but the examples need ${sources}")
endif()

file(READ ${EXAMPLES}/README.md page)
file(GLOB sources RELATIVE ${EXAMPLES} ${EXAMPLES}/*.c ${EXAMPLES}/*.cpp ${EXAMPLES}/*.py)
foreach(source IN LISTS sources)
  string(FIND "${page}" "(${source})" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "examples/README.md does not have ${source}")
  endif()
endforeach()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${EXAMPLES} -B ${WORK}/build -G ${GENERATOR} -DCMAKE_BUILD_TYPE=${CONFIG}
  -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX} "-DCMAKE_C_FLAGS=${FLAGS}"
  "-DCMAKE_CXX_FLAGS=${FLAGS} -Wold-style-cast" -DCMAKE_PREFIX_PATH=${WORK}/prefix
  -DTALLY_OPENCL_HPP_DIR=${OPENCL_HPP_DIR})
run(${CMAKE_COMMAND} --build ${WORK}/build --config ${CONFIG})
