# Blocks of pages in Markdown. Text is cut by position: CMake's lists would break at C's semicolons.

# take_block(OUT LANGUAGE): OUT becomes the next block of `text` in the language, and `text` what follows
# it. Without one OUT is empty, and `text` stays.
function(take_block out language)
  set(fence "\n```${language}\n")
  string(FIND "${text}" "${fence}" begin)
  if(begin EQUAL -1)
    set(${out} "" PARENT_SCOPE)
    return()
  endif()
  string(LENGTH "${fence}" skip)
  math(EXPR begin "${begin} + ${skip}")
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "\n```\n" length)
  if(length EQUAL -1)
    message(FATAL_ERROR "a ${language} block does not end")
  endif()
  math(EXPR length "${length} + 1")
  string(SUBSTRING "${text}" 0 ${length} block)
  string(SUBSTRING "${text}" ${length} -1 rest)
  set(${out} "${block}" PARENT_SCOPE)
  set(text "${rest}" PARENT_SCOPE)
endfunction()
