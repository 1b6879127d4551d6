/*
 * Work that several threads share. Threads are made for each call: work that is worth it takes some
 * milliseconds, and a thread some ten microseconds.
 */
#include "base/team.h"

#include <stdbool.h>

#include "platform/system.h"

typedef struct member {
    tally_team_work *work;
    void *user;
    uint32_t index;
    bool has_thread;
    tally_thread thread;
} member;

static void run(void *user) {
    const member *self = user;
    self->work(self->user, self->index);
}

void tally_team_run(uint32_t shares, tally_team_work *work, void *user) {
    member members[TALLY_TEAM_MOST];
    for (uint32_t i = 1; i < shares; i++) {
        members[i] = (member){.work = work, .user = user, .index = i};
        members[i].has_thread = tally_thread_start(&members[i].thread, run, &members[i]);
    }
    work(user, 0);
    for (uint32_t i = 1; i < shares; i++)
        if (members[i].has_thread)
            tally_thread_join(&members[i].thread);
        else
            work(user, i);
}
