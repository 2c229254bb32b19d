/* What pages ask for, in the server's thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/mem.h"
#include "tools/serve/serve_private.h"

/* ---- answers ---- */

void serve_send_bytes(struct serve *serve, uint64_t client, bool binary,
                      const char *data, size_t length)
{
    if (client & SERVE_LOCAL_CLIENT)
        run_hub_send(serve->hub, client & ~SERVE_LOCAL_CLIENT,
                     &(struct run_frame){.kind = binary ? RUN_FRAME_BINARY
                                                        : RUN_FRAME_TEXT,
                                         .data = data,
                                         .length = length});
    else
        http_server_send(serve->server,
                         &(struct socket_message){
                             .binary = binary, .data = data, .length = length},
                         &client, 1);
}

void serve_send_text(struct serve *serve, uint64_t client,
                     const struct buf *text)
{
    serve_send_bytes(serve, client, false, text->data, text->length);
}

void serve_send(struct serve *serve, uint64_t client, struct cJSON *tree)
{
    struct buf text = BUF_INIT(SIZE_MAX);

    json_format(tree, &text);
    cJSON_Delete(tree);
    serve_send_text(serve, client, &text);
    buf_release(&text);
}

void serve_answer(struct serve *serve, uint64_t client, int64_t id,
                  struct cJSON *tree)
{
    if (!id) {
        cJSON_Delete(tree);
        return;
    }
    json_add_int(tree, "id", id);
    json_add_bool(tree, "ok", true);
    serve_send(serve, client, tree);
}

void serve_answer_error(struct serve *serve, uint64_t client, int64_t id,
                        const struct err *err)
{
    struct cJSON *tree;

    if (!id)
        return;
    tree = json_new_object();
    json_add_int(tree, "id", id);
    json_add_bool(tree, "ok", false);
    json_add_string(tree, "error", err->text);
    if (err->code == ERR_BUSY)
        json_add_bool(tree, "busy", true);
    serve_send(serve, client, tree);
}

/* ---- commands of views ---- */

struct view_request {
    struct serve *serve;
    uint64_t client;
    int64_t id;
    enum view_command_kind kind;
    struct run_command *run; /* owned; of a phone of a run */
};

/* The bytes are JSON that the view has written. */
static void answer_json(const struct view_request *asked, const char *before,
                        const char *json, const char *after)
{
    struct buf text = BUF_INIT(SIZE_MAX);

    buf_printf(&text, "{\"id\":%lld,\"ok\":true,%s", (long long)asked->id,
               before);
    buf_text(&text, json);
    buf_text(&text, after);
    serve_send_text(asked->serve, asked->client, &text);
    buf_release(&text);
}

/* Pages fetch it from here; at the socket of a run it is part of the answer. */
static void add_screenshot(const struct view_request *asked, struct buf *png,
                           struct cJSON *into)
{
    struct buf text = BUF_INIT(SIZE_MAX);

    if (asked->client & SERVE_LOCAL_CLIENT) {
        base64_append(png->data, png->length, &text);
        json_add_string(into, "png", buf_cstr(&text));
    } else {
        buf_printf(&text, "screenshot/%llu.png",
                   (unsigned long long)screenshot_downloads_add(
                       &asked->serve->shots, png));
        json_add_string(into, "url", buf_cstr(&text));
    }
    buf_release(&text);
}

static void answer_done(const struct view_request *asked,
                        struct view_answer *answer)
{
    struct cJSON *tree;

    switch (asked->kind) {
    case VIEW_TREE:
        answer_json(asked, "\"nodes\":", buf_cstr(&answer->bytes), "}");
        return;
    case VIEW_DESCRIBE:
        answer_json(asked, "\"found\":", buf_cstr(&answer->bytes), "}");
        return;
    case VIEW_SHELL:
        tree = json_new_object();
        json_add_string(tree, "output", buf_cstr(&answer->bytes));
        json_add_int(tree, "status", answer->status);
        break;
    case VIEW_SCREENSHOT:
        tree = json_new_object();
        add_screenshot(asked, &answer->bytes, tree);
        break;
    case VIEW_TOUCH:
    case VIEW_KEY:
    case VIEW_TEXT:
    case VIEW_PASTE:
    case VIEW_ROTATE:
    case VIEW_LOCK:
    case VIEW_DUMP:
    default:
        tree = json_new_object();
        break;
    }
    serve_answer(asked->serve, asked->client, asked->id, tree);
}

static void on_answer(void *context, struct view_answer *answer)
{
    struct view_request *asked = context;

    run_command_end(asked->run, answer->done);
    if (asked->id && answer->done)
        answer_done(asked, answer);
    else
        serve_answer_error(asked->serve, asked->client, asked->id,
                           &answer->err);
    free(asked);
}

/* ---- requests ---- */

/* A message of a page; with the lock. */
struct page_request {
    struct serve *serve;
    struct serve_page *page;
    struct served_phone *phone; /* NULL: the message names none */
    const struct serve_message *message;
};

static void answer_ok(const struct page_request *request)
{
    serve_answer(request->serve, request->page->client, request->message->id,
                 json_new_object());
}

/* The epoch alone is no proof: only the page that took the phone acts. */
static bool check_driver(const struct page_request *request, struct err *err)
{
    const struct served_phone *phone = request->phone;

    if (phone->driver == request->page->client ||
        !serve_verb_acts(request->message->verb))
        return true;
    return err_set(err, ERR_REFUSED,
                   phone->driver ? "another page drives this phone"
                                 : "take the phone first");
}

/* Two readers of the UI tree of a phone over ADB end each other. */
static bool check_reader(const struct page_request *request, struct err *err)
{
    const enum view_command_kind kind = request->message->command.kind;

    return !request->phone->run || request->phone->kind != SERVED_ADB ||
           (kind != VIEW_TREE && kind != VIEW_DESCRIBE) ||
           err_set(err, ERR_REFUSED,
                   "the run reads the UI tree of this phone itself");
}

static bool send_command(const struct page_request *request, struct err *err)
{
    const struct serve_message *message = request->message;
    struct phone_view *view;
    struct view_request *asked;

    if (!check_driver(request, err) || !check_reader(request, err) ||
        !serve_ensure_view(request->phone, err))
        return false;
    if (request->phone->recording && message->verb == SERVE_SHELL)
        return err_set(err, ERR_REFUSED,
                       "commands are no part of a recording: stop it first");
    view = request->phone->view;
    if (!message->id && !request->phone->run)
        return phone_view_send(view, &message->command, NULL, NULL, err);
    asked = mem_new(1, sizeof(*asked));
    *asked = (struct view_request){
        .serve = request->serve,
        .client = request->page->client,
        .id = message->id,
        .kind = message->command.kind,
        .run = run_command_begin(request->phone, &message->command)};
    if (phone_view_send(view, &message->command, on_answer, asked, err))
        return true;
    run_command_end(asked->run, false);
    free(asked);
    return false;
}

static void note_change(const struct page_request *request)
{
    request->phone->changed = true;
    serve_wake(request->serve);
}

static bool take(const struct page_request *request, struct err *err)
{
    struct served_phone *phone = request->phone;
    struct cJSON *answer;

    if (!phone->run && !serve_ensure_view(phone, err))
        return false;
    serve_take_lease(phone, request->page->client,
                     phone->recording ? CONTROL_RECORDER : CONTROL_PERSON);
    answer = json_new_object();
    json_add_int(answer, "epoch", phone->epoch);
    serve_answer(request->serve, request->page->client, request->message->id,
                 answer);
    note_change(request);
    return true;
}

static bool record(const struct page_request *request, struct err *err)
{
    if (request->phone->run)
        return err_set(err, ERR_REFUSED,
                       "the run records what is done on its phones");
    return serve_ensure_view(request->phone, err) &&
           serve_record_begin(request->serve->record, request->page,
                              request->phone, request->message, err);
}

static bool ask_recorder(const struct page_request *request, struct err *err)
{
    return serve_record_ask(request->serve->record, request->page,
                            request->message, err);
}

static bool release(const struct page_request *request, struct err *err)
{
    struct served_phone *phone = request->phone;

    if (phone->driver != request->page->client || !serve_lease(phone))
        return err_set(err, ERR_REFUSED, "this page does not drive the phone");
    serve_give_back(phone);
    phone->idle_since_ns = clock_ns();
    answer_ok(request);
    note_change(request);
    return true;
}

static bool choose_rung(const struct page_request *request, struct err *err)
{
    if (!serve_ensure_view(request->phone, err) ||
        !serve_choose_rung(request->phone, request->message->rung, err))
        return false;
    answer_ok(request);
    note_change(request);
    return true;
}

static bool stop_phone(const struct page_request *request, struct err *err)
{
    if (!request->phone->own)
        return err_set(err, ERR_REFUSED,
                       "only built-in phones that were started here can be "
                       "thrown away");
    serve_drop_phone(request->phone, "The phone was thrown away");
    answer_ok(request);
    return true;
}

static bool watch(const struct page_request *request, struct err *err)
{
    return serve_add_watch(request->serve, request->page, request->phone,
                           request->message, err);
}

/* A watch may have ended while a message was on its way. */
static bool unwatch(const struct page_request *request, struct err *err)
{
    struct serve_watch *found =
        serve_find_watch(request->page, request->message->watch);

    (void)err;
    if (found)
        serve_drop_watch(request->page, found);
    answer_ok(request);
    return true;
}

static bool seen(const struct page_request *request, struct err *err)
{
    struct serve_watch *found =
        serve_find_watch(request->page, request->message->watch);

    (void)err;
    if (found && found->watcher)
        phone_watcher_seen(found->watcher, request->message->command.frame);
    return true;
}

/* The list is pushed again, behind the answer. */
static bool list_phones(const struct page_request *request, struct err *err)
{
    (void)err;
    buf_clear(&request->page->phones);
    answer_ok(request);
    serve_wake(request->serve);
    return true;
}

static bool start_job(const struct page_request *request, struct err *err)
{
    return serve_start_job(request->serve, request->page->client,
                           request->message, err);
}

typedef bool request_fn(const struct page_request *request, struct err *err);

static request_fn *const handlers[SERVE_VERBS] = {
    [SERVE_PHONES] = list_phones,
    [SERVE_WATCH] = watch,
    [SERVE_UNWATCH] = unwatch,
    [SERVE_SEEN] = seen,
    [SERVE_RUNG] = choose_rung,
    [SERVE_TAKE] = take,
    [SERVE_RELEASE] = release,
    [SERVE_TOUCH] = send_command,
    [SERVE_KEY] = send_command,
    [SERVE_TEXT] = send_command,
    [SERVE_PASTE] = send_command,
    [SERVE_ROTATE] = send_command,
    [SERVE_LOCK] = send_command,
    [SERVE_TREE] = send_command,
    [SERVE_DESCRIBE] = send_command,
    [SERVE_SCREENSHOT] = send_command,
    [SERVE_SHELL] = send_command,
    [SERVE_CONNECT] = start_job,
    [SERVE_PAIR] = start_job,
    [SERVE_PAIR_QR] = start_job,
    [SERVE_START_PHONE] = start_job,
    [SERVE_STOP_PHONE] = stop_phone,
    [SERVE_RECORD] = record,
    [SERVE_RECORDINGS] = ask_recorder,
    [SERVE_RECORDING] = ask_recorder,
    [SERVE_RECORD_STOP] = ask_recorder,
    [SERVE_RECORD_UNDO] = ask_recorder,
    [SERVE_RECORD_STAR] = ask_recorder,
    [SERVE_RECORD_NOTE] = ask_recorder,
    [SERVE_RECORD_DELETE] = ask_recorder,
    [SERVE_RECORD_EVIDENCE] = ask_recorder,
    [SERVE_RECORD_WAIT] = ask_recorder,
    [SERVE_RECORD_ANSWER] = ask_recorder,
    [SERVE_RECORD_TRIM] = ask_recorder,
    [SERVE_RECORD_RENAME] = ask_recorder,
    [SERVE_RECORD_BLUR] = ask_recorder,
    [SERVE_RECORD_SPLIT] = ask_recorder,
    [SERVE_RECORD_FORM] = ask_recorder,
    [SERVE_RECORD_SAVE] = ask_recorder,
    [SERVE_RECORD_TWINS] = ask_recorder,
    [SERVE_RECORD_RETAKE] = record,
};

/* text is the message as it came. */
static bool handle(struct serve *serve, struct serve_page *page,
                   const struct serve_message *message, const char *text,
                   size_t length, struct err *err)
{
    struct page_request request = {
        .serve = serve, .page = page, .message = message};
    bool done;

    if (serve->options.read_only && serve_verb_acts(message->verb))
        return err_set(err, ERR_DENIED, "this page only watches");
    if (serve_verb_adds(message->verb) && !serve_can_add(serve))
        return err_set(err, ERR_DENIED, "one phone alone is shown here");
    if (serve_forward(serve, page, message, text, length, err, &done))
        return done;
    if (message->phone[0]) {
        request.phone = serve_find_phone(serve, message->phone);
        if (!request.phone)
            return err_set(err, ERR_NOT_FOUND, "there is no phone %.100s",
                           message->phone);
    }
    return handlers[message->verb](&request, err);
}

void serve_handle(struct serve *serve, uint64_t client, const char *text,
                  size_t length)
{
    struct serve_message message;
    struct serve_page *page;
    struct err err;
    bool parsed = serve_message_parse(&message, text, length, &err);

    pthread_mutex_lock(&serve->lock);
    page = serve_find_page(serve, client);
    if (page && (!parsed || !handle(serve, page, &message, text, length, &err)))
        serve_answer_error(serve, client, message.id, &err);
    pthread_mutex_unlock(&serve->lock);
    serve_message_release(&message);
}
