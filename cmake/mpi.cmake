# The library tally_mpi, and the program tally-mpi. Both belong to one MPI: a build folder has the one that
# FindMPI found, or that MPI_C_COMPILER names. libtally and the program tally know nothing of it.

find_package(MPI REQUIRED COMPONENTS C)

set(mpi_kind STATIC)
if(TALLY_BUILD_SHARED AND NOT WIN32)
  set(mpi_kind SHARED)
endif()
file(GLOB mpi_sources CONFIGURE_DEPENDS src/mpi/*.c)
# A shared libtally hides what it is made of, so the other library has a copy of what both need.
if(TALLY_BUILD_SHARED)
  list(APPEND mpi_sources src/base/status.c src/base/struct.c)
endif()
add_library(tally_mpi ${mpi_kind} ${mpi_sources})
add_library(tally::mpi ALIAS tally_mpi)
tally_set_flags(tally_mpi)
target_compile_definitions(tally_mpi PRIVATE CL_TARGET_OPENCL_VERSION=120)
target_include_directories(tally_mpi PRIVATE src)
target_link_libraries(tally_mpi PUBLIC tally::tally MPI::MPI_C OpenCL::OpenCL)
set_target_properties(tally_mpi PROPERTIES EXPORT_NAME mpi)
if(mpi_kind STREQUAL "SHARED")
  set_target_properties(tally_mpi PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${soversion})
endif()

# A program of its own, so that tally needs no MPI. It has the commands of tally that run an operator on
# files, and a job of its own for them.
if(TALLY_BUILD_CLI)
  file(GLOB cli_mpi_sources CONFIGURE_DEPENDS src/cli_mpi/*.c src/cli/npy/*.c src/cli/options/*.c
    src/cli/tables/*.c)
  list(FILTER cli_mpi_sources EXCLUDE REGEX "/options/(explain|tally)\\.c$")
  foreach(name IN ITEMS device diagonal error nearest progress reduce scan transfer)
    list(APPEND cli_mpi_sources src/cli/${name}.c)
  endforeach()
  add_executable(tally_cli_mpi ${cli_mpi_sources} ${program_platform})
  tally_set_flags(tally_cli_mpi)
  target_compile_definitions(tally_cli_mpi PRIVATE CL_TARGET_OPENCL_VERSION=120)
  target_include_directories(tally_cli_mpi PRIVATE src)
  target_link_libraries(tally_cli_mpi PRIVATE tally::mpi Threads::Threads)
  tally_add_zlib(tally_cli_mpi)
  if(UNIX)
    target_link_libraries(tally_cli_mpi PRIVATE m)
  endif()
  set_target_properties(tally_cli_mpi PROPERTIES OUTPUT_NAME tally-mpi)
  tally_add_pages(tally_cli_mpi tally-mpi tally_mpi_program)
endif()
