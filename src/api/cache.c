/*
 * The calls about a cache on disk that need no runtime: where it is, what it holds, emptying it.
 */
#include <tally/tally.h>

#include "base/store.h"
#include "platform/system.h"

tally_status tally_default_cache_dir(char *path, size_t bytes, tally_error *error) {
    const char *why = "";
    tally_error_clear(error);
    if (path == NULL)
        return tally_fail(error, TALLY_INVALID, "the place for the path is NULL");
    if (bytes > 0)
        path[0] = '\0';
    const int length = tally_user_cache("tally", path, bytes, &why);
    if (length < 0)
        return tally_fail(error, TALLY_UNSUPPORTED, "there is no cache folder: %s", why);
    if ((size_t)length < bytes)
        return TALLY_OK;
    if (bytes > 0)
        path[0] = '\0';
    return tally_fail(error, TALLY_INVALID,
                      "the cache folder's path has %d bytes, but only %zu fit", length + 1, bytes);
}

/* Open what is there. A folder that is missing is no failure: then *store is not open. */
static tally_status open_store(const char *cache_dir, tally_store *store, tally_error *error) {
    tally_error refusal;
    bool missing = false;
    tally_error_clear(error);
    if (cache_dir == NULL)
        return tally_fail(error, TALLY_INVALID, "cache_dir is NULL");
    if (tally_store_open_existing(store, cache_dir, &missing, &refusal) || missing)
        return TALLY_OK;
    return tally_fail(error, refusal.status, "%s", refusal.message);
}

/* The caller's visitor behind the store's. */
typedef struct relay {
    void (*visit)(void *user, const tally_cache_file *file);
    void *user;
} relay;

static void visit_file(void *user, const tally_store_file *file) {
    const relay *to = user;
    const tally_cache_file told = {file->key, file->bytes, file->used};
    to->visit(to->user, &told);
}

tally_status tally_cache_list(const char *cache_dir,
                              void (*visit)(void *user, const tally_cache_file *file), void *user,
                              tally_error *error) {
    tally_store store = {.is_open = false};
    relay to = {visit, user};
    tally_status status = open_store(cache_dir, &store, error);
    if (status != TALLY_OK)
        return status;
    if (visit == NULL)
        status = tally_fail(error, TALLY_INVALID, "visit is NULL");
    else if (store.is_open)
        tally_store_each(&store, visit_file, &to);
    tally_store_close(&store);
    return status;
}

tally_status tally_cache_clear(const char *cache_dir, uint64_t *removed, tally_error *error) {
    tally_store store = {.is_open = false};
    uint64_t count = 0;
    if (removed != NULL)
        *removed = 0;
    tally_status status = open_store(cache_dir, &store, error);
    if (status != TALLY_OK)
        return status;
    if (store.is_open && !tally_store_clear(&store, &count, error))
        status = TALLY_INVALID;
    tally_store_close(&store);
    if (removed != NULL)
        *removed = count;
    return status;
}
