#include "tools/farm_queue/farm_db.h"

#include <libpq-fe.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/macros.h"
#include "base/mem.h"
#include "tasks/json/text_list.h"
#include "tools/farm_queue/farm_url.h"

struct farm_db {
    struct farm_parameters parameters;
    struct buf name;
    const struct cancel *cancel;
    const char *channel;    /* borrowed; NULL: none */
    pthread_mutex_t lock;   /* guards all below */
    struct text_list locks; /* advisory ones that are held */
    PGconn *conn;           /* owned; NULL: not connected */
    bool notified;
};

bool farm_db_open(const char *url, const struct cancel *cancel,
                  struct farm_db **db, struct err *err)
{
    struct farm_parameters parameters;

    if (!farm_url_parse(url, &parameters, err))
        return false;
    *db = mem_new(1, sizeof(**db));
    (*db)->parameters = parameters;
    (*db)->name = (struct buf)BUF_INIT(FARM_URL_MAX);
    (*db)->cancel = cancel;
    farm_url_show(&parameters, &(*db)->name);
    pthread_mutex_init(&(*db)->lock, NULL);
    return true;
}

static void disconnect(struct farm_db *db)
{
    PQfinish(db->conn);
    db->conn = NULL;
}

void farm_db_close(struct farm_db *db)
{
    if (!db)
        return;
    disconnect(db);
    pthread_mutex_destroy(&db->lock);
    text_list_release(&db->locks);
    farm_parameters_release(&db->parameters);
    buf_release(&db->name);
    free(db);
}

const char *farm_db_name(const struct farm_db *db)
{
    return buf_cstr(&db->name);
}

/* ---- rows ---- */

/* A struct farm_rows is libpq's PGresult. */
static const PGresult *result_of(const struct farm_rows *rows)
{
    return (const PGresult *)(const void *)rows;
}

void farm_rows_release(struct farm_rows *rows)
{
    PQclear((PGresult *)(void *)rows);
}

size_t farm_rows_count(const struct farm_rows *rows)
{
    return (size_t)PQntuples(result_of(rows));
}

const char *farm_rows_text(const struct farm_rows *rows, size_t row,
                           size_t column)
{
    if (PQgetisnull(result_of(rows), (int)row, (int)column))
        return NULL;
    return PQgetvalue(result_of(rows), (int)row, (int)column);
}

int64_t farm_rows_int(const struct farm_rows *rows, size_t row, size_t column)
{
    const char *text = farm_rows_text(rows, row, column);

    return text ? strtoll(text, NULL, 10) : 0;
}

double farm_rows_number(const struct farm_rows *rows, size_t row, size_t column)
{
    const char *text = farm_rows_text(rows, row, column);

    return text ? strtod(text, NULL) : 0;
}

bool farm_rows_bool(const struct farm_rows *rows, size_t row, size_t column)
{
    const char *text = farm_rows_text(rows, row, column);

    return text && *text == 't';
}

/* ---- waiting ---- */

/* Wait until the socket can be read (or written), or it is over. */
static bool await(struct farm_db *db, short events, struct deadline by,
                  struct err *err)
{
    struct pollfd fds[] = {
        {.fd = PQsocket(db->conn), .events = events},
        {.fd = cancel_fd(db->cancel), .events = POLLIN},
    };

    for (;;) {
        int ready = poll(fds, 2, deadline_left_ms(by));

        if (fds[1].revents)
            return err_set(err, ERR_CANCELLED, "interrupted");
        if (ready > 0)
            return true;
        if (deadline_passed(by))
            return err_set(err, ERR_TIMEOUT, "%s does not answer",
                           buf_cstr(&db->name));
    }
}

/* The first line of a message of the server or of libpq. */
static void add_reason(struct err *err, enum err_code code, const char *what,
                       const char *message)
{
    char text[200];

    clean_text_copy(text, sizeof(text), message, strcspn(message, "\n"));
    err_fill(err, code, "%s: %s", what, *text ? text : "no reason is known");
}

static bool fail_connection(struct farm_db *db, struct err *err)
{
    const char *why = PQerrorMessage(db->conn);
    bool refused = strstr(why, "authentication failed") ||
                   strstr(why, "no password supplied") ||
                   strstr(why, "does not exist") ||
                   strstr(why, "permission denied") ||
                   strstr(why, "certificate verify failed") ||
                   strstr(why, "root certificate file") ||
                   strstr(why, "does not match host name");

    add_reason(err, refused ? ERR_DENIED : ERR_UNREACHABLE, buf_cstr(&db->name),
               why);
    disconnect(db);
    return false;
}

/* ---- requests on an open connection ---- */

static enum err_code code_of(const PGresult *result)
{
    /* No disk, memory or lock at the moment; a deadlock; statement_timeout. */
    static const char *const passing[] = {"53", "40", "55P03", "57014", "58"};
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);

    if (!state)
        return ERR_UNREACHABLE;
    if (!strcmp(state, "42501"))
        return ERR_DENIED;
    if (!strncmp(state, "57P", 3) || !strncmp(state, "08", 2) ||
        !strcmp(state, "25006"))
        return ERR_UNREACHABLE; /* the server stops, starts, or only reads */
    for (size_t i = 0; i < ARRAY_LEN(passing); i++) {
        if (!strncmp(state, passing[i], strlen(passing[i])))
            return ERR_BUSY;
    }
    if (!strcmp(state, "3F000") || !strcmp(state, "42P01") ||
        !strcmp(state, "42883"))
        return ERR_NOT_FOUND;
    return ERR_REMOTE;
}

static bool check(struct farm_db *db, const PGresult *result, struct err *err)
{
    ExecStatusType status = PQresultStatus(result);
    enum err_code code;

    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
        return true;
    code = code_of(result);
    if (code == ERR_UNREACHABLE)
        return fail_connection(db, err);
    add_reason(err, code, buf_cstr(&db->name),
               PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
    return false;
}

/* Collect the results of what was sent; the last one is kept. */
static bool collect(struct farm_db *db, struct deadline by, PGresult **last,
                    struct err *err)
{
    PGresult *result;

    *last = NULL;
    for (;;) {
        while (PQisBusy(db->conn)) {
            if (!await(db, POLLIN, by, err)) {
                disconnect(db); /* its answer would be taken for another's */
                return false;
            }
            if (!PQconsumeInput(db->conn))
                return fail_connection(db, err);
        }
        result = PQgetResult(db->conn);
        if (!result)
            return true;
        if (*last && PQresultStatus(*last) == PGRES_FATAL_ERROR) {
            PQclear(result); /* the first error counts */
        } else {
            PQclear(*last);
            *last = result;
        }
    }
}

static void note_notifications(struct farm_db *db)
{
    PGnotify *notify;

    while (db->conn && (notify = PQnotifies(db->conn)) != NULL) {
        PQfreemem(notify);
        db->notified = true;
    }
}

static bool exchange(struct farm_db *db, bool sent, struct deadline by,
                     struct farm_rows **rows, struct err *err)
{
    PGresult *result = NULL;
    bool done;

    if (!sent)
        return fail_connection(db, err);
    done = collect(db, by, &result, err);
    done = done && check(db, result, err);
    note_notifications(db);
    if (done && rows)
        *rows = (struct farm_rows *)(void *)result;
    else
        PQclear(result);
    return done;
}

static bool send_request(struct farm_db *db, const struct farm_request *request)
{
    return PQsendQueryParams(db->conn, request->sql, (int)request->count, NULL,
                             request->parameters, NULL, NULL, 0) == 1;
}

static bool lock_one(struct farm_db *db, const char *name, struct deadline by,
                     struct err *err)
{
    const struct farm_request request = {
        .sql = "SELECT pg_try_advisory_lock(hashtextextended($1, 20))",
        .parameters = {name},
        .count = 1,
    };
    struct farm_rows *rows = NULL;
    bool taken;

    if (!exchange(db, send_request(db, &request), by, &rows, err))
        return false;
    taken = farm_rows_bool(rows, 0, 0);
    farm_rows_release(rows);
    return taken ||
           err_set(err, ERR_BUSY, "another worker of this queue has it");
}

/* ---- the connection ---- */

static bool handshake(struct farm_db *db, struct deadline by, struct err *err)
{
    PostgresPollingStatusType state = PGRES_POLLING_WRITING;

    if (!db->conn || PQstatus(db->conn) == CONNECTION_BAD)
        return fail_connection(db, err);
    while (state != PGRES_POLLING_OK) {
        if (state == PGRES_POLLING_FAILED)
            return fail_connection(db, err);
        if (!await(db, state == PGRES_POLLING_READING ? POLLIN : POLLOUT, by,
                   err)) {
            disconnect(db);
            return false;
        }
        state = PQconnectPoll(db->conn);
    }
    return true;
}

static void drop_notice(void *context, const char *message)
{
    (void)context;
    (void)message;
}

/* What holds for every connection of ours. */
static bool set_up(struct farm_db *db, struct deadline by, struct err *err)
{
    /* The server must notice soon that a worker is gone: its locks are. */
    static const char settings[] =
        "SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; "
        "SET tcp_keepalives_count = 3; SET tcp_user_timeout = 30000; "
        "SET idle_in_transaction_session_timeout = 60000; "
        "SET search_path = pg_catalog";
    struct buf listen = BUF_INIT(128);
    bool done;

    done = exchange(db, PQsendQuery(db->conn, settings) == 1, by, NULL, err);
    if (done && db->channel) {
        buf_printf(&listen, "LISTEN %s", db->channel);
        done = exchange(db, PQsendQuery(db->conn, buf_cstr(&listen)) == 1, by,
                        NULL, err);
    }
    for (size_t i = 0; done && i < db->locks.count; i++)
        done = lock_one(db, db->locks.items[i], by, err);
    buf_release(&listen);
    return done;
}

static bool is_connected(const struct farm_db *db)
{
    return db->conn && PQstatus(db->conn) == CONNECTION_OK;
}

static bool connect_if_needed(struct farm_db *db, struct deadline by,
                              struct err *err)
{
    if (is_connected(db))
        return true;
    disconnect(db);
    db->conn =
        PQconnectStartParams((const char *const *)db->parameters.keywords,
                             (const char *const *)db->parameters.values, 0);
    if (!handshake(db, by, err))
        return false;
    PQsetNoticeProcessor(db->conn, drop_notice, NULL);
    db->notified = true; /* what came meanwhile was missed */
    if (set_up(db, by, err))
        return true;
    disconnect(db);
    return false;
}

bool farm_db_request(struct farm_db *db, const struct farm_request *request,
                     struct deadline by, struct farm_rows **rows,
                     struct err *err)
{
    bool done;

    pthread_mutex_lock(&db->lock);
    done = connect_if_needed(db, by, err) &&
           exchange(db, send_request(db, request), by, rows, err);
    pthread_mutex_unlock(&db->lock);
    return done;
}

bool farm_db_may_pass(enum err_code code)
{
    return code == ERR_UNREACHABLE || code == ERR_TIMEOUT || code == ERR_BUSY;
}

bool farm_db_script(struct farm_db *db, const char *sql, struct deadline by,
                    struct err *err)
{
    bool done;

    pthread_mutex_lock(&db->lock);
    done = connect_if_needed(db, by, err) &&
           exchange(db, PQsendQuery(db->conn, sql) == 1, by, NULL, err);
    pthread_mutex_unlock(&db->lock);
    return done;
}

void farm_db_listen(struct farm_db *db, const char *channel)
{
    db->channel = channel;
}

bool farm_db_lock(struct farm_db *db, const char *name, struct deadline by,
                  struct err *err)
{
    bool done;

    pthread_mutex_lock(&db->lock);
    done = connect_if_needed(db, by, err) && lock_one(db, name, by, err);
    if (done)
        text_list_add(&db->locks, name);
    pthread_mutex_unlock(&db->lock);
    return done;
}

/* A pooler gives another number as that of the server's process. */
bool farm_db_is_pooled(struct farm_db *db, struct deadline by, bool *pooled,
                       struct err *err)
{
    const struct farm_request request = {.sql = "SELECT pg_backend_pid()"};
    struct farm_rows *rows = NULL;
    bool done;

    pthread_mutex_lock(&db->lock);
    done = connect_if_needed(db, by, err) &&
           exchange(db, send_request(db, &request), by, &rows, err);
    if (done)
        *pooled = farm_rows_int(rows, 0, 0) != PQbackendPID(db->conn);
    pthread_mutex_unlock(&db->lock);
    farm_rows_release(rows);
    return done;
}

/* ---- notifications ---- */

/* Was there a notification since the last time? *fd: where one would come. */
static bool take_notification(struct farm_db *db, int *fd)
{
    struct err ignored = ERR_INIT;
    bool notified;

    pthread_mutex_lock(&db->lock);
    if (is_connected(db) && !PQconsumeInput(db->conn)) {
        (void)fail_connection(db, &ignored);
        db->notified = true;
    }
    note_notifications(db);
    notified = db->notified;
    db->notified = false;
    *fd = is_connected(db) ? PQsocket(db->conn) : -1;
    pthread_mutex_unlock(&db->lock);
    return notified;
}

void farm_db_wait(struct farm_db *db, struct deadline by,
                  const struct cancel *wake)
{
    struct pollfd fds[] = {
        {.fd = -1, .events = POLLIN},
        {.fd = cancel_fd(db->cancel), .events = POLLIN},
        {.fd = cancel_fd(wake), .events = POLLIN},
    };

    while (!take_notification(db, &fds[0].fd) && !deadline_passed(by)) {
        (void)poll(fds, ARRAY_LEN(fds), deadline_left_ms(by));
        if (fds[1].revents || fds[2].revents)
            return;
    }
}
