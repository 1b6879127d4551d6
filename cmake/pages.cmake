# The pages of the manual and the completions of a program, from its tables of options: a program of the same
# sources, but for main.c, writes them. Where another system's program is built nothing can run it, and there
# are none.

# tally_add_pages(TARGET NAME COMPONENT): of the program TARGET, whose file is NAME.
function(tally_add_pages target name component)
  if(CMAKE_CROSSCOMPILING OR WIN32)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli_pages/*.c)
  add_executable(${target}_pages ${sources}
    $<FILTER:$<TARGET_OBJECTS:${target}>,EXCLUDE,/main\\.c\\.>)
  tally_set_flags(${target}_pages)
  target_include_directories(${target}_pages PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${target}_pages PRIVATE CL_TARGET_OPENCL_VERSION=120)
  target_link_libraries(${target}_pages PRIVATE $<TARGET_PROPERTY:${target},LINK_LIBRARIES>)

  set(folder ${PROJECT_BINARY_DIR}/pages/${name})
  set(folders man1 bash zsh fish)
  list(TRANSFORM folders PREPEND ${folder}/)
  string(TIMESTAMP date %Y-%m-%d UTC) # of SOURCE_DATE_EPOCH, where that is set
  add_custom_command(OUTPUT ${folder}/written
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folders}
    COMMAND ${target}_pages ${folder} ${PROJECT_VERSION} ${date}
    COMMAND ${CMAKE_COMMAND} -E touch ${folder}/written
    DEPENDS ${target}_pages
    COMMENT "Writing the manual's pages of ${name}"
    VERBATIM)
  add_custom_target(${target}_pages_written DEPENDS ${folder}/written)
  if(NOT TARGET tally_pages)
    add_custom_target(tally_pages ALL)
  endif()
  add_dependencies(tally_pages ${target}_pages_written)
  if(TALLY_INSTALL)
    set(data ${CMAKE_INSTALL_DATADIR})
    install(DIRECTORY ${folder}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT ${component})
    install(DIRECTORY ${folder}/bash/ DESTINATION ${data}/bash-completion/completions COMPONENT ${component})
    install(DIRECTORY ${folder}/zsh/ DESTINATION ${data}/zsh/site-functions COMPONENT ${component})
    install(DIRECTORY ${folder}/fish/ DESTINATION ${data}/fish/vendor_completions.d COMPONENT ${component})
  endif()
endfunction()
