# macOS has OpenCL's header in a framework, under another name. Sources of the library and of programs say
# <CL/cl.h>, as everywhere else: a header of that name leads there. Included after OpenCL was found.

if(NOT EXISTS ${OpenCL_INCLUDE_DIR}/CL/cl.h)
  set(opencl_names ${PROJECT_BINARY_DIR}/opencl_names)
  file(WRITE ${opencl_names}/CL/cl.h "#include <OpenCL/opencl.h>\n")
  include_directories(SYSTEM ${opencl_names})
endif()
