# What `cmake --install` lays down: headers, libraries, the program, and the two descriptions by
# which others find them: a CMake package and files of pkg-config. Both find the prefix from where they
# lie, so that an installed tree can be moved.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tally)

# The program, what programs run with, and what they are built with. A parent's install has components of its
# own.
set(program COMPONENT tally_program)
set(runtime COMPONENT tally_runtime)
set(development COMPONENT tally_development)

install(DIRECTORY include/tally DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${development}
  FILES_MATCHING PATTERN *.h PATTERN *.hpp PATTERN mpi.h EXCLUDE)
install(TARGETS ${libraries} EXPORT tallyTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} ${runtime}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${runtime} NAMELINK_COMPONENT tally_development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} ${development})
file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set(rpath_of_programs $ORIGIN/${bin_to_lib})
if(APPLE)
  set(rpath_of_programs @loader_path/${bin_to_lib})
endif()
if(TARGET tally_cli)
  set_target_properties(tally_cli PROPERTIES INSTALL_RPATH ${rpath_of_programs})
  install(TARGETS tally_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} ${program})
endif()

install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} ${development})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} ${development}
  PATTERN site EXCLUDE PATTERN __pycache__ EXCLUDE)

install(EXPORT tallyTargets NAMESPACE tally:: DESTINATION ${package_dir} ${development})
if(TARGET tally_mpi)
  # Components of their own: a package of these is of one MPI.
  set(mpi_runtime COMPONENT tally_mpi_runtime)
  set(mpi_development COMPONENT tally_mpi_development)
  install(FILES include/tally/mpi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tally ${mpi_development})
  install(TARGETS tally_mpi EXPORT tallyMpiTargets
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} ${mpi_runtime}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${mpi_runtime} NAMELINK_COMPONENT tally_mpi_development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} ${mpi_development})
  if(TARGET tally_cli_mpi)
    set_target_properties(tally_cli_mpi PROPERTIES INSTALL_RPATH ${rpath_of_programs})
    install(TARGETS tally_cli_mpi RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tally_mpi_program)
  endif()
  install(EXPORT tallyMpiTargets NAMESPACE tally:: DESTINATION ${package_dir} ${mpi_development})
endif()
configure_package_config_file(cmake/tallyConfig.cmake.in ${PROJECT_BINARY_DIR}/tallyConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
# While the major version is 0, every minor version may change the interface.
set(compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tallyConfigVersion.cmake
  COMPATIBILITY ${compatibility})
install(FILES
  ${PROJECT_BINARY_DIR}/tallyConfig.cmake ${PROJECT_BINARY_DIR}/tallyConfigVersion.cmake
  DESTINATION ${package_dir} ${development})

# pkg-config: through OpenCL's own file where the system has it, which is beside a library that linkers find
# without being told where. Any other OpenCL is named by its folders, which pkg-config need not know. The
# program pkg-config is not asked: it need not be here.
set(pc_requires "")
set(pc_what "")
set(pc_opencl_libs "")
set(pc_opencl_cflags "")
get_filename_component(opencl_dir "${OpenCL_LIBRARY}" DIRECTORY)
get_filename_component(opencl_name "${OpenCL_LIBRARY}" NAME_WE)
if(OpenCL_LIBRARY MATCHES "\\.framework$")
  set(pc_opencl_libs " -framework ${opencl_name}")
elseif(opencl_dir IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES AND EXISTS ${opencl_dir}/pkgconfig/OpenCL.pc)
  set(pc_requires "\nRequires: OpenCL")
else()
  string(REGEX REPLACE "^lib" "" opencl_name "${opencl_name}")
  set(pc_opencl_libs " -l${opencl_name}")
  if(NOT opencl_dir IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    string(PREPEND pc_opencl_libs " -L${opencl_dir}")
  endif()
endif()
if(NOT APPLE AND NOT OpenCL_INCLUDE_DIR IN_LIST CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES)
  set(pc_opencl_cflags " -I${OpenCL_INCLUDE_DIR}")
endif()
if(WIN32) # what this build has borrowed is not where it will be used
  set(pc_opencl_libs " -lOpenCL")
  set(pc_opencl_cflags "")
endif()
set(pc_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_prefix ${pc_dir} ${CMAKE_INSTALL_PREFIX})
set(pc_prefix "\${pcfiledir}/${pc_to_prefix}")
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
foreach(kind IN ITEMS LIBDIR INCLUDEDIR)
  set(pc_${kind} "\${prefix}/${CMAKE_INSTALL_${kind}}")
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${kind}}")
    set(pc_${kind} "${CMAKE_INSTALL_${kind}}")
  endif()
endforeach()

# install_pc(NAME LIBS [PRIVATE_LIBS]), in the component that `development` says
function(install_pc pc_name pc_libs)
  set(pc_libs_private "")
  if(ARGN)
    set(pc_libs_private "\nLibs.private: ${ARGN}")
  endif()
  configure_file(cmake/tally.pc.in ${PROJECT_BINARY_DIR}/${pc_name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pc_name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${development})
endfunction()

# -ltally is the shared library where there is one, whatever pkg-config is told, so the static one has a
# file of its own that names the archive. Linkers of Apple know no -l:.
set(pc_private "-lm ${CMAKE_THREAD_LIBS_INIT}")
foreach(library IN LISTS CMAKE_DL_LIBS)
  string(APPEND pc_private " -l${library}")
endforeach()
string(STRIP "${pc_private}" pc_private)
if(APPLE)
  set(pc_archive "\${libdir}/libtally.a")
elseif(UNIX)
  set(pc_archive -l:libtally.a)
else()
  set(pc_archive -ltally_static)
endif()
if(TALLY_BUILD_SHARED)
  install_pc(tally -ltally "${pc_private}")
else()
  install_pc(tally "${pc_archive} ${pc_private}")
endif()
if(TALLY_BUILD_STATIC)
  install_pc(tally-static "${pc_archive} ${pc_private}")
endif()
# It says nothing of MPI: a program is compiled by MPI's own compiler, mpicc.
if(TARGET tally_mpi)
  set(development ${mpi_development})
  set(pc_requires "\nRequires: tally = ${PROJECT_VERSION}")
  set(pc_what ", over MPI")
  set(pc_opencl_libs "")
  set(pc_opencl_cflags "")
  install_pc(tally-mpi -ltally_mpi)
endif()
