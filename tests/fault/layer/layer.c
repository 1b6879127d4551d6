/*
 * layer.c: the counts, the failure that was asked for, and the list of what is held.
 */
#include "layer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "layer_inside.h"

#define HELD_MOST 4096
#define DEBTS_MOST 256

/* A reference count of the library's, not the object's own. */
typedef struct held {
    layer_type type;
    const void *object;
    uint32_t references;
    layer_call by;
} held;

/* An object whose release was made to fail. */
typedef struct debt {
    layer_release *release;
    void *object;
} debt;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all but the atomics */
static held list[HELD_MOST];
static uint32_t list_count;
static debt debts[DEBTS_MOST];
static uint32_t debts_count;
static char complaint[256];

static atomic_uint_fast64_t counts[LAYER_CALLS], failures[LAYER_CALLS];
static layer_failure wanted;
static atomic_bool armed, failed;
static atomic_uint_fast64_t passed; /* calls that could have been the one, since it was asked for */
static atomic_uint first_failed = LAYER_CALLS;

static const char *const type_names[LAYER_TYPES] = {"nothing",
                                                    "devices",
                                                    "contexts",
                                                    "queues",
                                                    "buffers",
                                                    "programs",
                                                    "kernels",
                                                    "events",
                                                    "memory",
                                                    "locks (mutexes)",
                                                    "locks (conditions)",
                                                    "files",
                                                    "folders"};

/* ---- The table ------------------------------------------------------------------------------- */

/* OpenCL's first. */
typedef enum kind {
    ASK,
    END,
    SAY,
    FIND,
    FAR,
    SEND,
    MAP,
    UNMAP,
    MAKE,
    SOURCE,
    BUILD,
    HOLD,
    DROP,
    NEW,
    GROW,
    FREE,
    INIT,
    START,
    QUIT,
    OPEN,
    TOUCH,
    ENTER,
    SHUT
} kind;

static const struct {
    const char *name;
    kind kind;
} rows[LAYER_CALLS] = {
#define CALL(kind, name, type, handle, parameters, arguments) {#name, kind},
#include "calls.def"
};

const char *layer_name(layer_call call) {
    return rows[call].name;
}

layer_call layer_call_of(const char *name) {
    int call = 0;
    while (call < LAYER_CALLS && strcmp(layer_name((layer_call)call), name) != 0)
        call++;
    return (layer_call)call;
}

bool layer_is_opencl(layer_call call) {
    return rows[call].kind <= DROP;
}

bool layer_can_fail(layer_call call) {
    const kind of = rows[call].kind;
    return of != FREE && of != QUIT && of != SHUT;
}

bool layer_is_release(layer_call call) {
    return rows[call].kind == DROP;
}

bool layer_is_lookup(layer_call call) {
    return rows[call].kind == FIND;
}

/* ---- Failures -------------------------------------------------------------------------------- */

void layer_fail(layer_failure failure) {
    layer_forget();
    wanted = failure;
    atomic_store(&armed, true);
}

void layer_heal(void) {
    atomic_store(&armed, false);
}

void layer_forget(void) {
    layer_heal();
    atomic_store(&passed, 0);
    atomic_store(&failed, false);
    atomic_store(&first_failed, LAYER_CALLS);
}

bool layer_has_failed(void) {
    return atomic_load(&failed);
}

layer_call layer_failed_call(void) {
    return (layer_call)atomic_load(&first_failed);
}

uint64_t layer_count(layer_call call) {
    return atomic_load(&counts[call]);
}

uint64_t layer_failures(layer_call call) {
    return atomic_load(&failures[call]);
}

bool layer_enter(layer_call call, cl_int *code) {
    atomic_fetch_add(&counts[call], 1);
    if (!atomic_load(&armed) || !layer_can_fail(call) ||
        (wanted.call == LAYER_CALLS ? !layer_is_opencl(call) : wanted.call != call))
        return true;
    const uint64_t turn = atomic_fetch_add(&passed, 1) + 1;
    if (turn < wanted.nth || (turn > wanted.nth && !wanted.lasting))
        return true;
    atomic_fetch_add(&failures[call], 1);
    unsigned none = LAYER_CALLS;
    if (!layer_is_release(call))
        atomic_compare_exchange_strong(&first_failed, &none, (unsigned)call);
    atomic_store(&failed, true);
    *code = wanted.code;
    return false;
}

/* ---- What is held ---------------------------------------------------------------------------- */

static void complain(const char *what, layer_call call, layer_type type) {
    if (complaint[0] == '\0')
        snprintf(complaint, sizeof complaint, "%s %s: %s", rows[call].name, what, type_names[type]);
}

static held *find(layer_type type, const void *object) {
    for (uint32_t i = list_count; i > 0; i--)
        if (list[i - 1].object == object && list[i - 1].type == type)
            return &list[i - 1];
    return NULL;
}

void layer_hold(layer_call call, layer_type type, const void *object) {
    pthread_mutex_lock(&lock);
    held *found = find(type, object);
    if (found != NULL)
        found->references++;
    else if (list_count < HELD_MOST)
        list[list_count++] = (held){type, object, 1, call};
    else
        complain("holds more than the list has room for", call, type);
    pthread_mutex_unlock(&lock);
}

void layer_drop(layer_call call, layer_type type, const void *object) {
    pthread_mutex_lock(&lock);
    held *found = find(type, object);
    if (found == NULL)
        complain("gives back what is not held", call, type);
    else if (--found->references == 0)
        *found = list[--list_count];
    pthread_mutex_unlock(&lock);
}

void layer_owe(layer_call call, void *object, layer_release *release) {
    pthread_mutex_lock(&lock);
    if (debts_count < DEBTS_MOST)
        debts[debts_count++] = (debt){release, object};
    else
        complain("fails more often than the list has room for", call, LAYER_NONE);
    pthread_mutex_unlock(&lock);
}

layer_balance layer_take_balance(void) {
    layer_balance balance = {{0}};
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < list_count; i++)
        balance.held[list[i].type] += list[i].references;
    /* What was made last was to be released first. */
    while (debts_count > 0) {
        debts_count--;
        debts[debts_count].release(debts[debts_count].object);
    }
    pthread_mutex_unlock(&lock);
    return balance;
}

uint32_t layer_sum(const layer_balance *balance) {
    uint32_t sum = 0;
    for (int type = 0; type < LAYER_TYPES; type++)
        sum += balance->held[type];
    return sum;
}

const char *layer_compare(const layer_balance *before, const layer_balance *now) {
    for (int type = 0; type < LAYER_TYPES && complaint[0] == '\0'; type++)
        if (before->held[type] != now->held[type])
            snprintf(complaint, sizeof complaint, "%s: %u held before, %u now", type_names[type],
                     (unsigned)before->held[type], (unsigned)now->held[type]);
    return complaint[0] != '\0' ? complaint : NULL;
}

void layer_release_event(cl_event event) {
    layer_drop(LAYER_clReleaseEvent, LAYER_EVENT, event);
    clReleaseEvent(event);
}
