/* Tells the pages what has changed: the list of phones, the status of each. */
#include <string.h>

#include "tools/live/rung_cost.h"
#include "tools/serve/serve_private.h"

#define TICK_MS 1000 /* for what changes without an event */

/* ---- JSON ---- */

/* Who drives the phone, as this page sees it; "": no client. */
static const char *holder_words(const struct served_phone *phone,
                                uint64_t client, bool *mine, uint32_t *epoch)
{
    enum control_holder holder;

    *mine = false;
    *epoch = 0;
    if (!serve_lease(phone))
        return phone->holder;
    holder = control_lease_holder(serve_lease(phone), epoch);
    *mine = holder != CONTROL_FREE && phone->driver == client &&
            phone->epoch == *epoch;
    switch (holder) {
    case CONTROL_FREE:
        return "";
    case CONTROL_AGENT:
        return "an agent";
    case CONTROL_RECORDER:
        return *mine ? "this page" : "the recorder";
    case CONTROL_PERSON:
        break;
    }
    return *mine ? "this page" : "another page";
}

/* A phone that is being watched says itself how it is; a built-in one needs no
 * connection. */
static void add_state(struct cJSON *into, const struct served_phone *phone)
{
    const char *state = phone->state;
    bool usable = phone->usable;
    struct phone_view_status status;

    if (phone->view) {
        phone_view_status(phone->view, &status);
        usable = status.connected || (phone->builtin && !status.why[0]);
        state = usable ? "ready" : status.why[0] ? status.why : "connecting";
    }
    json_add_string(into, "state", state);
    json_add_bool(into, "usable", usable);
}

static void add_phone(struct cJSON *into, const struct served_phone *phone,
                      uint64_t client)
{
    static const char *const kinds[] = {"usb", "network", "server", "builtin",
                                        "adb"};
    struct cJSON *entry = json_add_object(into, NULL);
    uint32_t epoch;
    bool mine;
    const char *holder = holder_words(phone, client, &mine, &epoch);

    json_add_string(entry, "phone", phone->serial);
    json_add_string(entry, "kind", kinds[phone->kind]);
    add_state(entry, phone);
    json_add_string(entry, "model", phone->model);
    json_add_string(entry, "android", phone->android);
    json_add_string(entry, "note", phone->note);
    json_add_int(entry, "battery", phone->battery);
    json_add_bool(entry, "watched", phone->watches > 0);
    json_add_bool(entry, "mortal", phone->own);
    json_add_string(entry, "holder", holder);
    json_add_bool(entry, "mine", mine);
    if (phone->run)
        serve_run_describe(phone, entry);
}

static struct cJSON *phones_push(struct serve *serve, uint64_t client)
{
    struct cJSON *push = json_new_object();
    struct cJSON *phones;

    json_add_string(push, "push", "phones");
    if (client & SERVE_LOCAL_CLIENT)
        json_add_string(push, "run", serve->run->socket.name);
    json_add_bool(push, "read_only", serve->options.read_only);
    json_add_bool(push, "can_add", serve_can_add(serve));
    phones = json_add_array(push, "phones");
    for (size_t i = 0; i < serve->phone_count; i++) {
        if (serve->phones[i]->listed)
            add_phone(phones, serve->phones[i], client);
    }
    return push;
}

static void add_rungs(struct cJSON *push,
                      const struct phone_view_status *status)
{
    struct cJSON *rungs = json_add_array(push, "rungs");

    for (int i = LIVE_RUNG_AUTO + 1; i < LIVE_RUNGS; i++) {
        const struct live_rung_status *rung = &status->rungs[i];
        struct cJSON *entry = json_add_object(rungs, NULL);

        json_add_string(entry, "name", live_rung_name((enum live_rung)i));
        json_add_bool(entry, "usable", rung->usable);
        json_add_string(entry, "why", rung->why);
        json_add_int(entry, "fps", (int64_t)(rung->fps + 0.5));
        json_add_int(entry, "first_ms", rung->first_ms);
        json_add_int(entry, "cost_ms",
                     (int64_t)(rung_cost((enum live_rung)i, rung) + 0.5));
    }
}

static struct cJSON *status_push(const struct served_phone *phone,
                                 uint64_t client)
{
    struct cJSON *push = json_new_object();
    struct phone_view_status status;
    uint32_t epoch;
    bool mine;

    phone_view_status(phone->view, &status);
    json_add_string(push, "push", "phone");
    json_add_string(push, "phone", phone->serial);
    json_add_bool(push, "connected", status.connected);
    json_add_string(push, "why", status.why);
    json_add_string(
        push, "rung",
        status.rung == LIVE_RUNG_AUTO ? "" : live_rung_name(status.rung));
    json_add_bool(push, "auto", status.wanted == LIVE_RUNG_AUTO);
    add_rungs(push, &status);
    json_add_string(push, "holder", holder_words(phone, client, &mine, &epoch));
    json_add_bool(push, "mine", mine);
    json_add_string(push, "recording", serve_record_name(phone));
    json_add_int(push, "epoch", mine ? epoch : 0);
    json_add_int(push, "width", status.width);
    json_add_int(push, "height", status.height);
    json_add_int(push, "fps", (int64_t)(status.fps + 0.5));
    return push;
}

/* ---- sending ---- */

/* Send the push, which is freed, unless it is what was sent last. */
static void send_new(struct serve *serve, uint64_t client, struct buf *last,
                     struct cJSON *push)
{
    struct buf text = BUF_INIT(SIZE_MAX);

    json_format(push, &text);
    cJSON_Delete(push);
    if (text.length == last->length &&
        !strcmp(buf_cstr(&text), buf_cstr(last))) {
        buf_release(&text);
        return;
    }
    serve_send_text(serve, client, &text);
    buf_release(last);
    *last = text;
}

static void push_status(struct serve *serve, struct served_phone *phone)
{
    for (struct serve_page *page = serve->pages; page; page = page->next) {
        for (struct serve_watch *watch = page->watches; watch;
             watch = watch->next) {
            if (watch->phone == phone)
                send_new(serve, page->client, &watch->status,
                         status_push(phone, page->client));
        }
    }
}

static void push_all(struct serve *serve, bool tick)
{
    pthread_mutex_lock(&serve->lock);
    serve_attach_runs(serve);
    for (struct serve_page *page = serve->pages; page; page = page->next)
        send_new(serve, page->client, &page->phones,
                 phones_push(serve, page->client));
    for (size_t i = 0; i < serve->phone_count; i++) {
        struct served_phone *phone = serve->phones[i];

        if (phone->view && atomic_exchange(&phone->control_changed, false))
            phone_view_note_control(phone->view);
        if (phone->view && (atomic_exchange(&phone->changed, false) || tick))
            push_status(serve, phone);
    }
    serve_close_idle(serve);
    pthread_mutex_unlock(&serve->lock);
}

/* ---- the thread ---- */

void serve_wake(struct serve *serve)
{
    pthread_mutex_lock(&serve->wake_lock);
    serve->awake = true;
    pthread_cond_signal(&serve->wake);
    pthread_mutex_unlock(&serve->wake_lock);
}

/* False: it is over. */
static bool wait_for_change(struct serve *serve, bool *tick)
{
    struct timespec until = deadline_timespec(deadline_in_ms(TICK_MS));
    bool goes_on;

    *tick = false;
    pthread_mutex_lock(&serve->wake_lock);
    while (!serve->awake && !serve->stopping && !*tick)
        *tick = pthread_cond_timedwait(&serve->wake, &serve->wake_lock,
                                       &until) != 0;
    serve->awake = false;
    goes_on = !serve->stopping;
    pthread_mutex_unlock(&serve->wake_lock);
    return goes_on;
}

static void *work(void *context)
{
    struct serve *serve = context;
    bool tick;

    while (wait_for_change(serve, &tick))
        push_all(serve, tick);
    return NULL;
}

bool serve_pusher_start(struct serve *serve, struct err *err)
{
    int failure = pthread_create(&serve->pusher, NULL, work, serve);

    if (failure)
        return err_errno(err, failure, "start a thread");
    serve->pushing = true;
    return true;
}

void serve_pusher_stop(struct serve *serve)
{
    if (!serve->pushing)
        return;
    pthread_mutex_lock(&serve->wake_lock);
    serve->stopping = true;
    pthread_cond_signal(&serve->wake);
    pthread_mutex_unlock(&serve->wake_lock);
    pthread_join(serve->pusher, NULL);
    serve->pushing = false;
}
