# interpose.cmake: makes a copy of the static library in which the calls of calls.def have the names
# of the layer: clFinish is fault_clFinish there. Writes what the library imports of OpenCL and of the
# calls that give host memory or other resources, as lines IMPORT(name), in the table or not.
#
# cmake -D NM= -D OBJCOPY= -D LIBRARY= -D TABLE= -D COPY= -D IMPORTS= -P interpose.cmake

cmake_minimum_required(VERSION 3.20)

# What the C library and POSIX threads give that may run out, disks among it.
set(resources malloc calloc realloc reallocarray aligned_alloc posix_memalign strdup strndup asprintf
  vasprintf getline getdelim fopen fdopen open_memstream opendir fdopendir scandir realpath mmap
  pthread_mutex_init pthread_cond_init pthread_rwlock_init pthread_create mtx_init cnd_init thrd_create
  open open64 openat openat64 read write fsync fdatasync flock fstat64 fstatat64 mkdir mkdirat rename
  renameat unlink unlinkat utimensat dlopen dlsym)

execute_process(COMMAND ${NM} -u ${LIBRARY} OUTPUT_VARIABLE symbols RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${NM} can't read ${LIBRARY}")
endif()
string(REGEX MATCHALL " U [A-Za-z0-9_]+" symbols "${symbols}")
list(TRANSFORM symbols REPLACE " U " "")
list(REMOVE_DUPLICATES symbols)
list(SORT symbols)
set(imports "")
foreach(symbol IN LISTS symbols)
  if(symbol MATCHES "^cl[A-Z]" OR symbol IN_LIST resources)
    string(APPEND imports "IMPORT(${symbol})\n")
  endif()
endforeach()
file(WRITE ${IMPORTS} "${imports}")

file(STRINGS ${TABLE} rows REGEX "^CALL\\([A-Z]+, [a-zA-Z0-9_]+,")
set(names "")
foreach(row IN LISTS rows)
  string(REGEX REPLACE "^CALL\\([A-Z]+, ([a-zA-Z0-9_]+),.*" "\\1" name "${row}")
  string(APPEND names "${name} fault_${name}\n")
endforeach()
file(WRITE ${COPY}.names "${names}")
execute_process(COMMAND ${OBJCOPY} --redefine-syms=${COPY}.names ${LIBRARY} ${COPY}
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${OBJCOPY} can't rename the calls of ${LIBRARY}")
endif()
