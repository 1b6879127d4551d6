# The compiler's settings for everything built here: warnings, sanitizers, bits. A target takes them
# through tally_set_flags(); nothing of this reaches the users of the installed library.

function(tally_set_flags target)
  set_target_properties(${target} PROPERTIES
    C_STANDARD 11
    C_STANDARD_REQUIRED ON
    C_EXTENSIONS OFF
    C_VISIBILITY_PRESET hidden
    POSITION_INDEPENDENT_CODE ON)
  if(MSVC)
    target_compile_options(${target} PRIVATE /W4 $<$<BOOL:${TALLY_WERROR}>:/WX>)
    return()
  endif()
  # No contraction: a multiply and an add that are fused here and not there give other bits.
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<BOOL:${TALLY_WERROR}>:-Werror>
    -ffp-contract=off)
  if(MINGW)
    tally_set_mingw_flags(${target})
  endif()
  # Counts of the product's lines, not of the tests', which are run all the more often.
  if(TALLY_COVERAGE)
    if(target MATCHES "^tally_(core|objects|cli)$")
      target_compile_options(${target} PRIVATE --coverage)
    endif()
    target_link_options(${target} PRIVATE --coverage)
  endif()
  if(TALLY_SANITIZE)
    list(JOIN TALLY_SANITIZE "," sanitizers)
    set(options -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(${target} PRIVATE ${options})
    target_link_options(${target} PRIVATE ${options})
  endif()
endfunction()
