# The library tally_mpi, and the program tally-mpi. Both belong to one MPI: a build folder has the one that
# FindMPI found, or that MPI_C_COMPILER names. libtally and the program tally know nothing of it.

find_package(MPI REQUIRED COMPONENTS C)

set(mpi_kind STATIC)
if(TALLY_BUILD_SHARED AND NOT WIN32)
  set(mpi_kind SHARED)
endif()
file(GLOB mpi_sources CONFIGURE_DEPENDS src/mpi/*.c)
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
