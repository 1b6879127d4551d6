# Runs what docs/building.md says, as written, where there is nothing but what it lists: no Ninja, no
# pkg-config until the page's own line calls it, no Check, no Python, no tests/. The README's C program
# is what is linked. DESTDIR stands for a system where the page's prefix may be written.
#
#   cmake -D ROOT=. -D WORK=folder -D CC=gcc -P linking.cmake

cmake_minimum_required(VERSION 3.20)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/blocks.cmake)
set(prefix ${WORK}/stage/opt/tally)

# next_block(OUT LANGUAGE): the next block of the page, which must be there.
function(next_block out language)
  take_block(block ${language})
  if(NOT block)
    message(FATAL_ERROR "docs/building.md: one more ${language} block was expected")
  endif()
  set(${out} "${block}" PARENT_SCOPE)
  set(text "${text}" PARENT_SCOPE)
endfunction()

# run_script(TEXT): commands as they are on the page, to the first that fails.
function(run_script text)
  file(WRITE ${WORK}/commands "${text}")
  run(sh -ex ${WORK}/commands)
endfunction()

# link_tool(NAME PATH): the tool is there from now on.
function(link_tool name path)
  if(NOT path)
    message(FATAL_ERROR "this test needs ${name}")
  endif()
  file(CREATE_LINK ${path} ${WORK}/bin/${name} SYMBOLIC)
endfunction()

# ---- What there is --------------------------------------------------------------------------------

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/bin ${WORK}/app)
foreach(name IN ITEMS cl cmake docs examples include src CHANGELOG.md CMakeLists.txt CMakePresets.json LICENSE
    README.md)
  file(COPY ${ROOT}/${name} DESTINATION ${WORK}/tally)
endforeach()

# CMake looks for programs in /usr as well, whatever PATH is: what is not linked here is hidden there too.
set(path $ENV{PATH})
string(REPLACE ":" ";" hidden "${path}")
list(APPEND hidden /bin /sbin /usr/bin /usr/sbin /usr/local/bin /usr/local/sbin)
file(WRITE ${WORK}/hide.cmake "set(CMAKE_IGNORE_PATH \"${hidden}\")\n")
link_tool(cc ${CC})
link_tool(cmake ${CMAKE_COMMAND})
foreach(tool IN ITEMS make ar as ld ranlib sh uname)
  find_program(tool_${tool} ${tool})
  link_tool(${tool} "${tool_${tool}}")
endforeach()
foreach(name IN ITEMS CC CFLAGS LDFLAGS CMAKE_GENERATOR CMAKE_BUILD_TYPE CMAKE_PREFIX_PATH PKG_CONFIG_PATH)
  unset(ENV{${name}})
endforeach()
set(ENV{CMAKE_TOOLCHAIN_FILE} ${WORK}/hide.cmake)
set(ENV{DESTDIR} ${WORK}/stage)
set(ENV{PATH} ${WORK}/bin)

# ---- Building and installing ----------------------------------------------------------------------

file(READ ${ROOT}/docs/building.md text)
next_block(commands sh)
set(where ${WORK}/tally)
run_script("${commands}")
if(NOT EXISTS ${prefix}/include/tally/tally.h)
  message(FATAL_ERROR "nothing was installed into /opt/tally by\n${commands}")
endif()
file(GLOB_RECURSE caches ${WORK}/tally/CMakeCache.txt)
foreach(cache IN LISTS caches)
  file(STRINGS ${cache} found REGEX "=/.*/(ninja|pkg-config|pkgconf|python[0-9.]*)$")
  if(found)
    message(FATAL_ERROR "this test did not hide everything: ${found}")
  endif()
endforeach()

# ---- Programs that link it ------------------------------------------------------------------------

set(where ${WORK}/app)
run(${CMAKE_COMMAND} -D README=${ROOT}/README.md -D LANGUAGE=c -D OUT=${where}/main.c
  -P ${CMAKE_CURRENT_LIST_DIR}/readme.cmake)
run(${CMAKE_COMMAND} -D README=${ROOT}/README.md -D LANGUAGE=text -D OUT=${where}/expected
  -P ${CMAKE_CURRENT_LIST_DIR}/readme.cmake)
next_block(lines cmake)
file(WRITE ${where}/CMakeLists.txt "cmake_minimum_required(VERSION 3.20)\nproject(app LANGUAGES C)\n"
  "add_executable(app main.c)\n${lines}")
run(cmake -S . -B build -D CMAKE_PREFIX_PATH=${prefix})
run(cmake --build build)

set(ENV{PATH} ${path})
find_program(pkg_config pkg-config)
link_tool(pkg-config "${pkg_config}")
set(ENV{PATH} ${WORK}/bin)
next_block(commands sh)
string(REPLACE "/opt/tally" "${prefix}" commands "${commands}")
run_script("${commands}")

# The drivers of devices call what they like. The programs find the library by themselves.
set(ENV{PATH} ${path})
foreach(program IN ITEMS build/app a.out)
  run(${CMAKE_COMMAND} -D PROGRAM=${where}/${program} -D EXPECTED=${where}/expected
    -P ${CMAKE_CURRENT_LIST_DIR}/output.cmake)
endforeach()
