/*
 * Work that several threads share. Threads are made for each call: work that is worth it takes some
 * milliseconds, and a thread some ten microseconds.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/team.h"

#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

typedef struct member {
    tally_team_work *work;
    void *user;
    uint32_t index;
    bool has_thread;
    pthread_t thread;
} member;

static void *run(void *user) {
    const member *self = user;
    self->work(self->user, self->index);
    return NULL;
}

void tally_team_run(uint32_t shares, tally_team_work *work, void *user) {
    member members[TALLY_TEAM_MOST];
    for (uint32_t i = 1; i < shares; i++) {
        members[i] = (member){.work = work, .user = user, .index = i};
        members[i].has_thread = pthread_create(&members[i].thread, NULL, run, &members[i]) == 0;
    }
    work(user, 0);
    for (uint32_t i = 1; i < shares; i++)
        if (members[i].has_thread)
            pthread_join(members[i].thread, NULL);
        else
            work(user, i);
}

uint32_t tally_team_processors(void) {
#ifdef _SC_NPROCESSORS_ONLN
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 1 && count < 65536 ? (uint32_t)count : 1;
#else
    return 1;
#endif
}
