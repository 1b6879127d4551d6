# Puts one fault at a time into a copy of a case and holds the runner to finding it: it must fail,
# and say why. Without a fault the same copy passes.
#
#   cmake -D RUNNER=onnx_conformance -D DATA=.../test/data/node -D WORK=folder -P faults.cmake

cmake_minimum_required(VERSION 3.20)
set(name test_reduce_sum_do_not_keepdims_example)
set(case ${WORK}/${name})
set(failures 0)

# run(FAULT STATUS SAYS ENVIRONMENT...): the runner on the copy, of which one case must pass.
function(run fault status says)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env ${ARGN} ${RUNNER} copy ${WORK} 1
    OUTPUT_VARIABLE printed ERROR_VARIABLE printed RESULT_VARIABLE result)
  if(result EQUAL status AND printed MATCHES "${says}")
    message(STATUS "${fault}: ends with ${result} and says '${CMAKE_MATCH_0}'")
  else()
    message(NOTICE "${fault}: ended with ${result} instead of ${status}, or without '${says}':\n"
      "${printed}")
    math(EXPR failures "${failures} + 1")
    set(failures ${failures} PARENT_SCOPE)
  endif()
endfunction()

function(restore)
  file(REMOVE_RECURSE ${WORK})
  file(COPY ${DATA}/${name} DESTINATION ${WORK} NO_SOURCE_PERMISSIONS)
endfunction()

# with_output(FAULT OTHER SAYS): the expected output of another case.
macro(with_output fault other says)
  restore()
  configure_file(${DATA}/${other}/test_data_set_0/output_0.pb ${case}/test_data_set_0/output_0.pb
    COPYONLY)
  run(${fault} 1 "${says}")
endmacro()

# without(FAULT PATH SAYS): a file or folder is missing.
macro(without fault path says)
  restore()
  file(REMOVE_RECURSE ${WORK}/${path})
  run(${fault} 1 "${says}")
endmacro()

# with_text(FAULT FILE SAYS): a file is no message of the schema.
macro(with_text fault path says)
  restore()
  file(WRITE ${case}/${path} "no message")
  run(${fault} 1 "${says}")
endmacro()

restore()
run("no fault" 0 "ONNX copy: 1 of 1 cases passed")
run("no device" 1 "there is no OpenCL device" OCL_ICD_VENDORS=${WORK}/none OCL_ICD_FILENAMES=)
with_output("wrong values" test_reduce_prod_do_not_keepdims_example "element [0-9]+ is [^\n]+")
with_output("wrong shape" test_reduce_sum_keepdims_example "expected float .3, 1, 2.")
with_output("wrong type" test_argmax_no_keepdims_example "expected int64")
with_text("broken output" test_data_set_0/output_0.pb "is no tensor of ONNX")
with_text("broken model" model.onnx "is no model of ONNX")
without("no data" ${name}/test_data_set_0 "there is no data set")
without("no input" ${name}/test_data_set_0/input_1.pb "nothing gives the input axes")
without("no case" ${name} "0 cases found")

# An attribute that the operator does not have, of the same length as one that it has.
restore()
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C
  sed -i s/keepdims/keepdimz/ ${case}/model.onnx RESULT_VARIABLE result)
run("attribute" 1 "not expressible: [^\n]+ has an attribute keepdimz")

if(failures GREATER 0)
  message(FATAL_ERROR "${failures} faults were not found as they should be")
endif()
