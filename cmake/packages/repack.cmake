# Run by CPack when the packages are there, to pack them again. CPack takes an archive's files in the order in
# which the folders happen to have them. In Debian's packages it has maintainer scripts call ldconfig, where Debian
# has a trigger; it knows neither symbols files nor Multi-Arch; and debug symbols get wrong sums and no copyright.

include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

# finish_library(TREE PACKAGE): a package with a shared library.
function(finish_library tree package)
  file(REMOVE ${tree}/DEBIAN/postinst ${tree}/DEBIAN/postrm)
  file(WRITE ${tree}/DEBIAN/triggers "activate-noawait ldconfig\n")
  # A soname is of one minor version while the major one is 0, and of one major version then: no function of it
  # is older than its first version.
  string(REGEX REPLACE "[0-9]+$" "0" first ${CPACK_PACKAGE_VERSION})
  set(symbols ${tree}/DEBIAN/symbols)
  tally_run(dpkg-gensymbols -p${package} -v${first} -P${tree} -O${symbols})
  string(REGEX REPLACE "[0-9.]+$" "-dev" builder ${package})
  file(READ ${symbols} text)
  string(REPLACE "#MINVER#\n" "#MINVER#\n* Build-Depends-Package: ${builder}\n" text "${text}")
  file(WRITE ${symbols} "${text}")
endfunction()

# finish_debug(TREE PACKAGE): a package of debug symbols has the files of the one that it belongs to.
function(finish_debug tree package)
  string(REGEX REPLACE "-dbgsym$" "" owner ${package})
  file(MAKE_DIRECTORY ${tree}/usr/share/doc)
  file(CREATE_LINK ${owner} ${tree}/usr/share/doc/${package} SYMBOLIC)
  tally_run(find ${tree}/usr/lib -name *.debug -exec chmod 644 {} +)
endfunction()

# finish_package(FILE): packs the file again.
function(finish_package file)
  set(tree ${CPACK_TEMPORARY_DIRECTORY}/again)
  file(REMOVE_RECURSE ${tree})
  tally_run(dpkg-deb --raw-extract ${file} ${tree})
  file(READ ${tree}/DEBIAN/control control)
  string(REGEX MATCH "(^|\n)Package: ([^\n]*)\n" line "${control}")
  set(package ${CMAKE_MATCH_2})
  if(EXISTS ${tree}/DEBIAN/shlibs)
    finish_library(${tree} ${package})
  elseif(package MATCHES "-dbgsym$")
    finish_debug(${tree} ${package})
  endif()
  if(package MATCHES "^lib")
    string(REPLACE "${line}" "${line}Multi-Arch: same\n" control "${control}")
  endif()
  file(WRITE ${tree}/DEBIAN/control "${control}")
  tally_run(sh -c "cd '${tree}' && find usr -type f | LC_ALL=C sort | xargs md5sum >DEBIAN/md5sums")
  tally_run(dpkg-deb --root-owner-group -Zxz --build ${tree} ${file})
  file(REMOVE_RECURSE ${tree})
endfunction()

if(CPACK_GENERATOR STREQUAL "DEB")
  foreach(file IN LISTS CPACK_PACKAGE_FILES)
    finish_package(${file})
  endforeach()
elseif(CPACK_GENERATOR STREQUAL "TGZ")
  get_filename_component(parent ${CPACK_TEMPORARY_DIRECTORY} DIRECTORY)
  tally_run(sh -c "tar --create --sort=name --format=gnu --owner=0 --group=0 --numeric-owner \
    --directory='${parent}' '${CPACK_PACKAGE_FILE_NAME}' | gzip -9n >'${CPACK_PACKAGE_FILES}'")
endif()
