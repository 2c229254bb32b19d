#include "tools/serve/serve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/mem.h"
#include "tools/http_server/web_files.h"
#include "tools/phone/graphics/font.h"
#include "tools/serve/serve_files.h"
#include "tools/serve/serve_private.h"
#include "tools/web_parts/web_parts.h"

#define CLIENT_QUEUE_MAX ((size_t)16 << 20)

/* ---- HTTP ---- */

#define PAGE_FILE(name)                                                        \
    {                                                                          \
        "/" name, &serve_files, "page/" name                                   \
    }
#define SHARED_FILE(name)                                                      \
    {                                                                          \
        "/" name, &web_part_files, name                                        \
    }

static const struct web_file files[] = {
    {"/", &serve_files, "page/index.html"},
    PAGE_FILE("icon.svg"),
    PAGE_FILE("app.css"),
    PAGE_FILE("add_phone.js"),
    PAGE_FILE("app.js"),
    PAGE_FILE("first_watch.js"),
    PAGE_FILE("frame.js"),
    PAGE_FILE("icons.js"),
    PAGE_FILE("keyboard.js"),
    PAGE_FILE("phone.js"),
    PAGE_FILE("phones.js"),
    PAGE_FILE("record.css"),
    PAGE_FILE("record.js"),
    PAGE_FILE("recording.js"),
    PAGE_FILE("recordings.js"),
    PAGE_FILE("registry.js"),
    PAGE_FILE("rungs.js"),
    PAGE_FILE("runs.js"),
    PAGE_FILE("screen.js"),
    PAGE_FILE("shell.js"),
    PAGE_FILE("socket.js"),
    PAGE_FILE("steps.js"),
    PAGE_FILE("task_form.js"),
    PAGE_FILE("toast.js"),
    PAGE_FILE("touch.js"),
    PAGE_FILE("tree.js"),
    PAGE_FILE("video.js"),
    SHARED_FILE("theme.css"),
    SHARED_FILE("dom.js"),
};

/* Without a login: they lead to it, and hold nothing. */
static const struct web_file open_files[] = {
    {"/open", &serve_files, "page/open.html"},
    PAGE_FILE("open.js"),
};

static void answer_not_found(struct serve *serve,
                             const struct http_request *request)
{
    struct http_answer answer = {.status = 404,
                                 .type = "text/plain; charset=utf-8",
                                 .body = BUF_INIT(64)};

    buf_text(&answer.body, "There is nothing here.\n");
    http_server_answer(serve->server, request->id, &answer);
}

static bool answer_screenshot(struct serve *serve,
                              const struct http_request *request)
{
    static const char folder[] = "/screenshot/";
    struct http_answer answer = {.status = 200, .type = "image/png"};
    char *end;
    unsigned long long number;

    if (strncmp(request->path, folder, sizeof(folder) - 1) != 0 ||
        strcmp(request->method, "GET") != 0)
        return false;
    number = strtoull(request->path + sizeof(folder) - 1, &end, 10);
    if (strcmp(end, ".png") != 0 ||
        !screenshot_downloads_take(&serve->shots, number, &answer.body))
        return false;
    http_server_answer(serve->server, request->id, &answer);
    return true;
}

static void handle(void *context, const struct http_request *request)
{
    struct serve *serve = context;

    if (web_files_answer(open_files, ARRAY_LEN(open_files), serve->server,
                         request) ||
        !web_session_admit(serve->session, serve->server, request) ||
        web_files_answer(files, ARRAY_LEN(files), serve->server, request) ||
        answer_screenshot(serve, request) ||
        serve_record_picture(serve->record, serve->server, request))
        return;
    answer_not_found(serve, request);
}

/* ---- WebSocket ---- */

static int admit(void *context, const struct http_request *request,
                 uint64_t client)
{
    struct serve *serve = context;

    (void)client;
    if (strcmp(request->path, "/ws") != 0)
        return 404;
    return web_session_admit_socket(serve->session, serve->server, request);
}

static void on_open(void *context, uint64_t client)
{
    struct serve *serve = context;

    pthread_mutex_lock(&serve->lock);
    serve_add_page(serve, client);
    serve_attach_runs(serve); /* its first message may be for one */
    pthread_mutex_unlock(&serve->lock);
    serve_wake(serve);
}

static void on_message(void *context, uint64_t client,
                       const struct socket_message *message)
{
    if (!message->binary)
        serve_handle(context, client, message->data, message->length);
}

static void on_left(void *context, uint64_t client)
{
    struct serve *serve = context;

    pthread_mutex_lock(&serve->lock);
    serve_drop_page(serve, client);
    pthread_mutex_unlock(&serve->lock);
    serve_wake(serve);
}

static bool open_server(struct serve *serve, struct err *err)
{
    const struct http_server_options options = {
        .address = serve->options.address,
        .port = serve->options.port,
        .certificate = serve->options.certificate,
        .private_key = serve->options.private_key,
        .answer_headers = web_session_headers,
        .handle = handle,
        .sockets = {.clients = SERVE_PAGES_MAX,
                    .message_max = SERVE_MESSAGE_MAX,
                    .queue_max = CLIENT_QUEUE_MAX,
                    .admit = admit,
                    .on_open = on_open,
                    .on_message = on_message,
                    .on_left = on_left},
        .context = serve,
    };

    return serve->options.no_pages ||
           (web_session_open(&serve->session, err) &&
            http_server_open(&options, &serve->server, err));
}

/* ---- start and stop ---- */

static bool start_finder(struct serve *serve, struct err *err)
{
    const struct phone_finder_options options = {
        .on_found = serve_on_found,
        .is_in_use = serve_is_in_use,
        .context = serve,
        .mdns = serve->options.mdns,
        .log = serve->options.log,
    };

    return !serve->options.search ||
           phone_finder_start(&options, &serve->finder, err);
}

static void init(struct serve *serve, const struct serve_options *options)
{
    serve->options = *options;
    serve->only = options->only ? mem_dup(options->only) : NULL;
    serve->cancel = (struct cancel)CANCEL_INIT;
    screenshot_downloads_init(&serve->shots);
    pthread_mutex_init(&serve->lock, NULL);
    pthread_cond_init(&serve->closed, NULL);
    pthread_mutex_init(&serve->qr_lock, NULL);
    pthread_mutex_init(&serve->wake_lock, NULL);
    deadline_cond_init(&serve->wake);
    thread_group_init(&serve->jobs, SERVE_JOBS_MAX);
    thread_group_init(&serve->closers, SERVE_PHONES_MAX);
}

bool serve_start(const struct serve_options *options, struct serve **serve,
                 struct err *err)
{
    struct serve *self = mem_new(1, sizeof(*self));

    init(self, options);
    if (cancel_init(&self->cancel, err) && open_server(self, err) &&
        serve_record_start(self, options->recordings, &self->record, err) &&
        (!options->run || serve_run_start(self, options->run, err)) &&
        serve_attach_start(self, err) && serve_pusher_start(self, err) &&
        start_finder(self, err) &&
        (!self->server || http_server_start(self->server, err))) {
        *serve = self;
        return true;
    }
    serve_stop(self);
    return false;
}

static void release(struct serve *serve)
{
    web_session_close(serve->session);
    fonts_close(serve->fonts);
    thread_group_release(&serve->jobs);
    thread_group_release(&serve->closers);
    cancel_release(&serve->cancel);
    pthread_cond_destroy(&serve->wake);
    pthread_mutex_destroy(&serve->wake_lock);
    pthread_mutex_destroy(&serve->qr_lock);
    pthread_cond_destroy(&serve->closed);
    pthread_mutex_destroy(&serve->lock);
    screenshot_downloads_release(&serve->shots);
    free(serve->only);
    free(serve);
}

/* Other threads still look at the pages. */
static void drop_pages(struct serve *serve)
{
    pthread_mutex_lock(&serve->lock);
    while (serve->pages)
        serve_drop_page(serve, serve->pages->client);
    pthread_mutex_unlock(&serve->lock);
}

void serve_stop(struct serve *serve)
{
    if (!serve)
        return;
    serve_run_stop(serve);
    if (serve->server)
        http_server_stop(serve->server);
    run_hub_stop(serve->hub);
    if (serve->cancel.fd >= 0)
        cancel_fire(&serve->cancel);
    thread_group_wait(&serve->jobs); /* they use the finder */
    phone_finder_stop(serve->finder);
    serve_pusher_stop(serve);
    drop_pages(serve);
    thread_group_wait(&serve->closers);
    serve_record_stop(serve->record);
    thread_group_wait(&serve->jobs); /* which a request to it has started */
    serve_close_phones(serve);
    run_hub_close(serve->hub);
    serve_attach_release(serve);
    serve_run_release(serve);
    http_server_close(serve->server);
    release(serve);
}

/* ---- addresses ---- */

/* As a browser writes it behind "#/phone/". */
static void add_escaped(struct buf *url, const char *text)
{
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;

        if ((byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
            (byte >= 'A' && byte <= 'Z') || strchr("-_.", byte))
            buf_byte(url, *text);
        else
            buf_printf(url, "%%%02X", byte);
    }
}

void serve_url(const struct serve *serve, struct serve_place place,
               struct buf *url)
{
    web_session_url(serve->session, serve->server, url);
    if (place.page) {
        buf_printf(url, "#/%s/", place.page);
        add_escaped(url, place.name);
    }
}

void serve_open_url(const struct serve *serve, struct serve_place place,
                    struct buf *url)
{
    struct buf login = BUF_INIT(SIZE_MAX);
    const char *query;

    serve_url(serve, place, &login);
    query = strchr(buf_cstr(&login), '?');
    buf_append(url, login.data, (size_t)(query - buf_cstr(&login)));
    buf_printf(url, "open#%s", query);
    buf_release(&login);
}

uint16_t serve_port(const struct serve *serve)
{
    return http_server_port(serve->server);
}
