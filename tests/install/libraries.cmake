# Builds all but the tests with one library and with the other, installs it, and builds and runs the
# project of this folder against it. The default, both, is what install.cmake has.
#
#   cmake -D ROOT=. -D WORK=folder -D GENERATOR=Ninja -D CC=gcc
#         -D PKG_CONFIG=pkg-config -P libraries.cmake

cmake_minimum_required(VERSION 3.20)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(settings -G ${GENERATOR} -DCMAKE_C_COMPILER=${CC} -DCMAKE_BUILD_TYPE=Debug)

# check(NAME LIBRARIES FILES OPTION...): with these options there are these targets and files. One folder
# does for all, as the objects are the same.
function(check name libraries files)
  string(REPLACE ";" ", " options "${ARGN}")
  set(prefix ${WORK}/${name})
  set(build ${WORK}/build)
  run(${CMAKE_COMMAND} -S ${ROOT} -B ${build} ${settings} -DTALLY_BUILD_TESTS=OFF
    -DCMAKE_INSTALL_LIBDIR=lib -U BUILD_SHARED_LIBS -U TALLY_BUILD_SHARED -U TALLY_BUILD_STATIC ${ARGN})
  run(${CMAKE_COMMAND} --build ${build} --config Debug -j 1)
  run(${CMAKE_COMMAND} --install ${build} --config Debug --prefix ${prefix})
  file(GLOB installed RELATIVE ${prefix}/lib ${prefix}/lib/libtally.*)
  list(TRANSFORM installed REPLACE "(\\.[0-9]+)+$" "")
  list(REMOVE_DUPLICATES installed)
  if(NOT installed STREQUAL files)
    message(FATAL_ERROR "${options}: ${files} was expected, but lib has ${installed}")
  endif()
  run(${prefix}/bin/tally --version)

  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/use_${name} ${settings}
    -DCMAKE_PREFIX_PATH=${prefix} -DLIBRARIES=${libraries})
  run(${CMAKE_COMMAND} --build ${WORK}/use_${name} --config Debug)
  string(REPLACE "," ";" libraries "${libraries}")
  foreach(library IN LISTS libraries)
    run(${WORK}/use_${name}/use_${library})
    message(STATUS "${name}, tally::${library}: ${output}")
  endforeach()

  set(ENV{PKG_CONFIG_PATH} ${prefix}/lib/pkgconfig)
  link_main(${WORK}/use_${name}/by_pkg_config tally)
  run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${prefix}/lib ${WORK}/use_${name}/by_pkg_config)
endfunction()

file(REMOVE_RECURSE ${WORK})
check(shared tally libtally.so -DBUILD_SHARED_LIBS=ON)
check(static tally,tally_static libtally.a -DBUILD_SHARED_LIBS=OFF)
check(outranked tally,tally_static "libtally.a;libtally.so" -DBUILD_SHARED_LIBS=ON -DTALLY_BUILD_STATIC=ON)

# refuse(MESSAGE OPTION...): these options are refused.
function(refuse expected)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${ROOT} -B ${WORK}/refused ${settings} ${ARGN}
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE errors)
  if(NOT failed OR NOT errors MATCHES "${expected}")
    message(FATAL_ERROR "'${expected}' was expected, but it said\n${errors}")
  endif()
endfunction()
refuse("The tests need both libraries" -DBUILD_SHARED_LIBS=OFF)
refuse("No library is left to build" -DTALLY_BUILD_SHARED=OFF -DTALLY_BUILD_STATIC=OFF)
