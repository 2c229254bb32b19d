#include "tools/phone/faults/faults.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/deadline.h"
#include "base/mem.h"
#include "tools/phone/files/glob.h"

/* Longest short form of one fault. */
#define TEXT_MAX ((size_t)1024)

bool faults_init(struct phone_faults *faults, struct virtual_clock *clock,
                 uint64_t seed, struct err *err)
{
    *faults = (struct phone_faults){.clock = clock, .seed = seed};
    pthread_mutex_init(&faults->lock, NULL);
    return cancel_init(&faults->stop, err);
}

void faults_release(struct phone_faults *faults)
{
    free(faults->lines);
    cancel_release(&faults->stop);
    pthread_mutex_destroy(&faults->lock);
}

void faults_stop(struct phone_faults *faults)
{
    cancel_fire(&faults->stop);
}

/* ---- probability ---- */

/* splitmix64: its state is one number, which can be saved. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t first_random(uint64_t seed, uint64_t number)
{
    uint64_t state = seed;
    uint64_t mixed = next_random(&state) ^ number;

    return next_random(&mixed);
}

static bool is_lucky(struct faults_entry *entry)
{
    uint64_t drawn = next_random(&entry->random) % FAULT_CERTAIN;

    return drawn < (uint64_t)entry->fault.chance;
}

/* ---- the list; with the lock held ---- */

static bool matches(const struct phone_fault *fault, const char *place)
{
    char pattern[FAULT_SERVICE_SIZE + 1];

    if (!*fault->service)
        return strcmp(place, FAULTS_CONNECTION) != 0;
    snprintf(pattern, sizeof(pattern), "%s*", fault->service);
    return glob_match(pattern, place);
}

static bool entry_strikes(struct faults_entry *entry, const char *place)
{
    const struct phone_fault *fault = &entry->fault;

    if (!matches(fault, place) || (fault->times != FAULT_ALWAYS &&
                                   entry->struck >= (uint64_t)fault->times))
        return false;
    entry->asked++;
    if (entry->asked <= (uint64_t)fault->skip || !is_lucky(entry))
        return false;
    entry->struck++;
    return true;
}

static void write_line(struct phone_faults *faults,
                       const struct faults_entry *entry, const char *place)
{
    int64_t up = virtual_clock_now(faults->clock) - faults->clock->booted;
    struct buf text = BUF_INIT(TEXT_MAX);
    char *line;

    if (!faults->lines)
        faults->lines = mem_new(FAULTS_LOG_MAX, sizeof(*faults->lines));
    line = faults->lines[faults->line_count++ % FAULTS_LOG_MAX];
    fault_format(&entry->fault, &text);
    snprintf(line, FAULTS_LINE_SIZE,
             "[%5lld.%03lld] fault %llu %.200s at %.80s",
             (long long)(up / PHONE_SECOND),
             (long long)(up % PHONE_SECOND / CLOCK_MILLISECOND),
             (unsigned long long)entry->number, buf_cstr(&text), place);
    buf_release(&text);
    if (faults->tell)
        faults->tell(faults->tell_context, line);
}

/* ---- functions that take the lock ---- */

bool faults_strike(struct phone_faults *faults, enum phone_fault_kind kind,
                   const char *place, struct phone_fault *struck)
{
    bool found = false;

    pthread_mutex_lock(&faults->lock);
    for (size_t i = 0; i < faults->count && !found; i++) {
        struct faults_entry *entry = &faults->entries[i];

        found = entry->fault.kind == kind && entry_strikes(entry, place);
        if (found) {
            *struck = entry->fault;
            write_line(faults, entry, place);
        }
    }
    pthread_mutex_unlock(&faults->lock);
    return found;
}

bool faults_add(struct phone_faults *faults, const char *text, size_t length,
                struct err *err)
{
    struct phone_fault *parsed = mem_new(FAULTS_MAX, sizeof(*parsed));
    size_t count;
    bool done;

    pthread_mutex_lock(&faults->lock);
    done = fault_parse(text, length, parsed, FAULTS_MAX - faults->count, &count,
                       err);
    for (size_t i = 0; done && i < count; i++) {
        uint64_t number = ++faults->last_number;

        faults->entries[faults->count++] = (struct faults_entry){
            .fault = parsed[i],
            .number = number,
            .random = first_random(faults->seed, number),
        };
    }
    pthread_mutex_unlock(&faults->lock);
    free(parsed);
    return done;
}

uint64_t faults_last(struct phone_faults *faults)
{
    uint64_t last;

    pthread_mutex_lock(&faults->lock);
    last = faults->last_number;
    pthread_mutex_unlock(&faults->lock);
    return last;
}

bool faults_remove(struct phone_faults *faults, uint64_t number)
{
    bool found = false;

    pthread_mutex_lock(&faults->lock);
    for (size_t i = 0; i < faults->count; i++) {
        if (found)
            faults->entries[i - 1] = faults->entries[i];
        found = found || faults->entries[i].number == number;
    }
    faults->count -= found;
    pthread_mutex_unlock(&faults->lock);
    return found;
}

void faults_clear(struct phone_faults *faults)
{
    pthread_mutex_lock(&faults->lock);
    faults->count = 0;
    pthread_mutex_unlock(&faults->lock);
}

void faults_list(struct phone_faults *faults, struct buf *text)
{
    pthread_mutex_lock(&faults->lock);
    for (size_t i = 0; i < faults->count; i++) {
        const struct faults_entry *entry = &faults->entries[i];

        buf_printf(text, "%llu ", (unsigned long long)entry->number);
        fault_format(&entry->fault, text);
        buf_printf(text, " (struck %llu times)\n",
                   (unsigned long long)entry->struck);
    }
    pthread_mutex_unlock(&faults->lock);
}

void faults_log(struct phone_faults *faults, struct buf *text)
{
    uint64_t first = 0;

    pthread_mutex_lock(&faults->lock);
    if (faults->line_count > FAULTS_LOG_MAX)
        first = faults->line_count - FAULTS_LOG_MAX;
    for (uint64_t i = first; i < faults->line_count; i++)
        buf_printf(text, "%s\n", faults->lines[i % FAULTS_LOG_MAX]);
    pthread_mutex_unlock(&faults->lock);
}

void faults_delay(struct phone_faults *faults, int64_t ms)
{
    struct pollfd stop = {.fd = cancel_fd(&faults->stop), .events = POLLIN};

    virtual_clock_advance(faults->clock, ms * CLOCK_MILLISECOND);
    poll(&stop, 1, deadline_left_ms(deadline_in_ms(ms)));
}

/* ---- snapshots ---- */

void faults_save(struct phone_faults *faults, struct buf *out)
{
    struct buf text = BUF_INIT(TEXT_MAX);

    pthread_mutex_lock(&faults->lock);
    saved_state_put_u64(out, faults->seed);
    saved_state_put_u64(out, faults->last_number);
    saved_state_put_u64(out, faults->count);
    for (size_t i = 0; i < faults->count; i++) {
        const struct faults_entry *entry = &faults->entries[i];

        buf_clear(&text);
        fault_format(&entry->fault, &text);
        saved_state_put_text(out, buf_cstr(&text));
        saved_state_put_u64(out, entry->number);
        saved_state_put_u64(out, entry->asked);
        saved_state_put_u64(out, entry->struck);
        saved_state_put_u64(out, entry->random);
    }
    pthread_mutex_unlock(&faults->lock);
    buf_release(&text);
}

static void load_entry(struct saved_state *in, struct faults_entry *entry)
{
    char text[TEXT_MAX + 1];
    struct err err = ERR_INIT;
    size_t count;

    saved_state_text(in, text, sizeof(text));
    if (!in->broken &&
        (!fault_parse(text, strlen(text), &entry->fault, 1, &count, &err) ||
         count != 1))
        saved_state_break(in);
    entry->number = saved_state_u64(in);
    entry->asked = saved_state_u64(in);
    entry->struck = saved_state_u64(in);
    entry->random = saved_state_u64(in);
}

void faults_load(struct phone_faults *faults, struct saved_state *in)
{
    struct faults_entry *entries = mem_new(FAULTS_MAX, sizeof(*entries));
    uint64_t seed = saved_state_u64(in);
    uint64_t last_number = saved_state_u64(in);
    size_t count = saved_state_count(in, FAULTS_MAX);

    for (size_t i = 0; i < count; i++)
        load_entry(in, &entries[i]);
    if (!in->trial && !in->broken) {
        pthread_mutex_lock(&faults->lock);
        memcpy(faults->entries, entries, count * sizeof(*entries));
        faults->count = count;
        faults->seed = seed;
        faults->last_number = last_number;
        pthread_mutex_unlock(&faults->lock);
    }
    free(entries);
}
