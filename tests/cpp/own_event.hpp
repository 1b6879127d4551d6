/*
 * own_event.hpp: an event of somebody's own, as those of CL/opencl.hpp are, for what takes both. It
 * knows OpenCL's handle alone.
 */
#ifndef TESTS_CPP_OWN_EVENT_HPP
#define TESTS_CPP_OWN_EVENT_HPP

#include <CL/cl.h>

struct own_event {
    cl_event held = nullptr;
    own_event &operator=(const cl_event &taken) {
        held = taken;
        return *this;
    }
    const cl_event &operator()() const {
        return held;
    }
};

#endif
