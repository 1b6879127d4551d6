/* events.cpp: what an enqueue waits for, and the events that it gives. */
#include "run.hpp"

namespace {

bool completed(const cl::Event &event) {
    return event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() == CL_COMPLETE;
}

/* Nothing is done before the last event of each kind of list, also of one that is copied. */
void test_wait_lists(const host &h) {
    const tally::op sum = row_sums(h);
    const tally::binding memory(h.input, h.output);
    const cl::CommandQueue queue(h.context, h.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int way = 0; way < 5; way++) {
        cl::UserEvent open(h.context), gate(h.context);
        CHECK(open.setStatus(CL_COMPLETE) == CL_SUCCESS);
        cl::Event done;
        const std::vector<cl_event> raw = {open(), gate()};
        const std::vector<cl::Event> few = {open, gate};
        std::vector<cl::Event> many(40, open);
        many.back() = gate;
        NEED(way == 0   ? sum.try_enqueue(queue, memory, {open, gate}, &done)
             : way == 1 ? sum.try_enqueue(queue, memory, {open(), gate()}, &done)
             : way == 2 ? sum.try_enqueue(queue, memory, raw, &done)
             : way == 3 ? sum.try_enqueue(queue, memory, few, &done)
                        : sum.try_enqueue(queue, memory, many, &done));
        CHECK(queue.flush() == CL_SUCCESS);
        CHECK(done() != nullptr && !completed(done));
        CHECK(gate.setStatus(CL_COMPLETE) == CL_SUCCESS);
        CHECK(done.wait() == CL_SUCCESS && completed(done));
    }
}

void test_events(const host &h) {
    const tally::op sum = row_sums(h);
    cl_event raw = nullptr;
    NEED(sum.try_enqueue(h.queue, {h.input, h.output}, {}, &raw));
    CHECK(raw != nullptr && clWaitForEvents(1, &raw) == CL_SUCCESS);
    cl_uint holds = 0;
    CHECK(clGetEventInfo(raw, CL_EVENT_REFERENCE_COUNT, sizeof holds, &holds, nullptr) ==
          CL_SUCCESS);
    CHECK(holds >= 1 && clReleaseEvent(raw) == CL_SUCCESS);
    cl::Event event;
    NEED(sum.try_enqueue(h.queue, {h.input, h.output}, {}, &event));
    CHECK(event.wait() == CL_SUCCESS);

    /* On failure: a cl_event is NULL, an object stays what it was. */
    const cl_event before = event();
    CHECK(refused(sum.try_enqueue(h.queue, {h.input, h.input}, {}, &event), TALLY_INVALID, ""));
    CHECK(event() == before);
    raw = before;
    CHECK(
        refused(sum.try_enqueue(h.queue, {h.input, {h.output, 2}}, {}, &raw), TALLY_INVALID, "2"));
    CHECK(raw == nullptr);
    cl::Event *const none = nullptr;
    NEED(sum.try_enqueue(h.queue, {h.input, h.output}, {event}, none));
    CHECK(h.queue.finish() == CL_SUCCESS);
}

/* An event for each launch, of either kind; the last one completes with the operator. */
void test_launches(const host &h) {
    const tally::op sum = row_sums(h);
    const std::vector<cl_event> raw = NEED(sum.try_enqueue_launches(h.queue, {h.input, h.output}));
    CHECK(!raw.empty() && raw.size() <= sum.launches());
    CHECK(clWaitForEvents(1, &raw.back()) == CL_SUCCESS);
    const std::vector<cl::Event> owned =
        NEED(sum.try_enqueue_launches<cl::Event>(h.queue, {h.input, {h.output, 16}}, raw));
    CHECK(owned.size() == raw.size() && owned.back().wait() == CL_SUCCESS);
    for (const cl_event event : raw)
        CHECK(clReleaseEvent(event) == CL_SUCCESS);
    const std::vector<float> got = h.read(h.output, 7);
    CHECK((std::vector<float>(got.begin() + 4, got.end()) == std::vector<float>{9, 22, 21}));
    CHECK(refused(sum.try_enqueue_launches(h.queue, {h.input, h.input}), TALLY_INVALID, ""));
    CHECK(refused(tally::op().try_enqueue_launches(h.queue, {h.input, h.output}), TALLY_INVALID,
                  "NULL"));
}

/* A function of OpenCL's extension for command buffers. */
template <class F> F find(const host &h, const char *name) {
    const cl::Platform platform(h.device.getInfo<CL_DEVICE_PLATFORM>());
    void *address = clGetExtensionFunctionAddressForPlatform(platform(), name);
    CHECK(address != nullptr);
    return reinterpret_cast<F>(address);
}

/* Two recordings, the second behind the first; and one into no command buffer. */
void test_recordings(const host &h) {
    using create_fn = cl_command_buffer_khr(CL_API_CALL *)(cl_uint, const cl_command_queue *,
                                                           const cl_ulong *, cl_int *);
    using enqueue_fn = cl_int(CL_API_CALL *)(cl_uint, cl_command_queue *, cl_command_buffer_khr,
                                             cl_uint, const cl_event *, cl_event *);
    using call_fn = cl_int(CL_API_CALL *)(cl_command_buffer_khr);
    const tally::op sum = row_sums(h);
    const cl_command_queue queue = h.queue();
    cl_int code = CL_SUCCESS;
    const cl_command_buffer_khr commands =
        find<create_fn>(h, "clCreateCommandBufferKHR")(1, &queue, nullptr, &code);
    CHECK(code == CL_SUCCESS);
    const cl_sync_point_khr first = NEED(sum.try_record(commands, h.queue, {h.input, h.output}));
    NEED(sum.try_record(commands, h.queue, {h.input, {h.output, 16}}, {first}));
    CHECK(find<call_fn>(h, "clFinalizeCommandBufferKHR")(commands) == CL_SUCCESS);
    cl::Event done;
    CHECK(find<enqueue_fn>(h, "clEnqueueCommandBufferKHR")(0, nullptr, commands, 0, nullptr,
                                                           &done()) == CL_SUCCESS);
    CHECK(done.wait() == CL_SUCCESS);
    const std::vector<float> got = h.read(h.output, 7);
    CHECK((std::vector<float>(got.begin() + 4, got.end()) == std::vector<float>{9, 22, 21}));
    CHECK(find<call_fn>(h, "clReleaseCommandBufferKHR")(commands) == CL_SUCCESS);
    CHECK(refused(sum.try_record(nullptr, h.queue, {h.input, h.output}), TALLY_INVALID, "NULL"));
}

/* Recordings for other memory, on a device that has them and on one that says why not. */
void test_updates(const host &h) {
    const tally::op sum = row_sums(h);
    const tally_recording can = NEED(h.runtime.try_recording());
    const tally::binding memory(h.input, h.output);
    if (can.updatable)
        CHECK(refused(sum.try_record_updatable(nullptr, h.queue, memory), TALLY_INVALID, "NULL"));
    else
        CHECK(refused(sum.try_record_updatable(nullptr, h.queue, memory), TALLY_UNSUPPORTED,
                      can.update_reason));
    const tally::recorded none;
    CHECK(!none && refused(none.try_update(memory), TALLY_INVALID, "NULL"));
    NEED(tally::recorded::try_update(nullptr, nullptr, 0));
}

} // namespace

void run_events(const host &h) {
    test_wait_lists(h);
    test_events(h);
    test_launches(h);
    test_recordings(h);
    test_updates(h);
}
