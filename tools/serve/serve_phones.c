/* The phones that are served: listed, viewed, closed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/discover/discover_config.h"
#include "base/mem.h"
#include "tools/phone/graphics/font.h"
#include "tools/phone_source/phone_device.h"
#include "tools/serve/serve_private.h"

#define IDLE_NS (INT64_C(10) * 1000000000)

/* ---- entries ---- */

bool serve_can_add(const struct serve *serve)
{
    return serve->options.search && !serve->only;
}

struct served_phone *serve_find_phone(struct serve *serve, const char *serial)
{
    for (size_t i = 0; i < serve->phone_count; i++) {
        struct served_phone *phone = serve->phones[i];

        if (phone->listed && !strcmp(phone->serial, serial))
            return phone;
    }
    return NULL;
}

static bool is_free(const struct served_phone *phone)
{
    return !phone->listed && !phone->view && !phone->closing && !phone->builtin;
}

/* The one of this serial, an unused one, or a new one. */
static struct served_phone *find_entry(struct serve *serve, const char *serial)
{
    struct served_phone *unused = NULL;

    for (size_t i = 0; i < serve->phone_count; i++) {
        struct served_phone *phone = serve->phones[i];

        if (!strcmp(phone->serial, serial))
            return phone;
        if (is_free(phone))
            unused = phone;
    }
    if (unused || serve->phone_count == SERVE_PHONES_MAX)
        return unused;
    unused = mem_new(1, sizeof(*unused));
    serve->phones[serve->phone_count++] = unused;
    return unused;
}

struct served_phone *serve_enter_phone(struct serve *serve, const char *serial)
{
    struct served_phone *phone = find_entry(serve, serial);

    if (!phone || strcmp(phone->serial, serial) == 0)
        return phone;
    *phone = (struct served_phone){
        .serve = serve, .battery = -1, .lock = PHONE_LOCK_INIT};
    snprintf(phone->serial, sizeof(phone->serial), "%s", serial);
    return phone;
}

/* ---- views ---- */

static void on_status(void *context)
{
    struct served_phone *phone = context;

    phone->changed = true;
    serve_wake(phone->serve);
}

/* The phone is locked against other programs as long as it is open. */
static bool open_locked(struct served_phone *phone,
                        const struct discover *discover, struct deadline by,
                        struct device **device, struct err *err)
{
    struct phone_lock *lock = &phone->lock;

    phone_lock_release(lock);
    if (!phone_lock_take(lock, phone->serial, err))
        return false;
    if (!discover_open(discover, phone->serial, by, device, err)) {
        phone_lock_release(lock);
        return false;
    }
    if (!phone_lock_identify(lock, *device, by, err)) {
        device_close(*device);
        phone_lock_release(lock);
        return false;
    }
    return true;
}

static bool open_phone(void *context, const struct cancel *cancel,
                       struct deadline by, struct device **device,
                       struct err *err)
{
    struct served_phone *phone = context;
    struct discover_config config;
    bool done = discover_config_init(&config, NULL, NULL, cancel,
                                     phone->serve->options.log, err) &&
                open_locked(phone, &config.discover, by, device, err);

    discover_config_release(&config);
    return done;
}

/* The run lends the connection that it has. */
static bool open_of_run(void *context, const struct cancel *cancel,
                        struct deadline by, struct device **device,
                        struct err *err)
{
    struct served_phone *phone = context;

    (void)cancel, (void)by;
    return lent_device_open(&phone->run->lent, device, err);
}

bool serve_ensure_view(struct served_phone *phone, struct err *err)
{
    const struct phone_view_options options = {
        .phone = phone->builtin,
        .open = phone->run ? open_of_run : open_phone,
        .open_context = phone,
        .lease = phone->run ? &phone->run->takeover.lease : NULL,
        .on_status = on_status,
        .status_context = phone,
        .measured = phone->measured ? phone->rungs : NULL,
        .log = phone->serve->options.log,
    };

    if (phone->view)
        return true;
    if (phone->closing)
        return err_set(err, ERR_BUSY, "the phone is being closed: try again");
    if (phone->run && phone->run->away)
        return err_set(err, ERR_BUSY,
                       "the run is preparing the phone: try again");
    if (!phone_view_open(&options, &phone->view, err))
        return false;
    phone->idle_since_ns = clock_ns();
    phone->changed = true;
    return true;
}

/* ---- who drives ---- */

struct control_lease *serve_lease(const struct served_phone *phone)
{
    if (phone->run)
        return &phone->run->takeover.lease;
    return phone->view ? phone_view_lease(phone->view) : NULL;
}

void serve_take_lease(struct served_phone *phone, uint64_t client,
                      enum control_holder holder)
{
    phone->epoch = control_lease_take(serve_lease(phone), holder);
    phone->driver = client;
    if (phone->view)
        phone_view_note_control(phone->view);
}

void serve_give_back(struct served_phone *phone)
{
    phone->driver = 0;
    if (phone->run)
        serve_run_give_back(phone->run, phone->epoch);
    else if (phone->view)
        control_lease_give_back(phone_view_lease(phone->view), phone->epoch);
    if (phone->view)
        phone_view_note_control(phone->view);
}

/* ---- the way to the picture ---- */

/* A built-in phone has no video. */
static bool is_video(const struct served_phone *phone, enum live_rung rung)
{
    return phone->kind != SERVED_BUILTIN && rung != LIVE_RUNG_SCREENCAP;
}

bool serve_choose_rung(struct served_phone *phone, enum live_rung rung,
                       struct err *err)
{
    if (phone->picture_watches && is_video(phone, rung))
        return err_set(err, ERR_REFUSED,
                       "a browser that watches this phone cannot show video");
    return phone_view_choose(phone->view, rung, err);
}

/* Change the way, unless it is used already. */
static void switch_rung(struct served_phone *phone, enum live_rung from,
                        enum live_rung to)
{
    struct err ignored;

    if (phone->kind != SERVED_BUILTIN && from != to)
        (void)!phone_view_choose(phone->view, to, &ignored);
}

void serve_begin_pictures(struct served_phone *phone)
{
    struct phone_view_status status;

    if (phone->picture_watches++ || phone->kind == SERVED_BUILTIN)
        return;
    phone_view_status(phone->view, &status);
    phone->rung_before = status.wanted;
    switch_rung(phone, status.wanted, LIVE_RUNG_SCREENCAP);
}

void serve_end_pictures(struct served_phone *phone)
{
    if (!--phone->picture_watches)
        switch_rung(phone, LIVE_RUNG_SCREENCAP, phone->rung_before);
}

/* ---- closing ---- */

struct closing {
    struct served_phone *phone;
    struct phone_view *view;
};

/* Stop the phone, whose view is closed, if it was dropped. With the lock,
 * which is not held meanwhile. */
static void stop_dropped(struct served_phone *phone)
{
    struct serve *serve = phone->serve;
    struct phone *builtin = phone->builtin;

    if (!phone->stop_when_closed)
        return;
    phone->stop_when_closed = false;
    phone->own = false;
    phone->builtin = NULL;
    pthread_mutex_unlock(&serve->lock);
    phone_stop(builtin);
    pthread_mutex_lock(&serve->lock);
    serve->builtin_count--;
}

static void close_view(void *context)
{
    struct closing *closing = context;
    struct served_phone *phone = closing->phone;
    struct serve *serve = phone->serve;

    serve_record_end(phone);
    phone_view_close(closing->view);
    phone_lock_release(&phone->lock);
    pthread_mutex_lock(&serve->lock);
    stop_dropped(phone);
    phone->closing = false;
    pthread_cond_broadcast(&serve->closed);
    pthread_mutex_unlock(&serve->lock);
    serve_wake(serve);
    free(closing);
}

/* What was measured decides which rung the next view uses. */
static void remember_rungs(struct served_phone *phone)
{
    struct phone_view_status status;

    if (!phone->view)
        return;
    phone_view_status(phone->view, &status);
    memcpy(phone->rungs, status.rungs, sizeof(phone->rungs));
    phone->measured = true;
}

/*
 * One thread at a time closes a phone. Without one the view stays open, and the
 * phone runs, until it is tried again.
 */
static void start_closing(struct served_phone *phone)
{
    struct closing *closing;

    if (phone->closing)
        return;
    closing = mem_new(1, sizeof(*closing));
    *closing = (struct closing){.phone = phone, .view = phone->view};
    if (!thread_group_start(&phone->serve->closers, close_view, closing)) {
        free(closing);
        return;
    }
    phone->closing = true;
    remember_rungs(phone);
    phone->view = NULL;
}

static bool is_idle(const struct served_phone *phone)
{
    return phone->view && !phone->watches && !phone->driver &&
           !phone->recording && clock_ns() - phone->idle_since_ns > IDLE_NS;
}

void serve_set_state(struct served_phone *phone, const char *state)
{
    snprintf(phone->state, sizeof(phone->state), "%s", state);
}

void serve_close_idle(struct serve *serve)
{
    for (size_t i = 0; i < serve->phone_count; i++) {
        struct served_phone *phone = serve->phones[i];

        if (is_idle(phone))
            serve_drop_watches(phone); /* those of lists */
        if (is_idle(phone) || phone->stop_when_closed)
            start_closing(phone);
    }
}

void serve_drop_phone(struct served_phone *phone, const char *why)
{
    struct serve *serve = phone->serve;

    for (struct serve_page *page = serve->pages; page; page = page->next) {
        struct cJSON *push = json_new_object();

        json_add_string(push, "push", "gone");
        json_add_string(push, "phone", phone->serial);
        json_add_string(push, "why", why);
        serve_send(serve, page->client, push);
    }
    serve_drop_watches(phone);
    phone->listed = false;
    phone->driver = 0;
    phone->stop_when_closed = phone->own;
    if (phone->view || phone->own)
        start_closing(phone);
    serve_wake(serve);
}

void serve_close_phones(struct serve *serve)
{
    for (size_t i = 0; i < serve->phone_count; i++) {
        struct served_phone *phone = serve->phones[i];

        phone_view_close(phone->view);
        phone_lock_release(&phone->lock);
        if (phone->own)
            phone_stop(phone->builtin);
        served_run_phone_free(phone->run);
        free(phone);
    }
    serve->phone_count = 0;
}

/* ---- what the finder has found ---- */

/* A built-in phone of this process is listed as such, not by its port. */
static bool is_own_port(const struct serve *serve, const char *serial)
{
    struct discover_address address;

    if (!discover_parse_serial(serial, NULL, &address) ||
        (strcmp(address.host, "127.0.0.1") != 0 &&
         strcmp(address.host, "localhost") != 0))
        return false;
    for (size_t i = 0; i < serve->phone_count; i++) {
        const struct served_phone *phone = serve->phones[i];

        if (phone->builtin && phone_port(phone->builtin) == address.port)
            return true;
    }
    return false;
}

static void update(struct serve *serve, const struct found_phone *found)
{
    static const enum served_kind kinds[] = {
        [DISCOVER_USB] = SERVED_USB,
        [DISCOVER_DIRECT] = SERVED_NETWORK,
        [DISCOVER_SERVER] = SERVED_SERVER,
    };
    struct served_phone *phone;

    if (is_own_port(serve, found->serial) ||
        (serve->only && strcmp(serve->only, found->serial) != 0))
        return;
    phone = serve_enter_phone(serve, found->serial);
    if (!phone || phone->builtin || phone->closing)
        return;
    phone->kind = kinds[found->route];
    phone->listed = true;
    if (found->used_here)
        return;
    snprintf(phone->holder, sizeof(phone->holder), "%s", found->holder);
    phone->usable = found->usable;
    snprintf(phone->state, sizeof(phone->state), "%s", found->state);
    snprintf(phone->model, sizeof(phone->model), "%s", found->model);
    snprintf(phone->android, sizeof(phone->android), "%s", found->android);
    phone->battery = found->battery;
}

static bool is_found(const struct found_phone *found, size_t count,
                     const char *serial)
{
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(found[i].serial, serial))
            return true;
    }
    return false;
}

/* One that is watched stays in the list, and may come back. */
static void lose(struct served_phone *phone)
{
    phone->usable = false;
    phone->holder[0] = '\0';
    snprintf(phone->state, sizeof(phone->state), "not found");
    if (!phone->view)
        phone->listed = false;
}

void serve_on_found(void *context, const struct found_phone *found,
                    size_t count)
{
    struct serve *serve = context;

    pthread_mutex_lock(&serve->lock);
    for (size_t i = 0; i < count; i++)
        update(serve, &found[i]);
    for (size_t i = 0; i < serve->phone_count; i++) {
        struct served_phone *phone = serve->phones[i];

        if (!phone->builtin && !is_found(found, count, phone->serial))
            lose(phone);
    }
    pthread_mutex_unlock(&serve->lock);
    serve_wake(serve);
}

bool serve_is_in_use(void *context, const char *serial)
{
    struct serve *serve = context;
    struct served_phone *phone;
    bool in_use;

    pthread_mutex_lock(&serve->lock);
    phone = serve_find_phone(serve, serial);
    in_use = phone && (phone->view || phone->closing);
    pthread_mutex_unlock(&serve->lock);
    return in_use;
}

/* ---- built-in phones ---- */

static bool add_builtin(struct serve *serve, struct phone *builtin,
                        const char *serial, bool own, const char *note,
                        struct err *err)
{
    struct device *device = phone_device_open(builtin, serial);
    struct phone_facts facts = {.battery = -1};
    struct served_phone *phone;
    bool done;

    phone_facts_read(&facts, device);
    device_close(device);
    pthread_mutex_lock(&serve->lock);
    phone = serve_enter_phone(serve, serial);
    done = phone ? !phone->closing ||
                       err_set(err, ERR_BUSY,
                               "the phone is being closed: try again")
                 : err_set(err, ERR_LIMIT, "there are too many phones");
    if (done) {
        phone->kind = SERVED_BUILTIN;
        phone->builtin = builtin;
        phone->own = own;
        phone->listed = true;
        phone->usable = true;
        phone->battery = facts.battery;
        snprintf(phone->state, sizeof(phone->state), "ready");
        snprintf(phone->note, sizeof(phone->note), "%s", note);
        memcpy(phone->model, facts.model, sizeof(phone->model));
        memcpy(phone->android, facts.android, sizeof(phone->android));
    }
    pthread_mutex_unlock(&serve->lock);
    serve_wake(serve);
    return done;
}

bool serve_add_phone(struct serve *serve, struct phone *phone,
                     const char *serial, struct err *err)
{
    return add_builtin(serve, phone, serial, false, "", err);
}

/* Count it before it is started, so that there are never too many. */
static bool reserve(struct serve *serve, struct phone_fonts **fonts,
                    struct err *err)
{
    bool done;

    pthread_mutex_lock(&serve->lock);
    done = serve->builtin_count < SERVE_BUILTIN_MAX
               ? serve->fonts || fonts_open(&serve->fonts, err)
               : err_set(err, ERR_LIMIT, "%d built-in phones are enough",
                         SERVE_BUILTIN_MAX);
    if (done)
        serve->builtin_count++;
    *fonts = serve->fonts;
    pthread_mutex_unlock(&serve->lock);
    return done;
}

static void give_back(struct serve *serve, struct phone *phone)
{
    phone_stop(phone);
    pthread_mutex_lock(&serve->lock);
    serve->builtin_count--;
    pthread_mutex_unlock(&serve->lock);
}

bool serve_start_builtin(struct serve *serve,
                         const struct serve_message *message,
                         char serial[TCP_ADDRESS_MAX], struct err *err)
{
    struct phone_options options = {
        .seed = (uint64_t)message->seed,
        .skin = (unsigned)message->skin,
        .locale = message->locale,
        .dark = message->dark,
        .realtime = true,
        .log = serve->options.log,
    };
    struct phone *phone = NULL;
    char note[64];

    snprintf(note, sizeof(note), "seed %lld, skin %d", (long long)message->seed,
             message->skin);
    if (!reserve(serve, &options.fonts, err))
        return false;
    if (!phone_start(&options, &phone, err)) {
        give_back(serve, NULL);
        return false;
    }
    tcp_format_address("127.0.0.1", phone_port(phone), serial);
    if (!add_builtin(serve, phone, serial, true, note, err)) {
        give_back(serve, phone);
        return false;
    }
    return true;
}
