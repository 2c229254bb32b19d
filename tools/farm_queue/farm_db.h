/*
 * A connection to the database of a queue, which is opened again after it was
 * lost. Any thread may use it: one request at a time.
 */
#ifndef TOOLS_FARM_QUEUE_FARM_DB_H
#define TOOLS_FARM_QUEUE_FARM_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/deadline.h"
#include "base/err.h"

struct farm_db;

/*
 * Prepare a connection; nothing is sent yet. cancel (borrowed, may be NULL)
 * ends requests. Fails as farm_url_parse does.
 */
MUST_USE bool farm_db_open(const char *url, const struct cancel *cancel,
                           struct farm_db **db, struct err *err);
void farm_db_close(struct farm_db *db); /* NULL is fine */

/* The URL without its secrets. */
const char *farm_db_name(const struct farm_db *db);

/* What a request returned. All texts belong to it. */
struct farm_rows;
void farm_rows_release(struct farm_rows *rows); /* NULL is fine */
size_t farm_rows_count(const struct farm_rows *rows);
/* NULL for an SQL NULL. */
const char *farm_rows_text(const struct farm_rows *rows, size_t row,
                           size_t column);
/* 0 for an SQL NULL. */
int64_t farm_rows_int(const struct farm_rows *rows, size_t row, size_t column);
double farm_rows_number(const struct farm_rows *rows, size_t row,
                        size_t column);
bool farm_rows_bool(const struct farm_rows *rows, size_t row, size_t column);

#define FARM_PARAMETERS_MAX 12

/* A statement and its parameters $1… as text; NULL is an SQL NULL. */
struct farm_request {
    const char *sql;
    const char *parameters[FARM_PARAMETERS_MAX];
    size_t count;
};

/*
 * Carry out one request, and connect first if necessary. rows may be NULL.
 *
 * Fails with ERR_UNREACHABLE when the connection cannot be made or was lost:
 * whether the request was carried out is then not known. With ERR_BUSY when
 * it was not, and may be later: a lock is held by another connection, the
 * server's disk is full. With ERR_DENIED, ERR_REMOTE for what the database
 * refuses, ERR_TIMEOUT and ERR_CANCELLED. The message is that of the server,
 * made harmless.
 */
MUST_USE bool farm_db_request(struct farm_db *db,
                              const struct farm_request *request,
                              struct deadline by, struct farm_rows **rows,
                              struct err *err);

/* Is it a failure after which the same request may succeed later? */
bool farm_db_may_pass(enum err_code code);

/* Several statements without parameters, in one transaction. */
MUST_USE bool farm_db_script(struct farm_db *db, const char *sql,
                             struct deadline by, struct err *err);

/* Be notified on a channel (an SQL identifier) from the next request on. */
void farm_db_listen(struct farm_db *db, const char *channel);

/*
 * Wait until a notification came since the last call, the deadline passed, or
 * wake (may be NULL) or cancel was fired. The loss of the connection counts as
 * a notification; the next request opens it again. Only one thread may wait.
 */
void farm_db_wait(struct farm_db *db, struct deadline by,
                  const struct cancel *wake);

/*
 * Is there a pooler between this program and the server? In its transaction
 * mode notifications do not arrive, and locks are shared with others.
 */
MUST_USE bool farm_db_is_pooled(struct farm_db *db, struct deadline by,
                                bool *pooled, struct err *err);

/*
 * Hold the advisory lock of this name as long as db is open. Fails with
 * ERR_BUSY, and as farm_db_request. After a lost connection the lock is taken
 * again before anything else is done.
 */
MUST_USE bool farm_db_lock(struct farm_db *db, const char *name,
                           struct deadline by, struct err *err);

#endif
