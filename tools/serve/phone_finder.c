#include "tools/serve/phone_finder.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adb/discover/discover_config.h"
#include "adb/services/shell.h"
#include "base/cancel.h"
#include "base/macros.h"
#include "base/mem.h"
#include "runner/device/device_info.h"
#include "runner/device/phone_lock.h"

#define PAUSE_MS 3000
#define SEARCH_MS 4000
#define READ_MS 3000
#define BATTERY_AGE_NS (INT64_C(60) * 1000000000)
#define BATTERY_TEXT_MAX 16384

/* What was read from a phone. */
struct known_facts {
    char serial[TCP_ADDRESS_MAX];
    struct phone_facts facts;
    int64_t read_ns;
    bool used_here;      /* in this search: nothing was asked of it */
    bool has_other_user; /* by another of its names, when it was read last */
    char holder[64];     /* in this search: who else uses it; "": no process */
};

struct phone_finder {
    struct phone_finder_options options;
    pthread_t thread;
    struct cancel cancel;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool stopping;
    bool hurried;
    struct known_facts facts[PHONE_FINDER_MAX]; /* of the thread alone */
    size_t fact_count;
};

/* ---- words ---- */

void phone_state_words(const char *state, const char *reason, char *words,
                       size_t size)
{
    static const struct {
        const char *state;
        const char *words;
    } known[] = {
        {"device", "ready"},
        {"recovery", "ready, in recovery"},
        {"unauthorized", "unauthorized: accept the prompt on the phone"},
        {"offline", "offline: it does not answer"},
        {"busy", "in use by another program"},
        {"no permissions", "no permission: this user may not use the phone"},
        {"authorizing", "waiting for the phone to accept this computer"},
        {"connecting", "connecting"},
        {"bootloader", "in the bootloader: start Android"},
        {"sideload", "waits for a file to install: start Android"},
    };
    const char *text = state;

    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        if (!strcmp(known[i].state, state))
            text = known[i].words;
    }
    if (*reason && strcmp(state, "device") != 0)
        snprintf(words, size, "%s (%s)", text, reason);
    else
        snprintf(words, size, "%s", text);
}

int battery_level(const char *dumpsys)
{
    static const char label[] = "level: ";
    const char *at = strstr(dumpsys, label);
    long level;
    char *end;

    if (!at)
        return -1;
    level = strtol(at + sizeof(label) - 1, &end, 10);
    return end != at + sizeof(label) - 1 && level >= 0 && level <= 100
               ? (int)level
               : -1;
}

/* ---- reading ---- */

static struct known_facts *facts_of(struct phone_finder *finder,
                                    const char *serial)
{
    struct known_facts *facts;

    for (size_t i = 0; i < finder->fact_count; i++) {
        if (!strcmp(finder->facts[i].serial, serial))
            return &finder->facts[i];
    }
    /* The first one goes when there are too many. */
    if (finder->fact_count == PHONE_FINDER_MAX) {
        memmove(finder->facts, finder->facts + 1,
                (PHONE_FINDER_MAX - 1) * sizeof(*finder->facts));
        finder->fact_count--;
    }
    facts = &finder->facts[finder->fact_count++];
    *facts = (struct known_facts){.facts = {.battery = -1}};
    snprintf(facts->serial, sizeof(facts->serial), "%s", serial);
    return facts;
}

void phone_facts_read(struct phone_facts *facts, struct device *device)
{
    struct deadline by = deadline_in_ms(READ_MS);
    struct shell_result result;
    struct device_info info;
    struct err ignored;

    if (!facts->android[0] && device_info_read(device, by, &info, &ignored)) {
        snprintf(facts->android, sizeof(facts->android), "%.15s", info.android);
        snprintf(facts->model, sizeof(facts->model), "%.63s", info.model);
    }
    if (shell_run(device, "dumpsys battery", BATTERY_TEXT_MAX, by, &result,
                  &ignored)) {
        facts->battery = battery_level(buf_cstr(&result.out));
        shell_result_release(&result);
    }
}

/* ---- phones in use ---- */

static bool is_in_use_here(const struct phone_finder *finder,
                           const char *serial)
{
    return finder->options.is_in_use(finder->options.context, serial);
}

/* Phones in use are not opened. */
static bool is_taken(void *context, const char *serial, struct err *err)
{
    struct phone_finder *finder = context;
    struct known_facts *facts;
    long process;

    if (is_in_use_here(finder, serial)) {
        facts_of(finder, serial)->used_here = true;
        (void)err_set(err, ERR_BUSY, "it is used here");
        return true;
    }
    if (!phone_lock_is_taken(serial, &process))
        return false;
    facts = facts_of(finder, serial);
    if (process)
        snprintf(facts->holder, sizeof(facts->holder),
                 "another proctor, process %ld", process);
    else
        snprintf(facts->holder, sizeof(facts->holder), "another proctor");
    (void)err_set(err, ERR_BUSY, "%s", facts->holder);
    return true;
}

/* Read what a phone reports that no other process uses by another name. */
static void read_locked(struct known_facts *facts,
                        const struct discover *discover,
                        struct discover_entry *entry, struct phone_lock *lock)
{
    const struct deadline by = deadline_in_ms(READ_MS);
    struct device *device = NULL;
    struct err err;

    if (!discover_open_entry(discover, entry, by, &device, &err))
        return;
    facts->has_other_user =
        !phone_lock_identify(lock, device, by, &err) && err.code == ERR_BUSY;
    if (!facts->has_other_user)
        phone_facts_read(&facts->facts, device);
    facts->read_ns = clock_ns();
    device_close(device);
}

static void find_facts(struct phone_finder *finder,
                       const struct discover *discover,
                       struct discover_entry *entry)
{
    struct known_facts *facts = facts_of(finder, entry->serial);
    struct phone_lock lock = PHONE_LOCK_INIT;
    struct err ignored;

    /* One at an adb server has not been looked at yet. */
    if (!discover_usable(entry) || is_taken(finder, entry->serial, &ignored) ||
        (facts->read_ns && clock_ns() - facts->read_ns < BATTERY_AGE_NS))
        return;
    if (phone_lock_take_briefly(&lock, entry->serial, &ignored))
        read_locked(facts, discover, entry, &lock);
    phone_lock_release(&lock);
}

static void fill(struct phone_finder *finder,
                 const struct discover_entry *entry, struct found_phone *found)
{
    struct known_facts *known = facts_of(finder, entry->serial);
    const struct phone_facts *facts = &known->facts;
    bool taken;

    if (!known->holder[0] && known->has_other_user)
        snprintf(known->holder, sizeof(known->holder), "another proctor");
    taken = known->holder[0] != '\0';
    *found = (struct found_phone){.route = entry->route,
                                  .usable = !taken && discover_usable(entry),
                                  .used_here = known->used_here,
                                  .battery = facts->battery};
    snprintf(found->holder, sizeof(found->holder), "%s", known->holder);
    snprintf(found->serial, sizeof(found->serial), "%s", entry->serial);
    snprintf(found->model, sizeof(found->model), "%s",
             facts->model[0] ? facts->model : entry->model);
    for (char *at = found->model; *at; at++) {
        if (*at == '_')
            *at = ' ';
    }
    snprintf(found->android, sizeof(found->android), "%s", facts->android);
    phone_state_words(taken ? "busy" : entry->state, taken ? "" : entry->reason,
                      found->state, sizeof(found->state));
}

static void begin_search(struct phone_finder *finder)
{
    for (size_t i = 0; i < finder->fact_count; i++) {
        finder->facts[i].used_here = false;
        finder->facts[i].holder[0] = '\0';
    }
}

static void search(struct phone_finder *finder)
{
    struct found_phone *found = mem_new(PHONE_FINDER_MAX, sizeof(*found));
    struct discover_config config;
    struct discover_entries entries = {.items = NULL};
    struct err ignored;
    size_t count = 0;

    /* Read again each time: what is connected or paired is remembered. */
    (void)!discover_config_init(&config, NULL, NULL, &finder->cancel,
                                finder->options.log, &ignored);
    config.mdns.responder = finder->options.mdns;
    config.discover.keep_open = true;
    config.discover.is_taken = is_taken;
    config.discover.taken_context = finder;
    begin_search(finder);
    if (discover_list(&config.discover, deadline_in_ms(SEARCH_MS), &entries,
                      &ignored)) {
        for (; count < entries.count && count < PHONE_FINDER_MAX; count++) {
            find_facts(finder, &config.discover, &entries.items[count]);
            fill(finder, &entries.items[count], &found[count]);
        }
        finder->options.on_found(finder->options.context, found, count);
    }
    discover_entries_release(&entries);
    discover_config_release(&config);
    free(found);
}

/* ---- the thread ---- */

static bool wait_for_next(struct phone_finder *finder)
{
    struct timespec until = deadline_timespec(deadline_in_ms(PAUSE_MS));
    bool goes_on;

    pthread_mutex_lock(&finder->lock);
    while (!finder->stopping && !finder->hurried &&
           !pthread_cond_timedwait(&finder->changed, &finder->lock, &until))
        ;
    finder->hurried = false;
    goes_on = !finder->stopping;
    pthread_mutex_unlock(&finder->lock);
    return goes_on;
}

static void *work(void *context)
{
    struct phone_finder *finder = context;

    do
        search(finder);
    while (wait_for_next(finder));
    return NULL;
}

bool phone_finder_start(const struct phone_finder_options *options,
                        struct phone_finder **finder, struct err *err)
{
    struct phone_finder *self = mem_new(1, sizeof(*self));
    int failure;

    self->options = *options;
    self->cancel = (struct cancel)CANCEL_INIT;
    if (!cancel_init(&self->cancel, err)) {
        free(self);
        return false;
    }
    pthread_mutex_init(&self->lock, NULL);
    deadline_cond_init(&self->changed);
    failure = pthread_create(&self->thread, NULL, work, self);
    if (failure) {
        pthread_cond_destroy(&self->changed);
        pthread_mutex_destroy(&self->lock);
        cancel_release(&self->cancel);
        free(self);
        return err_errno(err, failure, "start a thread");
    }
    *finder = self;
    return true;
}

static void wake(struct phone_finder *finder, bool *flag)
{
    pthread_mutex_lock(&finder->lock);
    *flag = true;
    pthread_cond_signal(&finder->changed);
    pthread_mutex_unlock(&finder->lock);
}

void phone_finder_stop(struct phone_finder *finder)
{
    if (!finder)
        return;
    cancel_fire(&finder->cancel);
    wake(finder, &finder->stopping);
    pthread_join(finder->thread, NULL);
    pthread_cond_destroy(&finder->changed);
    pthread_mutex_destroy(&finder->lock);
    cancel_release(&finder->cancel);
    free(finder);
}

void phone_finder_hurry(struct phone_finder *finder)
{
    if (finder)
        wake(finder, &finder->hurried);
}
