# Run by CPack before it packs what was installed. For Debian it adds what the policy wants of each package:
# copyright, changelogs, compressed pages of the manual. For all, every file is dated SOURCE_DATE_EPOCH, if that
# is set.

include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

# write_debian_files(FOLDER PACKAGE): below the folder that is the package's root.
function(write_debian_files folder package)
  set(doc ${folder}/usr/share/doc/${package})
  set(files ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(READ ${CPACK_TALLY_SOURCE_DIR}/LICENSE license)
  string(REGEX REPLACE "^[^\n]*\n\nCopyright \\(c\\) ([^\n]*)\n\n" "" license "${license}")
  set(holder "${CMAKE_MATCH_1}")
  string(REGEX REPLACE "\n$" "" license "${license}")
  string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
  string(REPLACE "\n" "\n " license " ${license}")
  configure_file(${files}/copyright.in ${doc}/copyright @ONLY)
  file(REMOVE ${doc}/LICENSE)
  configure_file(${files}/changelog.in ${doc}/changelog.Debian @ONLY)
  configure_file(${CPACK_TALLY_SOURCE_DIR}/CHANGELOG.md ${doc}/changelog COPYONLY)
  file(GLOB_RECURSE pages ${folder}/usr/share/man/*)
  tally_run(gzip -9nf ${doc}/changelog ${doc}/changelog.Debian ${pages})
  file(GLOB_RECURSE archives ${folder}/*.a)
  if(archives)
    tally_run(strip --strip-debug --enable-deterministic-archives ${archives})
  endif()
endfunction()

if(CPACK_GENERATOR STREQUAL "DEB")
  foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} key)
    write_debian_files(${CPACK_TEMPORARY_DIRECTORY}/${component} ${CPACK_DEBIAN_${key}_PACKAGE_NAME})
  endforeach()
endif()
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  tally_run(find ${CPACK_TEMPORARY_DIRECTORY} -exec touch -h -d @$ENV{SOURCE_DATE_EPOCH} {} +)
endif()
