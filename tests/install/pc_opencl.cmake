# What tally.pc says of OpenCL, for each place where OpenCL may be, configured without pkg-config: its own
# file is required where the system has one, and no path of this machine is named that need not be.
# OPENCL, the OpenCL library, is linked into folders that stand for those places.
#
#   cmake -D ROOT=. -D BUILD=build -D CONFIG=Release -D WORK=folder -D GENERATOR=Ninja -D CC=gcc
#         -D PKG_CONFIG=pkg-config -D LIBDIR=lib -D OPENCL=libOpenCL.so -P pc_opencl.cmake

cmake_minimum_required(VERSION 3.20)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

# check(NAME FOLDER EXPECTED): tally.pc has these lines, of those that speak of OpenCL.
function(check name folder expected)
  run(${CMAKE_COMMAND} -S ${ROOT} -B ${WORK}/${name} -G ${GENERATOR} -DCMAKE_C_COMPILER=${CC}
    -DTALLY_BUILD_TESTS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON
    -DOpenCL_LIBRARY=${folder}/libOpenCL.so)
  file(STRINGS ${WORK}/${name}/tally.pc lines REGEX "^(Requires|Libs):")
  list(JOIN lines "\n" lines)
  if(NOT lines STREQUAL expected)
    message(FATAL_ERROR "${name}: tally.pc has\n${lines}\nbut expected was\n${expected}")
  endif()
  file(STRINGS ${WORK}/${name}/tally.pc prefix REGEX "^prefix=")
  if(NOT prefix MATCHES "^prefix=\\\${pcfiledir}/[./]+$")
    message(FATAL_ERROR "${name}: tally.pc cannot be moved: ${prefix}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
foreach(folder IN ITEMS bare with_pc)
  file(MAKE_DIRECTORY ${WORK}/${folder}/pkgconfig)
  file(CREATE_LINK ${OPENCL} ${WORK}/${folder}/libOpenCL.so SYMBOLIC)
endforeach()
file(WRITE ${WORK}/with_pc/pkgconfig/OpenCL.pc "Name: OpenCL\nDescription: a stand-in\nVersion: 1.2\n"
  "Libs: -L${WORK}/with_pc -lOpenCL\n")

# Compilers take the folders of LIBRARY_PATH for the system's.
set(libs "Libs: -L\${libdir} -ltally")
check(elsewhere ${WORK}/with_pc "${libs} -L${WORK}/with_pc -lOpenCL")
set(ENV{LIBRARY_PATH} ${WORK}/bare:${WORK}/with_pc)
check(system ${WORK}/bare "${libs} -lOpenCL")
check(system_with_pc ${WORK}/with_pc "Requires: OpenCL\n${libs}")
unset(ENV{LIBRARY_PATH})

# Each links a program, where pkg-config knows of OpenCL what the place has.
run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/prefix)
set(lib ${WORK}/prefix/${LIBDIR})
foreach(name IN ITEMS elsewhere system system_with_pc)
  set(ENV{PKG_CONFIG_LIBDIR} ${lib}/pkgconfig)
  if(name STREQUAL "system_with_pc")
    set(ENV{PKG_CONFIG_LIBDIR} ${lib}/pkgconfig:${WORK}/with_pc/pkgconfig)
  endif()
  foreach(package IN ITEMS tally tally-static)
    configure_file(${WORK}/${name}/${package}.pc ${lib}/pkgconfig/${package}.pc COPYONLY)
    link_main(${WORK}/use_${name} ${package})
    run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${lib} ${WORK}/use_${name})
  endforeach()
endforeach()
