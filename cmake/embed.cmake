# Writes a C file that holds the text of every file of cl/, for src/plan/program/embedded.h. Needs nothing
# but CMake. Texts are arrays of bytes because C limits the length of a string literal. Files are named by
# their paths from DIR, and found by their names alone, so no two may have the same.
#
#   cmake -DDIR=. -DFILES=cl/core/args.h,cl/thread/fold.cl -DOUT=embedded.c -P embed.cmake

cmake_minimum_required(VERSION 3.20)

foreach(variable IN ITEMS DIR FILES OUT)
  if(NOT DEFINED ${variable})
    message(FATAL_ERROR "embed.cmake: ${variable} is not set")
  endif()
endforeach()

string(REPLACE "," ";" files "${FILES}")
string(REPEAT "0x..," 20 line)
set(texts "")
set(table "")
set(names "")
set(number 0)

foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME)
  if(name IN_LIST names)
    message(FATAL_ERROR "embed.cmake: two files are named ${name}, one of them ${file}")
  endif()
  list(APPEND names ${name})
  file(READ "${DIR}/${file}" hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  if(bytes MATCHES "0x([89a-f].|00),")
    message(FATAL_ERROR "embed.cmake: ${DIR}/${file} has the byte 0x${CMAKE_MATCH_1}; "
                        "kernel sources are plain ASCII")
  endif()
  string(REGEX REPLACE "(${line})" "\\1\n    " bytes "${bytes}")
  string(APPEND texts "/* ${file} */\nstatic const char text_${number}[] = {\n    ${bytes}0x00};\n\n")
  string(APPEND table "    {\"${name}\", \"${file}\", text_${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()

file(WRITE "${OUT}" "/* Made by cmake/embed.cmake from the files of cl/. */
#include \"plan/program/embedded.h\"

${texts}const tally_embedded tally_embedded_files[] = {
${table}    {0, 0, 0},
};
")
