# Installs the build into a prefix, moves the prefix, and builds the program of this folder against it:
# by find_package(tally COMPONENTS mpi), and by MPI's compiler with the flags of tally-mpi.pc. Both run
# with two ranks, as the installed tally-mpi does.

cmake_minimum_required(VERSION 3.20)
include(${CMAKE_CURRENT_LIST_DIR}/../../install/run.cmake)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/build)
run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/before)
file(RENAME ${WORK}/before ${WORK}/prefix)
set(prefix ${WORK}/prefix)

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/build -G ${GENERATOR}
  -DCMAKE_C_COMPILER=${CC} -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${prefix}
  -DMPI_C_COMPILER=${MPICC})
run(${CMAKE_COMMAND} --build ${WORK}/build --config ${CONFIG})

set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
run(${PKG_CONFIG} --cflags --libs tally-mpi)
separate_arguments(flags UNIX_COMMAND "${output}")
run(${MPICC} ${CMAKE_CURRENT_LIST_DIR}/main.c -o ${WORK}/build/use_pc ${flags}
  -Wl,-rpath,${prefix}/${LIBDIR})

foreach(program IN ITEMS ${WORK}/build/use_mpi ${WORK}/build/use_pc)
  run(${MPIEXEC} ${MPIEXEC_FLAG} 2 ${program})
  if(NOT output MATCHES "2 ranks agree")
    message(FATAL_ERROR "${program} says: ${output}")
  endif()
endforeach()
run(${MPIEXEC} ${MPIEXEC_FLAG} 2 ${prefix}/${PROGRAM} --help)
if(NOT output MATCHES "tally-mpi")
  message(FATAL_ERROR "${PROGRAM} says: ${output}")
endif()
