#include "runner/models/model_cache.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/mem.h"

#define BUSY_MS 10000

struct model_cache {
    pthread_mutex_t lock; /* one thread at a time uses the statements */
    sqlite3 *db;
    sqlite3_stmt *get;
    sqlite3_stmt *put;
};

static bool fail(const struct model_cache *cache, const char *doing,
                 struct err *err)
{
    int code = sqlite3_errcode(cache->db) & 0xff;

    return err_set(err, code == SQLITE_NOTADB ? ERR_INVALID : ERR_IO, "%s: %s",
                   doing, sqlite3_errmsg(cache->db));
}

static bool set_up(struct model_cache *cache, struct err *err)
{
    static const char schema[] =
        "PRAGMA journal_mode=WAL;"
        "PRAGMA synchronous=NORMAL;"
        "CREATE TABLE IF NOT EXISTS replies ("
        " key TEXT PRIMARY KEY, model TEXT NOT NULL, at INTEGER NOT NULL,"
        " answer BLOB NOT NULL) WITHOUT ROWID;";
    static const char get[] = "SELECT answer FROM replies WHERE key = ?1";
    static const char put[] = "INSERT OR IGNORE INTO replies "
                              "(key, model, at, answer) "
                              "VALUES (?1, ?2, ?3, ?4)";

    sqlite3_busy_timeout(cache->db, BUSY_MS);
    if (sqlite3_exec(cache->db, schema, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(cache->db, get, -1, &cache->get, NULL) !=
            SQLITE_OK ||
        sqlite3_prepare_v2(cache->db, put, -1, &cache->put, NULL) != SQLITE_OK)
        return fail(cache, "cache of replies", err);
    return true;
}

bool model_cache_open(const char *path, struct model_cache **cache,
                      struct err *err)
{
    struct model_cache *opened = mem_new(1, sizeof(*opened));
    int flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX;

    pthread_mutex_init(&opened->lock, NULL);
    if (sqlite3_open_v2(path, &opened->db, flags, NULL) != SQLITE_OK) {
        (void)fail(opened, path, err);
        model_cache_close(opened);
        return false;
    }
    /* Prompts and screenshots are private. */
    (void)chmod(path, 0600);
    if (!set_up(opened, err)) {
        model_cache_close(opened);
        return err_wrap(err, "%s", path);
    }
    *cache = opened;
    return true;
}

void model_cache_close(struct model_cache *cache)
{
    if (!cache)
        return;
    sqlite3_finalize(cache->get);
    sqlite3_finalize(cache->put);
    sqlite3_close(cache->db);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

bool model_cache_get(struct model_cache *cache, const char *key,
                     struct buf *answer, bool *found, struct err *err)
{
    bool done = true;
    int result;

    pthread_mutex_lock(&cache->lock);
    sqlite3_bind_text(cache->get, 1, key, -1, SQLITE_TRANSIENT);
    result = sqlite3_step(cache->get);
    *found = result == SQLITE_ROW;
    if (*found)
        buf_append(answer, sqlite3_column_blob(cache->get, 0),
                   (size_t)sqlite3_column_bytes(cache->get, 0));
    else if (result != SQLITE_DONE)
        done = fail(cache, "look for a reply", err);
    sqlite3_reset(cache->get);
    pthread_mutex_unlock(&cache->lock);
    return done;
}

bool model_cache_put(struct model_cache *cache, const char *key,
                     const char *model, const struct buf *answer,
                     struct err *err)
{
    bool done;

    pthread_mutex_lock(&cache->lock);
    sqlite3_bind_text(cache->put, 1, key, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(cache->put, 2, model, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(cache->put, 3, (sqlite3_int64)time(NULL));
    sqlite3_bind_blob(cache->put, 4, buf_cstr(answer), (int)answer->length,
                      SQLITE_TRANSIENT);
    done = sqlite3_step(cache->put) == SQLITE_DONE ||
           fail(cache, "keep a reply", err);
    sqlite3_reset(cache->put);
    sqlite3_clear_bindings(cache->put);
    pthread_mutex_unlock(&cache->lock);
    return done;
}
