# What `cmake --install` lays down: headers, both libraries, the program, and the two descriptions by
# which others find them: a CMake package and a pkg-config file. Both find the prefix from where they
# lie, so that an installed tree can be moved.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tally)

install(DIRECTORY include/tally DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h
  PATTERN *.hpp)
install(TARGETS tally tally_static EXPORT tallyTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET tally_cli)
  file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  if(APPLE)
    set_target_properties(tally_cli PROPERTIES INSTALL_RPATH @loader_path/${bin_to_lib})
  else()
    set_target_properties(tally_cli PROPERTIES INSTALL_RPATH $ORIGIN/${bin_to_lib})
  endif()
  install(TARGETS tally_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(EXPORT tallyTargets NAMESPACE tally:: DESTINATION ${package_dir})
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
  DESTINATION ${package_dir})

# pkg-config: through OpenCL's own file where there is one, else by what find_package found.
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(OPENCL_PC QUIET OpenCL)
endif()
set(pc_requires "")
set(pc_opencl_libs "")
set(pc_opencl_cflags "")
if(OPENCL_PC_FOUND)
  set(pc_requires OpenCL)
elseif(APPLE)
  set(pc_opencl_libs "-framework OpenCL")
else()
  set(pc_opencl_libs ${OpenCL_LIBRARIES})
  if(NOT OpenCL_INCLUDE_DIRS IN_LIST CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES)
    set(pc_opencl_cflags -I${OpenCL_INCLUDE_DIRS})
  endif()
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
configure_file(cmake/tally.pc.in ${PROJECT_BINARY_DIR}/tally.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tally.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
