# The package ring: what others meet of Tally. Included by tests/CMakeLists.txt.

set(scripts ${CMAKE_CURRENT_SOURCE_DIR}/install)

# ---- The headers compile alone, in both languages --------------------------------------------------

include(CheckLanguage)
check_language(CXX)
if(NOT CMAKE_CXX_COMPILER)
  message(FATAL_ERROR "The tests of the headers need a C++ compiler (Debian: g++). "
    "Install one, or set TALLY_BUILD_TESTS to OFF.")
endif()
enable_language(CXX)

set(strict -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only -I${root}/include)
foreach(dir IN LISTS OpenCL_INCLUDE_DIRS)
  if(NOT dir IN_LIST CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES)
    list(APPEND strict -isystem ${dir})
  endif()
endforeach()
include(headers/headers.cmake)
include(cpp/cpp.cmake)
file(GLOB headers CONFIGURE_DEPENDS ${root}/include/tally/*.h)
foreach(header IN LISTS headers)
  get_filename_component(stem ${header} NAME_WE)
  tally_add_test(package header_${stem}_c 60
    ${CMAKE_C_COMPILER} -std=c11 ${strict} -x c ${header})
  tally_add_test(package header_${stem}_cxx 60
    ${CMAKE_CXX_COMPILER} -std=c++11 ${strict} -x c++ ${header})
endforeach()
tally_add_test(package initialisers_c 60
  ${CMAKE_C_COMPILER} -std=c11 ${strict} -x c ${scripts}/initialisers.c)
tally_add_test(package initialisers_cxx 60
  ${CMAKE_CXX_COMPILER} -std=c++11 ${strict} -x c++ ${scripts}/initialisers.c)

# The include path of tally_core makes OpenCL's header an error.
set(core_includes $<TARGET_PROPERTY:tally_core,INCLUDE_DIRECTORIES>)
tally_add_test(package core_refuses_opencl 60 ${CMAKE_C_COMPILER} -std=c11 -fsyntax-only -Wfatal-errors
  -I$<JOIN:${core_includes},$<SEMICOLON>-I> -x c ${root}/include/tally/tally.h)
set_tests_properties(package.core_refuses_opencl PROPERTIES
  PASS_REGULAR_EXPRESSION "may not include OpenCL's headers")

# ---- Symbols --------------------------------------------------------------------------------------

set(symbols ${CMAKE_COMMAND} -D NM=${CMAKE_NM})
list(JOIN headers "," joined_headers)
tally_add_test(package symbols_shared 60 ${symbols} -D CHECK=shared
  -D HEADERS=${joined_headers} -D FILES=$<TARGET_FILE:tally> -P ${scripts}/symbols.cmake)
tally_add_test(package symbols_static 60 ${symbols} -D CHECK=static
  -D FILES=$<TARGET_FILE:tally_static> -P ${scripts}/symbols.cmake)
tally_add_test(package symbols_core 60 ${symbols} -D CHECK=core
  -D FILES=$<JOIN:$<TARGET_OBJECTS:tally_core>,$<COMMA>> -P ${scripts}/symbols.cmake)

# ---- The README's example and examples/ -----------------------------------------------------------

# tally_add_output_test(NAME EXPECTED): the program prints exactly this file.
function(tally_add_output_test program expected)
  tally_add_test(package ${program} 300 ${CMAKE_COMMAND}
    -D PROGRAM=$<TARGET_FILE:${program}> -D EXPECTED=${expected} -P ${scripts}/output.cmake)
endfunction()

set(readme ${CMAKE_CURRENT_BINARY_DIR}/readme_example)
foreach(language IN ITEMS c text)
  add_custom_command(OUTPUT ${readme}.${language}
    COMMAND ${CMAKE_COMMAND} -D README=${root}/README.md -D LANGUAGE=${language}
            -D OUT=${readme}.${language} -P ${scripts}/readme.cmake
    DEPENDS ${root}/README.md ${scripts}/readme.cmake
    VERBATIM)
endforeach()
add_executable(readme_example ${readme}.c ${readme}.text)
tally_set_flags(readme_example)
target_link_libraries(readme_example PRIVATE tally)
tally_add_output_test(readme_example ${readme}.text)

if(TALLY_BUILD_EXAMPLES)
  tally_add_output_test(example_tensors ${root}/examples/tensors.txt)
  tally_add_output_test(example_tensors_cpp ${root}/examples/tensors.txt)
endif()

# ---- Installing -----------------------------------------------------------------------------------

set(installed_program "")
if(TARGET tally_cli)
  set(installed_program ${CMAKE_INSTALL_BINDIR}/tally)
endif()
foreach(way IN ITEMS cmake pkg_config)
  tally_add_test(package install_${way} 600 ${CMAKE_COMMAND}
    -D WAY=${way} -D BUILD=${PROJECT_BINARY_DIR} -D CONFIG=$<CONFIG>
    -D WORK=${CMAKE_CURRENT_BINARY_DIR}/install_${way} -D PROJECT=${scripts}
    -D GENERATOR=${CMAKE_GENERATOR} -D CC=${CMAKE_C_COMPILER}
    -D PKG_CONFIG=${PKG_CONFIG_EXECUTABLE} -D VERSION=${PROJECT_VERSION}
    -D LIBDIR=${CMAKE_INSTALL_LIBDIR} -D PROGRAM=${installed_program} -P ${scripts}/install.cmake)
endforeach()
