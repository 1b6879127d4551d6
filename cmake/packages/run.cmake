# What the scripts that CPack runs share.

# tally_run(COMMAND...): a command that may not fail.
function(tally_run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed ERROR_VARIABLE errors OUTPUT_QUIET)
  if(failed)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: ended with ${failed}\n${errors}")
  endif()
endfunction()
