# The layer for C++, tally/tally.hpp, tally/directml.hpp and tally/part.hpp: it compiles without warnings for each
# standard and compiler, alone and with CL/opencl.hpp, has all calls of C, and works on a device. Included by
# tests/package.cmake, whose `strict` it uses.

set(cpp ${CMAKE_CURRENT_SOURCE_DIR}/cpp)
find_path(TALLY_OPENCL_HPP_DIR CL/opencl.hpp HINTS ${OpenCL_INCLUDE_DIRS})
if(NOT TALLY_OPENCL_HPP_DIR)
  message(FATAL_ERROR "The tests of tally.hpp need CL/opencl.hpp (Debian: opencl-clhpp-headers). Install it, "
    "name its folder with -DTALLY_OPENCL_HPP_DIR=, or set TALLY_BUILD_TESTS to OFF.")
endif()

set(opencl_hpp_dir "")
if(NOT TALLY_OPENCL_HPP_DIR IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
  set(opencl_hpp_dir -isystem ${TALLY_OPENCL_HPP_DIR})
endif()

# The compiler of the build, and g++ and clang++ where they are there: each once, whatever its names are.
find_program(TALLY_PATH_GXX g++)
find_program(TALLY_PATH_CLANGXX clang++)
set(compilers "")
set(real_compilers "")
foreach(compiler IN ITEMS ${CMAKE_CXX_COMPILER} ${TALLY_PATH_GXX} ${TALLY_PATH_CLANGXX})
  file(REAL_PATH "${compiler}" real)
  if(compiler AND NOT real IN_LIST real_compilers)
    list(APPEND compilers ${compiler})
    list(APPEND real_compilers ${real})
  endif()
endforeach()

# ---- It compiles ----------------------------------------------------------------------------------

# tally_add_cpp_test(NAME COMPILER OPTIONS...): package.cpp_NAME_COMPILER compiles every*.cpp.
function(tally_add_cpp_test name compiler)
  get_filename_component(short ${compiler} NAME)
  string(REPLACE "+" "x" short ${short})
  tally_add_test(package cpp_${name}_${short} 120 ${compiler} ${strict} -Wold-style-cast -Wsign-conversion
    ${opencl_hpp_dir} ${ARGN} -x c++ ${cpp}/every.cpp ${cpp}/every_type.cpp
    ${cpp}/every_part.cpp ${cpp}/every_stream.cpp)
endfunction()

set(without_exceptions -fno-exceptions -fno-rtti)
foreach(compiler IN LISTS compilers)
  foreach(standard IN ITEMS 17 20 2b)
    tally_add_cpp_test(${standard} ${compiler} -std=c++${standard} -DOPENCL_HPP=0)
    tally_add_cpp_test(${standard}_without_exceptions ${compiler}
      -std=c++${standard} -DOPENCL_HPP=0 ${without_exceptions})
  endforeach()
endforeach()

foreach(compiler IN LISTS compilers)
  foreach(version IN ITEMS 120 200 300)
    set(opencl_hpp -DCL_HPP_TARGET_OPENCL_VERSION=${version} -DCL_HPP_MINIMUM_OPENCL_VERSION=${version})
    tally_add_cpp_test(after_opencl_${version} ${compiler} -std=c++17 -DOPENCL_HPP=1 ${opencl_hpp})
    tally_add_cpp_test(before_opencl_${version} ${compiler} -std=c++17 -DOPENCL_HPP=2 ${opencl_hpp})
  endforeach()
  tally_add_cpp_test(after_opencl_without_exceptions ${compiler}
    -std=c++20 -DOPENCL_HPP=1 ${opencl_hpp} ${without_exceptions})
endforeach()

# Each part alone.
file(GLOB cpp_parts CONFIGURE_DEPENDS ${root}/include/tally/cpp/*.hpp)
foreach(part IN LISTS cpp_parts)
  get_filename_component(stem ${part} NAME_WE)
  tally_add_test(package cpp_part_${stem} 60
    ${CMAKE_CXX_COMPILER} -std=c++17 ${strict} -Wold-style-cast -x c++ ${part})
endforeach()

# ---- It has all calls -----------------------------------------------------------------------------

tally_add_test(package cpp_complete 60 ${CMAKE_COMMAND}
  -D INCLUDE=${root}/include/tally -P ${cpp}/complete.cmake)

# ---- It works -------------------------------------------------------------------------------------

set(readme_cpp ${CMAKE_CURRENT_BINARY_DIR}/cpp/readme_cpp.inc)
add_custom_command(OUTPUT ${readme_cpp}
  COMMAND ${CMAKE_COMMAND} -D README=${root}/README.md -D LANGUAGE=cpp -D OUT=${readme_cpp}
          -P ${scripts}/readme.cmake
  DEPENDS ${root}/README.md ${scripts}/readme.cmake ${scripts}/blocks.cmake
  VERBATIM)

# tally_add_cpp_program(NAME SOURCES...): the executable cpp_NAME, of C++17.
function(tally_add_cpp_program name)
  add_executable(cpp_${name} ${ARGN})
  tally_set_flags(cpp_${name})
  set_target_properties(cpp_${name} PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  target_compile_options(cpp_${name} PRIVATE -Wold-style-cast)
  target_include_directories(cpp_${name} SYSTEM PRIVATE ${TALLY_OPENCL_HPP_DIR})
  target_link_libraries(cpp_${name} PRIVATE tally::tally)
endfunction()

# tally_add_cpp_run(NAME OPTIONS...): package.cpp_NAME runs run/*.cpp, compiled with these options.
file(GLOB cpp_run_sources CONFIGURE_DEPENDS ${cpp}/run/*.cpp)
function(tally_add_cpp_run name)
  tally_add_cpp_program(${name} ${cpp_run_sources} ${readme_cpp})
  target_compile_options(cpp_${name} PRIVATE ${ARGN})
  target_compile_definitions(cpp_${name} PRIVATE
    CL_HPP_TARGET_OPENCL_VERSION=120 CL_HPP_MINIMUM_OPENCL_VERSION=110)
  target_include_directories(cpp_${name} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/cpp)
  set(cache ${CMAKE_CURRENT_BINARY_DIR}/cpp/cache_${name})
  file(MAKE_DIRECTORY ${cache})
  tally_add_test(package cpp_${name} 600 cpp_${name} ${cache})
endfunction()
tally_add_cpp_run(run)
tally_add_cpp_run(run_without_exceptions ${without_exceptions})

# tally.h beside CL/opencl.hpp, which is included first or last.
foreach(first IN ITEMS tally opencl)
  tally_add_cpp_program(${first}_first ${cpp}/order.cpp)
  target_compile_definitions(cpp_${first}_first PRIVATE TALLY_FIRST=$<STREQUAL:${first},tally>)
  tally_add_test(package cpp_${first}_first 120 cpp_${first}_first)
endforeach()
