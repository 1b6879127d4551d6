/*
 * tally/tally.hpp: Tally for C++17 and later, a thin layer over tally/tally.h, all in headers.
 *
 * The manual is tally.h with types.h: they say what a call does, when it blocks and what it
 * refuses, at the function of the same name behind tally_. This header with its parts, which are in
 * tally/cpp, adds owners, exceptions or results, and parameters that take what C++ programs have.
 * It has all calls of tally.h;
 * tally/directml.hpp has those of directml.h, tally/part.hpp those of part.h. The way of use:
 *
 *   const tally::runtime runtime(tally::config(context, device));
 *   const tally::scratch scratch(runtime);
 *   const tally::tensor input = tally::packed(TALLY_F32, {rows, columns});
 *   const tally::op sum(runtime, tally::reduce(TALLY_SUM, input, {1}));
 *   sum.enqueue(queue, {input_buffer, output_buffer, scratch.view(sum)});
 *
 * Failures. Each call that can fail has two forms. A constructor, or NAME, throws tally::error: its
 * what() is the sentence, and it has the status, the fault and OpenCL's code. try_make, or
 * try_NAME, returns a tally::result instead, a value or a tally_error with the same, and throws
 * nothing of its own. Without exceptions (-fno-exceptions) only the second forms are there. RTTI is
 * not needed.
 *
 * Owners. runtime, op, recorded and scratch each have one hold on an object of C and release it.
 * They move and do not copy; share() of a runtime and of an op makes a second owner of the same
 * object.
 *
 * OpenCL's objects. A parameter tally::handle<cl_mem> takes a cl_mem, and any object that gives one
 * when it is called without arguments, as those of CL/opencl.hpp do: cl::Buffer, cl::CommandQueue
 * and so on. Nothing is retained by the call. CL/opencl.hpp is not needed; it may be included
 * before this header or after it.
 *
 * Lists. Sizes, strides, axes, events and descriptions are given in braces, or as any contiguous
 * range: std::array, std::vector, an array, std::span.
 *
 * Memory. Nothing is allocated but std::string and std::vector where they are returned, and lists
 * of more than sixteen events (tally::wait_list). A parameter type (handle, sizes, axes, text,
 * wait_list, descs) is for the length of one call: don't keep one.
 *
 * Threads. As in C: any call from any thread, but none on an object that is being moved, assigned
 * or destroyed.
 *
 * Enumerations are those of types.h under shorter names; their enumerators keep theirs, TALLY_F32.
 */
#ifndef TALLY_TALLY_HPP
#define TALLY_TALLY_HPP

#if !defined(__cplusplus) || (__cplusplus < 201703L && !defined(_MSVC_LANG))
#error "tally/tally.hpp needs C++17 or later"
#endif

#include <tally/tally.h>

#include <tally/cpp/cache.hpp>
#include <tally/cpp/callback.hpp>
#include <tally/cpp/descriptions.hpp>
#include <tally/cpp/elements.hpp>
#include <tally/cpp/memory.hpp>
#include <tally/cpp/names.hpp>
#include <tally/cpp/op.hpp>
#include <tally/cpp/owner.hpp>
#include <tally/cpp/parameters.hpp>
#include <tally/cpp/questions.hpp>
#include <tally/cpp/recorded.hpp>
#include <tally/cpp/result.hpp>
#include <tally/cpp/runtime.hpp>
#include <tally/cpp/scratch.hpp>
#include <tally/cpp/tensors.hpp>

#endif
