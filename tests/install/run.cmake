# What the scripts of this folder share.

# run(COMMAND...): runs a command, in the folder `where` if that is set; sets output; ends where it fails.
function(run)
  if(NOT where)
    set(where ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${where} RESULT_VARIABLE failed
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    list(JOIN ARGN " " command)
    message(NOTICE "${command}\n${output}")
    message(FATAL_ERROR "the command above ended with ${failed}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# link_main(PROGRAM ARGUMENT...): main.c with the compiler alone and what pkg-config says to the arguments.
function(link_main program)
  run(${PKG_CONFIG} --cflags --libs ${ARGN})
  separate_arguments(flags UNIX_COMMAND "${output}")
  run(${CC} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/main.c -o ${program} ${flags})
endfunction()
