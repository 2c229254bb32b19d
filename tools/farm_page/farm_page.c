#include "tools/farm_page/farm_page.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "base/json_write.h"
#include "base/macros.h"
#include "base/mem.h"
#include "base/thread_group.h"
#include "tools/farm_page/farm_snapshot.h"
#include "tools/farm_queue/farm_schema.h"
#include "tools/http_server/web_files.h"
#include "tools/http_server/web_session.h"
#include "tools/serve/serve_files.h"
#include "tools/web_parts/web_parts.h"

#define SNAPSHOT_MAX ((size_t)64 << 20)
#define EVERY_MS 1000
#define READ_SHARE 20  /* of the time, at most one part is spent on reading */
#define ASKED_MS 10000 /* without a question the database is left alone */

extern const struct embedded farm_page_files;

struct farm_page {
    struct farm_db *db;
    struct web_session *session;
    struct http_server *server;
    struct thread_group reader;
    struct cancel closing;
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t changed;
    bool closed;
    struct deadline asked; /* a page asked: read until then */
    struct buf snapshot;   /* JSON; empty: there is none yet */
    struct err trouble;    /* why the last reading failed */
};

/* ---- the reader ---- */

/* Wait until a page has asked. False: the page is closed. */
static bool wait_for_question(struct farm_page *page)
{
    bool open;

    pthread_mutex_lock(&page->lock);
    while (!page->closed && deadline_passed(page->asked))
        pthread_cond_wait(&page->changed, &page->lock);
    open = !page->closed;
    pthread_mutex_unlock(&page->lock);
    return open;
}

static void pause_for(struct farm_page *page, int64_t ms)
{
    struct timespec until = deadline_timespec(deadline_in_ms(ms));
    int error = 0;

    pthread_mutex_lock(&page->lock);
    while (!error && !page->closed)
        error = pthread_cond_timedwait(&page->changed, &page->lock, &until);
    pthread_mutex_unlock(&page->lock);
}

static void read_once(struct farm_page *page)
{
    struct buf json = BUF_INIT(SNAPSHOT_MAX);
    struct err err = ERR_INIT;
    bool done = farm_snapshot_read(page->db, &json, &err);

    pthread_mutex_lock(&page->lock);
    page->trouble = err;
    if (done) {
        buf_release(&page->snapshot);
        page->snapshot = json;
        json = (struct buf)BUF_INIT(0);
    }
    pthread_mutex_unlock(&page->lock);
    buf_release(&json);
}

static void read_always(void *context)
{
    struct farm_page *page = context;

    while (wait_for_question(page)) {
        int64_t start_ns = clock_ns();
        int64_t next_ms;

        read_once(page);
        next_ms = READ_SHARE * (clock_ns() - start_ns) / 1000000;
        pause_for(page, next_ms > EVERY_MS ? next_ms : EVERY_MS);
    }
}

/* ---- HTTP ---- */

#define PAGE_FILE(name)                                                        \
    {                                                                          \
        "/" name, &farm_page_files, "page/" name                               \
    }

static const struct web_file files[] = {
    {"/", &farm_page_files, "page/index.html"},
    PAGE_FILE("farm.css"),
    PAGE_FILE("farm.js"),
    PAGE_FILE("farm_episodes.js"),
    PAGE_FILE("farm_phones.js"),
    PAGE_FILE("farm_runs.js"),
    PAGE_FILE("farm_words.js"),
    {"/app.css", &serve_files, "page/app.css"},
    {"/icon.svg", &serve_files, "page/icon.svg"},
    {"/theme.css", &web_part_files, "theme.css"},
    {"/dom.js", &web_part_files, "dom.js"},
};

/* Without a login: they lead to it, and hold nothing. */
static const struct web_file open_files[] = {
    {"/open", &serve_files, "page/open.html"},
    {"/open.js", &serve_files, "page/open.js"},
};

/* {"trouble": …, "farm": the snapshot, or null}. */
static void format_state(struct farm_page *page, struct buf *body)
{
    struct cJSON *tree = json_new_object();

    pthread_mutex_lock(&page->lock);
    page->asked = deadline_in_ms(ASKED_MS);
    pthread_cond_broadcast(&page->changed);
    if (page->trouble.code != ERR_NONE)
        json_add_string(tree, "trouble", page->trouble.text);
    json_format(tree, body);
    cJSON_Delete(tree);
    buf_truncate(body, body->length - 1);
    buf_text(body, body->length > 1 ? ",\"farm\":" : "\"farm\":");
    buf_text(body, page->snapshot.length ? buf_cstr(&page->snapshot) : "null");
    pthread_mutex_unlock(&page->lock);
    buf_byte(body, '}');
}

static void handle(void *context, const struct http_request *request)
{
    struct farm_page *page = context;
    struct http_answer answer = {.status = 200,
                                 .type = "application/json",
                                 .body = BUF_INIT(SNAPSHOT_MAX + 1024)};

    if (web_files_answer(open_files, ARRAY_LEN(open_files), page->server,
                         request) ||
        !web_session_admit(page->session, page->server, request) ||
        web_files_answer(files, ARRAY_LEN(files), page->server, request))
        return;
    if (!strcmp(request->path, "/farm.json") &&
        !strcmp(request->method, "GET")) {
        format_state(page, &answer.body);
    } else {
        answer.status = 404;
        answer.type = "text/plain; charset=utf-8";
        buf_text(&answer.body, "There is nothing here.\n");
    }
    http_server_answer(page->server, request->id, &answer);
}

/* ---- start and stop ---- */

static bool open_server(struct farm_page *page,
                        const struct farm_page_options *options,
                        struct err *err)
{
    const struct http_server_options server = {
        .address = options->address,
        .port = options->port,
        .certificate = options->certificate,
        .private_key = options->private_key,
        .answer_headers = web_session_headers,
        .handle = handle,
        .context = page,
    };

    return web_session_open(&page->session, err) &&
           http_server_open(&server, &page->server, err) &&
           http_server_start(page->server, err);
}

bool farm_page_start(const struct farm_page_options *options,
                     struct farm_page **page, struct err *err)
{
    struct farm_page *started = mem_new(1, sizeof(*started));

    started->closing = (struct cancel)CANCEL_INIT;
    started->snapshot = (struct buf)BUF_INIT(0);
    started->trouble = (struct err)ERR_INIT;
    pthread_mutex_init(&started->lock, NULL);
    deadline_cond_init(&started->changed);
    thread_group_init(&started->reader, 1);
    if (cancel_init(&started->closing, err) &&
        farm_db_open(options->url, &started->closing, &started->db, err) &&
        farm_schema_check(started->db, err) &&
        open_server(started, options, err)) {
        if (thread_group_start(&started->reader, read_always, started)) {
            *page = started;
            return true;
        }
        err_fill(err, ERR_LIMIT, "cannot start another thread");
    }
    farm_page_stop(started);
    return false;
}

void farm_page_stop(struct farm_page *page)
{
    if (!page)
        return;
    cancel_fire(&page->closing); /* a request that is running */
    pthread_mutex_lock(&page->lock);
    page->closed = true;
    pthread_cond_broadcast(&page->changed);
    pthread_mutex_unlock(&page->lock);
    thread_group_wait(&page->reader);
    thread_group_release(&page->reader);
    http_server_close(page->server);
    web_session_close(page->session);
    farm_db_close(page->db);
    cancel_release(&page->closing);
    buf_release(&page->snapshot);
    pthread_cond_destroy(&page->changed);
    pthread_mutex_destroy(&page->lock);
    free(page);
}

void farm_page_url(const struct farm_page *page, struct buf *url)
{
    web_session_url(page->session, page->server, url);
}

void farm_page_open_url(const struct farm_page *page, struct buf *url)
{
    struct buf login = BUF_INIT(SIZE_MAX);
    const char *query;

    farm_page_url(page, &login);
    query = strchr(buf_cstr(&login), '?');
    buf_append(url, login.data, (size_t)(query - buf_cstr(&login)));
    buf_printf(url, "open#%s", query);
    buf_release(&login);
}

uint16_t farm_page_port(const struct farm_page *page)
{
    return http_server_port(page->server);
}
