# Each function of tally.h is called by tally.hpp, and each of directml.h, part.h and stream.h by the
# header of that name for C++.
#
#   cmake -D INCLUDE=include/tally -P complete.cmake

cmake_minimum_required(VERSION 3.20)
foreach(name IN ITEMS tally directml part stream)
  file(READ ${INCLUDE}/${name}.h text)
  string(REGEX MATCHALL "TALLY_API [a-z][^;#(]*\\(" declared "${text}")
  list(TRANSFORM declared REPLACE "^.*(tally_[a-z0-9_]+)\\($" "\\1")
  list(LENGTH declared count)
  if(count EQUAL 0)
    message(FATAL_ERROR "no function is declared in ${INCLUDE}/${name}.h")
  endif()
  # Comments name calls as well.
  file(READ ${INCLUDE}/${name}.hpp layer)
  string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" "" layer "${layer}")
  set(missing "")
  foreach(function IN LISTS declared)
    if(NOT layer MATCHES "[^a-z0-9_]${function}[^a-z0-9_]")
      list(APPEND missing ${function})
    endif()
  endforeach()
  if(missing)
    list(JOIN missing ", " missing)
    message(FATAL_ERROR "tally/${name}.hpp lacks ${missing}")
  endif()
  message(STATUS "tally/${name}.hpp has the ${count} functions of ${name}.h")
endforeach()
