/*
 * Pieces into slots and out of them. The host waits only for a slot that is in use still.
 */
#include "stream/slots.h"

/* Give a slot the memory for a piece, which is lent if the source or the sink has it. */
static tally_status prepare_slot(tally_slots *slots, tally_slot *slot, const tally_flat_box *box,
                                 bool output, uint64_t bytes, tally_error *error) {
    void *memory = tally_io_lend(&slots->io, box, output);
    tally_status status = TALLY_OK;
    tally_slot_take_back(slot);
    if (memory != NULL)
        status = tally_slot_lend(&slots->transfer, slot, memory, bytes, output, error);
    const uint64_t most = output ? slots->output_bytes : slots->input_bytes;
    return status == TALLY_OK ? tally_slot_open(&slots->transfer, slot, most, error) : status;
}

tally_status tally_slots_read(tally_slots *slots, const tally_flat_box *box, tally_slot **slot,
                              tally_error *error) {
    const uint64_t bytes =
        tally_flat_input_elements(slots->io.flat, box) * slots->io.flat->input_bytes;
    *slot = NULL;
    if (bytes == 0)
        return TALLY_OK;
    *slot = &slots->input[slots->inputs++ % slots->count];
    tally_status status = prepare_slot(slots, *slot, box, false, bytes, error);
    if (status == TALLY_OK && (*slot)->lent == NULL)
        status = tally_slot_begin(&slots->transfer, *slot, bytes, error);
    if (status == TALLY_OK)
        status = (*slot)->lent != NULL ? tally_io_pass(&slots->io, box, false, error)
                                       : tally_io_read(&slots->io, box, (*slot)->host, error);
    return status == TALLY_OK ? tally_slot_send(&slots->transfer, *slot, bytes, error) : status;
}

/* Give the output of a slot to the sink, if it has one and is not in the sink's memory. */
static tally_status write_piece(tally_slots *slots, uint64_t number, tally_error *error) {
    const uint64_t i = number % slots->count;
    if (!slots->pending[i].is_pending)
        return TALLY_OK;
    slots->pending[i].is_pending = false;
    tally_slot *slot = &slots->output[i];
    const tally_flat_box *box = &slots->pending[i].box;
    tally_status status = tally_slot_wait(slot, error);
    if (status == TALLY_OK)
        status = slot->lent != NULL ? tally_io_pass(&slots->io, box, true, error)
                                    : tally_io_write(&slots->io, box, slot->host, error);
    return status == TALLY_OK ? tally_slot_end(&slots->transfer, slot, error) : status;
}

tally_status tally_slots_output(tally_slots *slots, const tally_flat_box *box, tally_slot **slot,
                                tally_error *error) {
    const uint64_t bytes =
        tally_flat_output_elements(slots->io.flat, box) * slots->io.flat->output_bytes;
    *slot = &slots->output[slots->outputs % slots->count];
    return prepare_slot(slots, *slot, box, true, bytes, error);
}

tally_status tally_slots_fetch(tally_slots *slots, const tally_flat_box *box, tally_error *error) {
    const uint64_t number = slots->outputs++, i = number % slots->count;
    const uint64_t bytes =
        tally_flat_output_elements(slots->io.flat, box) * slots->io.flat->output_bytes;
    tally_status status = tally_slot_fetch(&slots->transfer, &slots->output[i], bytes, error);
    if (status != TALLY_OK)
        return status;
    slots->pending[i] = (tally_slots_pending){true, *box};
    return number + 1 >= slots->count ? write_piece(slots, number + 1 - slots->count, error)
                                      : TALLY_OK;
}

tally_status tally_slots_write_rest(tally_slots *slots, tally_error *error) {
    tally_status status = TALLY_OK;
    for (uint32_t i = 0; i < slots->count && status == TALLY_OK; i++)
        status = write_piece(slots, slots->outputs + i, error);
    return status;
}

void tally_slots_close(tally_slots *slots) {
    for (uint32_t i = 0; i < TALLY_SLOTS_MOST; i++) {
        tally_slot_close(&slots->transfer, &slots->input[i]);
        tally_slot_close(&slots->transfer, &slots->output[i]);
    }
}
