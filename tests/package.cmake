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
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${root}/include/tally/*.h)
list(FILTER headers EXCLUDE REGEX "/mpi\\.h$") # of another library: tests/mpi has it
foreach(header IN LISTS headers)
  string(REGEX REPLACE "^.*/include/tally/(.*)\\.h$" "\\1" stem ${header})
  string(REPLACE "/" "_" stem ${stem})
  tally_add_test(package header_${stem}_c 60
    ${CMAKE_C_COMPILER} -std=c11 ${strict} -x c ${header})
  tally_add_test(package header_${stem}_cxx 60
    ${CMAKE_CXX_COMPILER} -std=c++11 ${strict} -Wold-style-cast -x c++ ${header})
endforeach()
tally_add_test(package initialisers_c 60
  ${CMAKE_C_COMPILER} -std=c11 ${strict} -x c ${scripts}/initialisers.c)
tally_add_test(package initialisers_cxx 60
  ${CMAKE_CXX_COMPILER} -std=c++11 ${strict} -Wold-style-cast -x c++ ${scripts}/initialisers.c)

# What is frozen of them, also where a compiler makes enumerations as small as it can.
set(frozen ${CMAKE_CURRENT_SOURCE_DIR}/headers/frozen.c)
tally_add_test(package frozen_c 60 ${CMAKE_C_COMPILER} -std=c11 ${strict} ${frozen})
tally_add_test(package frozen_short_enums 60
  ${CMAKE_C_COMPILER} -std=c11 -fshort-enums ${strict} ${frozen})
tally_add_test(package frozen_cxx 60 ${CMAKE_CXX_COMPILER} -std=c++11 ${strict} -x c++ ${frozen})

# OpenCL is the includer's choice: none, any version, before or after.
set(opencl ${CMAKE_CURRENT_SOURCE_DIR}/headers/opencl.c)
foreach(cl_version IN ITEMS 120 300)
  foreach(order IN ITEMS BEFORE AFTER)
    tally_add_test(package opencl_${cl_version}_${order}_c 60
      ${CMAKE_C_COMPILER} -std=c11 ${strict} -DVERSION=${cl_version} -D${order} ${opencl})
    tally_add_test(package opencl_${cl_version}_${order}_cxx 60
      ${CMAKE_CXX_COMPILER} -std=c++11 ${strict} -DVERSION=${cl_version} -D${order} -x c++ ${opencl})
  endforeach()
endforeach()
foreach(order IN ITEMS BEFORE AFTER)
  tally_add_test(package opencl_hpp_${order} 120 ${CMAKE_CXX_COMPILER} -std=c++11 ${strict}
    -DVERSION=300 -D${order} -DHPP -x c++ ${opencl})
endforeach()
tally_add_test(package opencl_none 60
  ${CMAKE_C_COMPILER} -std=c11 -I${root}/cmake/no-opencl ${strict} -x c ${root}/include/tally/tally.h)

# The include path of tally_core makes OpenCL's header an error.
set(core_includes $<TARGET_PROPERTY:tally_core,INCLUDE_DIRECTORIES>)
tally_add_test(package core_refuses_opencl 60 ${CMAKE_C_COMPILER} -std=c11 -fsyntax-only -Wfatal-errors
  -I$<JOIN:${core_includes},$<SEMICOLON>-I> -x c ${root}/src/device/clerror.h)
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

# ---- The binary interface: as it is declared, and for a program of the first release ---------------

# The declared one is of x86-64. The program sees no header of today: it is given the library's file.
set(abi ${CMAKE_CURRENT_SOURCE_DIR}/abi)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  tally_add_test(package abi 300 ${root}/ci/abi ${CMAKE_CURRENT_BINARY_DIR}/abi)
  set_tests_properties(package.abi PROPERTIES PROCESSORS 2)
else()
  message(STATUS "The binary interface is not compared: its description is of x86-64")
endif()
add_executable(abi_first_release ${abi}/main.c)
tally_set_flags(abi_first_release)
target_include_directories(abi_first_release PRIVATE ${abi}/v0.1)
target_link_libraries(abi_first_release PRIVATE $<TARGET_FILE:tally> OpenCL::OpenCL)
set_target_properties(abi_first_release PROPERTIES BUILD_RPATH $<TARGET_FILE_DIR:tally>)
add_dependencies(abi_first_release tally)
tally_add_test(package abi_first_release 300 abi_first_release)

# ---- The manual's pages and the completions of the program -------------------------------------------

# What man, mandoc, bash, zsh and fish say of them.
if(TARGET tally_cli_pages)
  set(pages ${PROJECT_BINARY_DIR}/pages/tally)
  tally_add_test(package manual 120
    ${TALLY_PATH_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/pages/manual.py $<TARGET_FILE:tally_cli> ${pages})
  tally_add_test(package completions 120
    ${TALLY_PATH_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/pages/completions.py ${pages})
endif()

# ---- Questions where there is no device -------------------------------------------------------------

add_executable(no_device ${scripts}/no_device.c)
tally_set_flags(no_device)
target_link_libraries(no_device PRIVATE tally)
tally_add_test(package no_device 60 ${CMAKE_COMMAND} -E env OCL_ICD_VENDORS=/nonexistent
  OCL_ICD_FILENAMES= $<TARGET_FILE:no_device>)

# A loader of OpenCL 1.2 is enough. The versions of symbols are those of ELF.
tally_add_test(package old_loader 60 ${CMAKE_COMMAND} -D NM=${CMAKE_NM} -D CC=${CMAKE_C_COMPILER}
  -D OPENCL=${OpenCL_LIBRARY} -D PROGRAM=$<TARGET_FILE:no_device>
  -D WORK=${CMAKE_CURRENT_BINARY_DIR}/old_loader -P ${scripts}/old_loader.cmake)

# ---- The README's example -------------------------------------------------------------------------

# tally_add_output_test(NAME EXPECTED COMMAND...): the command prints exactly this file.
function(tally_add_output_test name expected)
  list(JOIN ARGN "," command)
  tally_add_test(package ${name} 300 ${CMAKE_COMMAND}
    -D PROGRAM=${command} -D EXPECTED=${expected} -P ${scripts}/output.cmake)
endfunction()

set(readme ${CMAKE_CURRENT_BINARY_DIR}/readme_example)
foreach(language IN ITEMS c text)
  add_custom_command(OUTPUT ${readme}.${language}
    COMMAND ${CMAKE_COMMAND} -D README=${root}/README.md -D LANGUAGE=${language}
            -D OUT=${readme}.${language} -P ${scripts}/readme.cmake
    DEPENDS ${root}/README.md ${scripts}/readme.cmake ${scripts}/blocks.cmake
    VERBATIM)
endforeach()
add_executable(readme_example ${readme}.c ${readme}.text)
tally_set_flags(readme_example)
target_link_libraries(readme_example PRIVATE tally::tally)
tally_add_output_test(readme_example ${readme}.text $<TARGET_FILE:readme_example>)

# What the pages show compiles.
list(JOIN strict "," page_flags)
foreach(page IN ITEMS getting-started reduce scan fill)
  string(REPLACE "-" "_" name ${page})
  tally_add_test(package page_${name} 60 ${CMAKE_COMMAND}
    -D PAGE=${root}/docs/${page}.md -D WORK=${CMAKE_CURRENT_BINARY_DIR}
    -D CC=${CMAKE_C_COMPILER} -D FLAGS=${page_flags} -P ${scripts}/page.cmake)
endforeach()

# ---- examples/, built against what is installed ------------------------------------------------------

set(work ${CMAKE_CURRENT_BINARY_DIR}/examples)
tally_add_test(package examples 600 ${CMAKE_COMMAND}
  -D BUILD=${PROJECT_BINARY_DIR} -D CONFIG=$<CONFIG> -D WORK=${work} -D EXAMPLES=${root}/examples
  -D GENERATOR=${CMAKE_GENERATOR} -D CC=${CMAKE_C_COMPILER} -D CXX=${CMAKE_CXX_COMPILER}
  -D "FLAGS=-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
  -D OPENCL_HPP_DIR=${TALLY_OPENCL_HPP_DIR} -P ${scripts}/examples.cmake)
set_tests_properties(package.examples PROPERTIES FIXTURES_SETUP examples)

# tally_add_example(NAME TEXT COMMAND...): the example prints examples/TEXT.txt.
function(tally_add_example name text)
  tally_add_output_test(example_${name} ${root}/examples/${text}.txt ${ARGN})
  set_tests_properties(package.example_${name} PROPERTIES FIXTURES_REQUIRED examples)
endfunction()
file(GLOB examples CONFIGURE_DEPENDS ${root}/examples/*.c ${root}/examples/*.cpp ${root}/examples/*.py)
foreach(example IN LISTS examples)
  get_filename_component(name ${example} NAME_WE)
  if(example MATCHES "\\.c$")
    tally_add_example(${name} ${name} ${work}/build/${name})
  elseif(example MATCHES "\\.cpp$")
    tally_add_example(${name}_cpp ${name} ${work}/build/${name}_cpp)
  else()
    tally_add_example(${name} ${name} ${python} -B ${example}
      ${work}/prefix/${CMAKE_INSTALL_LIBDIR}/libtally.so)
  endif()
endforeach()

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

tally_add_test(package linking 1200 ${CMAKE_COMMAND} -D ROOT=${root}
  -D WORK=${CMAKE_CURRENT_BINARY_DIR}/linking -D CC=${CMAKE_C_COMPILER} -P ${scripts}/linking.cmake)

foreach(way IN ITEMS subdirectory libraries)
  tally_add_test(package ${way} 1200 ${CMAKE_COMMAND} -D ROOT=${root}
    -D WORK=${CMAKE_CURRENT_BINARY_DIR}/${way} -D GENERATOR=${CMAKE_GENERATOR}
    -D CC=${CMAKE_C_COMPILER} -D PKG_CONFIG=${PKG_CONFIG_EXECUTABLE} -P ${scripts}/${way}.cmake)
endforeach()

tally_add_test(package pc_opencl 600 ${CMAKE_COMMAND} -D ROOT=${root} -D BUILD=${PROJECT_BINARY_DIR}
  -D CONFIG=$<CONFIG> -D WORK=${CMAKE_CURRENT_BINARY_DIR}/pc_opencl -D GENERATOR=${CMAKE_GENERATOR}
  -D CC=${CMAKE_C_COMPILER} -D PKG_CONFIG=${PKG_CONFIG_EXECUTABLE} -D LIBDIR=${CMAKE_INSTALL_LIBDIR}
  -D OPENCL=${OpenCL_LIBRARY} -P ${scripts}/pc_opencl.cmake)

tally_add_test(package components 60 ${CMAKE_COMMAND} -D BUILD=${PROJECT_BINARY_DIR}
  -D CONFIG=$<CONFIG> -D WORK=${CMAKE_CURRENT_BINARY_DIR}/components -D PROGRAM=${installed_program}
  -P ${scripts}/components.cmake)
