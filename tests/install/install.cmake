# Installs the build into a prefix, moves the prefix, and builds and runs the project of this folder
# against it, so that it works wherever the tree was put.
#
#   WAY=cmake        find_package(tally), shared and static
#   WAY=pkg_config   the compiler alone with the flags of tally.pc and tally-static.pc
#
# PROGRAM, where it is set, is the installed program below the prefix; it is run as well.

cmake_minimum_required(VERSION 3.20)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/build)
run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/before)
file(RENAME ${WORK}/before ${WORK}/prefix)
set(prefix ${WORK}/prefix)
set(lib ${prefix}/${LIBDIR})

if(PROGRAM)
  run(${prefix}/${PROGRAM} devices)
  message(STATUS "${PROGRAM} devices:\n${output}")
endif()

if(WAY STREQUAL "cmake")
  run(${CMAKE_COMMAND} -S ${PROJECT} -B ${WORK}/build -G ${GENERATOR}
    -DCMAKE_C_COMPILER=${CC} -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${prefix}
    -DLIBRARIES=tally,tally_static)
  run(${CMAKE_COMMAND} --build ${WORK}/build --config ${CONFIG})
  set(programs ${WORK}/build/use_tally ${WORK}/build/use_tally_static)
elseif(WAY STREQUAL "pkg_config")
  set(ENV{PKG_CONFIG_PATH} ${lib}/pkgconfig)
  run(${PKG_CONFIG} --modversion tally)
  string(STRIP "${output}" found)
  if(NOT found STREQUAL VERSION)
    message(FATAL_ERROR "tally.pc says version ${found}, the library is ${VERSION}")
  endif()
  link_main(${WORK}/build/use_shared tally)
  link_main(${WORK}/build/use_static tally-static)
  run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${lib} ${WORK}/build/use_shared)
  # The linker takes the archive for tally where it is all there is.
  file(GLOB shared ${lib}/libtally.so*)
  file(REMOVE ${shared})
  link_main(${WORK}/build/use_archive --static tally)
  set(programs ${WORK}/build/use_static ${WORK}/build/use_archive)
else()
  message(FATAL_ERROR "install.cmake: WAY is '${WAY}'")
endif()

foreach(program IN LISTS programs)
  run(${program})
  message(STATUS "${program}: ${output}")
endforeach()
