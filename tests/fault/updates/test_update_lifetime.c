/*
 * test_update_lifetime.c: recordings of one operator that several threads update, and who releases
 * the operator, the command buffer and what was recorded when.
 */
#include <check.h>
#include <pthread.h>

#include "fault/layer/layer.h"
#include "support/fixtures/replay.h"
#include "updated.h"

Suite *suite_update_lifetime(void);

/* ---- Threads --------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 8 };

typedef struct worker {
    pthread_t thread;
    tally_recorded *recorded;
    tally_binding binding[2];
    cl_command_buffer_khr commands;
    memories sets[2];
    tally_error error; /* of the first call that failed */
} worker;

static void *work(void *given) {
    worker *it = given;
    tally_status status = TALLY_OK;
    for (int i = 0; i < ROUNDS && status == TALLY_OK; i++)
        status = tally_recorded_update(&it->recorded, &it->binding[(i + 1) % 2], 1, &it->error);
    return NULL;
}

/* Recordings of one operator, each in a command buffer of its own. */
START_TEST(threads_update_recordings_of_one_operator) {
    static worker workers[THREADS];
    layer_offer_updates(updated_offer(LAYER_VERSION(9, 5)));
    stage at = updated_open(&subjects[_i == 0 ? 4 : 15], 0);
    for (int k = 0; k < THREADS; k++) {
        worker *it = &workers[k];
        *it = (worker){.commands = replay_create(at.queue)};
        for (int i = 0; i < 2; i++) {
            it->sets[i] = memories_make(at.what, at.op, (uint64_t)(k * 2 + i), (memories_way){0});
            it->binding[i] = memories_binding(&it->sets[i]);
        }
        it->recorded = updated_record(&at, it->commands, &it->sets[1]);
        replay_finalize(it->commands);
    }
    for (int k = 0; k < THREADS; k++)
        ck_assert_int_eq(pthread_create(&workers[k].thread, NULL, work, &workers[k]), 0);
    for (int k = 0; k < THREADS; k++) {
        ck_assert_int_eq(pthread_join(workers[k].thread, NULL), 0);
        ck_assert_str_eq(workers[k].error.message, "");
    }
    for (int k = 0; k < THREADS; k++) {
        updated_check(workers[k].commands, workers[k].sets, 2, 0);
        replay_release(workers[k].commands);
        tally_recorded_release(workers[k].recorded);
        memories_free(&workers[k].sets[0]);
        memories_free(&workers[k].sets[1]);
    }
    updated_close(&at);
}
END_TEST

/* ---- Lifetime -------------------------------------------------------------------------------- */

/* What goes when: the operator's holds of the caller's, the command buffer, what was recorded. */
static const char *const lives[] = {"uc", "ocu", "ouc", "cou", "cuo", "uco"};
#define LIVES ((int)(sizeof lives / sizeof lives[0]))

/*
 * While the command buffer is there, so is the operator, by the caller's hold or by what was
 * recorded; a replay has the updated memory. At the end the library holds nothing.
 */
START_TEST(releases_in_any_order) {
    const layer_balance before = layer_take_balance();
    layer_offer_updates(updated_offer(LAYER_VERSION(9, 5)));
    stage at = updated_open(&subjects[_i % 2 == 0 ? 15 : 4], 0);
    memories sets[] = {memories_make(at.what, at.op, 1, (memories_way){0}),
                       memories_make(at.what, at.op, 2, (memories_way){0})};
    cl_command_buffer_khr commands = replay_create(at.queue);
    tally_recorded *recorded = updated_record(&at, commands, &sets[0]);
    bool updated = false;
    replay_finalize(commands);
    for (const char *next = lives[_i / 2]; *next != '\0'; next++) {
        if (*next == 'o')
            stage_release_op(&at);
        if (recorded != NULL && commands != NULL && (*next == 'o' || *next == 'u')) {
            updated_update(recorded, &sets[1]);
            updated = true;
        }
        if (*next == 'u') {
            tally_recorded_release(recorded);
            recorded = NULL;
        }
        if (commands != NULL && (*next != 'u' || at.op != NULL))
            updated_check(commands, sets, 2, updated);
        if (*next == 'c') {
            replay_release(commands);
            commands = NULL;
        }
    }
    if (commands != NULL)
        replay_release(commands);
    memories_free(&sets[0]);
    memories_free(&sets[1]);
    updated_close(&at);
    const layer_balance after = layer_take_balance();
    const char *difference = layer_compare(&before, &after);
    ck_assert_msg(difference == NULL, "'%s': %s", lives[_i / 2], difference);
}
END_TEST

Suite *suite_update_lifetime(void) {
    Suite *suite = suite_create("update_lifetime");
    TCase *life = updated_add_case(suite, "life");
    tcase_add_loop_test(life, threads_update_recordings_of_one_operator, 0, 2);
    tcase_add_loop_test(life, releases_in_any_order, 0, 2 * LIVES);
    return suite;
}
