# Installs each component alone: tally_runtime is what programs run with, tally_program the program with its pages
# of the manual and its completions, tally_development all else but what tally_mpi has in components of its own,
# and nothing is in two or in none.
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
install_into(program --component tally_program)
install_into(mpi_runtime --component tally_mpi_runtime)
install_into(mpi_program --component tally_mpi_program)
install_into(mpi_development --component tally_mpi_development)
list(REMOVE_ITEM all "" ${mpi_runtime} ${mpi_program} ${mpi_development})

# check_component(NAME PATTERN): the component has what of all is like the pattern, which is taken away from all.
function(check_component name pattern)
  set(expected ${all})
  list(FILTER expected INCLUDE REGEX "${pattern}")
  list(SORT expected)
  list(SORT ${name})
  if(NOT expected OR NOT ${name} STREQUAL expected)
    message(FATAL_ERROR "tally_${name} has ${${name}}, but expected was ${expected}")
  endif()
  list(REMOVE_ITEM all ${expected})
  set(all "${all}" PARENT_SCOPE)
endfunction()

check_component(runtime "/libtally\\.(so\\..*|[0-9].*\\.dylib)$")
if(PROGRAM)
  check_component(program "^(${PROGRAM}$|share/(man|bash-completion|zsh|fish)/)")
endif()
if(NOT development STREQUAL all)
  message(FATAL_ERROR "tally_development has ${development}, but expected was ${all}")
endif()
if(PROGRAM)
  install_into(together --component tally_runtime)
  run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/together --component tally_program)
  run(${WORK}/together/${PROGRAM} --version)
endif()
