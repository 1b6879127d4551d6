# Packages by CPack: Debian's, and an archive for other systems. The presets package and archive of
# CMakePresets.json configure a build for them, and docs/building.md shows the commands. SOURCE_DATE_EPOCH, where
# it is set, is every date in them, and then the same sources give the same bytes in any folder.

set(TALLY_PACKAGER "The Tally authors <packages@tally.example>" CACHE STRING
  "Who answers for the packages: a name and an address")

set(CPACK_PACKAGE_VENDOR "Tally")
set(CPACK_PACKAGE_CONTACT ${TALLY_PACKAGER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_FILE_NAME "${PROJECT_NAME}-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/packages/stage.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/packages/repack.cmake)
set(CPACK_TALLY_SOURCE_DIR ${PROJECT_SOURCE_DIR})

# ---- Debian ---------------------------------------------------------------------------------------

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 0tally1) # older than a package that Debian makes
set(CPACK_DEBIAN_PACKAGE_SOURCE tally)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
if(NOT TALLY_BUILD_SHARED)
  include(CPack) # no package of Debian's is without the shared library
  return()
endif()
set(CPACK_COMPONENTS_ALL "")

# tally_package(COMPONENT NAME SECTION SUMMARY TEXT [FIELD VALUE]...): a component as a package.
function(tally_package component name section summary text)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_COMPONENT_${key}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  while(ARGN)
    list(POP_FRONT ARGN field value)
    set(CPACK_DEBIAN_${key}_${field} ${value} PARENT_SCOPE)
  endwhile()
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
endfunction()

set(what "Tally computes sums, extremes, norms and log-sums over any axes of a tensor,
running totals along an axis, and diagonal bands, on any OpenCL 1.2 device,
with the same bits on every device.\n")
set(exactly "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(opencl_dev "ocl-icd-opencl-dev | opencl-dev")
set(library libtally${soversion})
set(depends_library "${library} ${exactly}")
tally_package(tally_runtime ${library} libs "tensor reductions and running totals on OpenCL"
  "${what}.\nThis package has the shared library."
  DEBUGINFO_PACKAGE ON)
tally_package(tally_development libtally-dev libdevel
  "tensor reductions and running totals on OpenCL - development"
  "${what}.\nThis package has the headers, the static library, the files of CMake and
pkg-config, the documentation and the examples."
  PACKAGE_DEPENDS "${depends_library}, ${opencl_dev}"
  PACKAGE_SHLIBDEPS OFF)
if(TARGET tally_cli)
  tally_package(tally_program tally math "tensor reductions and running totals of NumPy's files"
    "${what}.\nThis package has the program, which reads and writes NumPy's .npy files, lists
devices, explains plans and measures speed."
    DEBUGINFO_PACKAGE ON PACKAGE_DEPENDS "${depends_library}"
    PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
endif()
if(TARGET tally_mpi)
  set(over_mpi "tensor reductions and running totals on OpenCL over MPI")
  tally_package(tally_mpi_runtime libtally-mpi${soversion} libs "${over_mpi}"
    "${what}.\nThis package has the shared library for tensors that are distributed over\nranks."
    DEBUGINFO_PACKAGE ON PACKAGE_DEPENDS "${depends_library}")
  tally_package(tally_mpi_development libtally-mpi-dev libdevel "${over_mpi} - development"
    "${what}.\nThis package has what programs for tensors that are distributed over ranks
are compiled with."
    PACKAGE_SHLIBDEPS OFF
    PACKAGE_DEPENDS "libtally-mpi${soversion} ${exactly}, libtally-dev ${exactly}, mpi-default-dev")
  tally_package(tally_mpi_program tally-mpi math "tensor reductions of NumPy's files over MPI"
    "${what}.\nThis package has the program for files that are larger than a host."
    DEBUGINFO_PACKAGE ON PACKAGE_DEPENDS "libtally-mpi${soversion} ${exactly}, ${depends_library}"
    PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
endif()

include(CPack)
