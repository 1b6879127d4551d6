# Holds docs/numerics.md against the tests: each row of its contract names at least one, each
# `suite/test` that it names is there and registered, and no test of the contract_* suites goes
# unnamed, but for contract_examples, which is about docs/operators.md.
#
#   cmake -D ROOT=. -P tests/numerics.cmake

cmake_minimum_required(VERSION 3.20)
set(document ${ROOT}/docs/numerics.md)
file(READ ${document} text)
set(complaints "")

# ---- The rows: from the head of the table to the first line that is none of it ----------------------

string(FIND "${text}" "\n| question |" begin)
if(begin EQUAL -1)
  message(FATAL_ERROR "${document} has no table that begins with the column question")
endif()
string(SUBSTRING "${text}" ${begin} -1 table)
string(FIND "${table}" "\n\n" length)
string(SUBSTRING "${table}" 0 ${length} table)
# Lists split at semicolons and join at brackets; neither matters to what is looked for.
string(REGEX REPLACE "[][;]" "" table "${table}")
string(REGEX MATCHALL "\n\\|[^\n]*" rows "${table}")
list(LENGTH rows count)
if(count LESS 3)
  message(FATAL_ERROR "the table of ${document} has no rows")
endif()
list(REMOVE_AT rows 0 1) # the head and the line below it
foreach(row IN LISTS rows)
  if(NOT row MATCHES "`[a-z0-9_]+/[a-z0-9_]+`")
    string(REGEX REPLACE "^\n\\| ([^|]*) \\|.*" "\\1" question "${row}")
    list(APPEND complaints "the row '${question}' names no test")
  endif()
endforeach()
list(LENGTH rows row_count)

# ---- The tests that are named -----------------------------------------------------------------------

string(REGEX MATCHALL "`[a-z0-9_]+/[a-z0-9_]+`" named "${text}")
list(TRANSFORM named REPLACE "`" "")
list(REMOVE_DUPLICATES named)
foreach(name IN LISTS named)
  string(REGEX REPLACE "/.*" "" suite ${name})
  string(REGEX REPLACE ".*/" "" test ${name})
  file(GLOB_RECURSE sources ${ROOT}/tests/test_${suite}.c)
  if(sources STREQUAL "")
    list(APPEND complaints "${name}: there is no test_${suite}.c in tests/")
    continue()
  endif()
  file(READ ${sources} source)
  string(FIND "${source}" "START_TEST(${test})" defined)
  if(defined EQUAL -1)
    list(APPEND complaints "${name}: ${sources} has no START_TEST(${test})")
  elseif(NOT source MATCHES "tcase_add_(loop_)?test\\([a-z_]+,[ \n]*${test}[,)]")
    list(APPEND complaints "${name}: ${sources} does not add it to a case")
  endif()
endforeach()
list(LENGTH named name_count)

# ---- The tests that are not -------------------------------------------------------------------------

file(GLOB_RECURSE sources ${ROOT}/tests/test_contract_*.c)
if(sources STREQUAL "")
  list(APPEND complaints "there is no test_contract_*.c in tests/")
endif()
foreach(path IN LISTS sources)
  string(REGEX REPLACE ".*/test_(.+)\\.c$" "\\1" suite ${path})
  if(suite STREQUAL "contract_examples")
    continue()
  endif()
  file(READ ${path} source)
  string(REGEX MATCHALL "START_TEST\\([a-z0-9_]+\\)" tests "${source}")
  foreach(test IN LISTS tests)
    string(REGEX REPLACE "START_TEST\\((.*)\\)" "\\1" test ${test})
    if(NOT "${suite}/${test}" IN_LIST named)
      list(APPEND complaints "${suite}/${test} is not named in ${document}")
    endif()
  endforeach()
endforeach()

if(NOT complaints STREQUAL "")
  list(JOIN complaints "\n  " complaints)
  message(FATAL_ERROR "docs/numerics.md and the tests disagree:\n  ${complaints}")
endif()
message(STATUS "${row_count} rows of the contract name ${name_count} tests, all of them there")
