/*
 * What python/bench/overhead.py compares calls from Python with: the call of C, timed one by one.
 */
#include <CL/cl.h>
#include <time.h>

#include <tally/tally.h>

typedef tally_status (*enqueue_call)(tally_op *, cl_command_queue, const tally_binding *, uint32_t,
                                     const cl_event *, cl_event *, tally_error *);

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/*
 * Enqueue count times and write the nanoseconds of each call. pause is what passes before each one.
 * With finish the queue is empty before each one.
 */
int time_calls(enqueue_call enqueue, void *op, void *queue, void *input, void *output, int finish,
               double pause, int count, double *nanoseconds) {
    tally_binding binding = TALLY_BINDING_INIT;
    tally_error error;
    binding.input.buffer = input;
    binding.output.buffer = output;
    for (int i = 0; i < count; i++) {
        cl_event event;
        const double before = now();
        while (now() < before + pause)
            ;
        const double begin = now();
        if (enqueue(op, queue, &binding, 0, NULL, &event, &error) != TALLY_OK)
            return 1;
        nanoseconds[i] = now() - begin;
        if (finish)
            clFinish(queue);
        clReleaseEvent(event);
    }
    return 0;
}
