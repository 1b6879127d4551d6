# Installs each component alone: tally_runtime is what programs run with, tally_development all else but what
# tally_mpi has in components of its own, and nothing is in two or in none.
#
#   cmake -D BUILD=build -D CONFIG=Release -D WORK=folder [-D PROGRAM=bin/tally] -P components.cmake

cmake_minimum_required(VERSION 3.20)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

# install_into(NAME OPTION...): sets NAME to what is laid down with these options of cmake --install.
function(install_into name)
  set(prefix ${WORK}/${name})
  run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${prefix} ${ARGN})
  file(GLOB_RECURSE files RELATIVE ${prefix} ${prefix}/*)
  set(${name} "${files}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
install_into(all)
install_into(runtime --component tally_runtime)
install_into(development --component tally_development)
install_into(mpi_runtime --component tally_mpi_runtime)
install_into(mpi_development --component tally_mpi_development)
list(REMOVE_ITEM all "" ${mpi_runtime} ${mpi_development})

set(expected ${all})
list(FILTER expected INCLUDE REGEX "/libtally\\.(so\\..*|[0-9].*\\.dylib)$")
list(APPEND expected ${PROGRAM})
list(SORT expected)
list(SORT runtime)
if(NOT expected OR NOT runtime STREQUAL expected)
  message(FATAL_ERROR "tally_runtime has ${runtime}, but expected was ${expected}")
endif()
list(REMOVE_ITEM all ${runtime})
if(NOT development STREQUAL all)
  message(FATAL_ERROR "tally_development has ${development}, but expected was ${all}")
endif()
if(PROGRAM)
  run(${WORK}/runtime/${PROGRAM} --version)
endif()
