# tally/directml.h in the company it keeps: alone, among Windows' types, after Microsoft's header at
# every version that lacks something. Included by tests/package.cmake, whose `strict` it uses.

set(company ${CMAKE_CURRENT_SOURCE_DIR}/headers)
set(examples ${CMAKE_CURRENT_SOURCE_DIR}/support/descriptions/pages_examples.c)
set(as_c ${CMAKE_C_COMPILER} -std=c11 ${strict} -I${company} -x c)
set(as_cxx ${CMAKE_CXX_COMPILER} -std=c++11 ${strict} -I${company} -x c++)
set(microsoft -include ${company}/microsoft/DirectML.h)

foreach(language IN ITEMS c cxx)
  tally_add_test(package directml_layout_${language} 60 ${as_${language}} ${company}/layout.c)
  tally_add_test(package directml_examples_${language} 60 ${as_${language}} ${examples})
  tally_add_test(package directml_windows_repeated_${language} 60
    ${as_${language}} ${company}/after_windows.c)
  tally_add_test(package directml_windows_guarded_${language} 60
    ${as_${language}} -DSTAND_IN_GUARDED ${company}/after_windows.c)
endforeach()
find_path(x11_headers X11/Xmd.h)
if(NOT x11_headers)
  message(FATAL_ERROR "The tests of the headers need X11/Xmd.h (Debian: x11proto-dev). Install it, or set "
    "TALLY_BUILD_TESTS to OFF.")
endif()
foreach(order IN ITEMS BEFORE AFTER)
  tally_add_test(package directml_x11_${order}_c 60
    ${as_c} -D${order} -isystem ${x11_headers} ${company}/x11.c)
  tally_add_test(package directml_x11_${order}_cxx 60
    ${as_cxx} -D${order} -isystem ${x11_headers} ${company}/x11.c)
endforeach()
tally_add_test(package directml_flags 60 ${as_cxx} ${company}/flags.c)

foreach(version IN ITEMS 0x1000 0x2000 0x2100 0x3000 0x3100 0x5000 0x5100 0x6300 0x6400)
  tally_add_test(package directml_after_microsoft_${version} 60
    ${as_cxx} -DDML_TARGET_VERSION=${version} ${company}/after_microsoft.c)
endforeach()
tally_add_test(package directml_after_microsoft_unsigned_bool 60
  ${as_cxx} -DSTAND_IN_UNSIGNED_BOOL ${company}/after_microsoft.c)
tally_add_test(package directml_layout_microsoft 60 ${as_cxx} ${microsoft} ${company}/layout.c)
tally_add_test(package directml_examples_microsoft 60 ${as_cxx} ${microsoft} ${examples})
