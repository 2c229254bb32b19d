#include "tools/phone/system/logs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

/* More lines than any phone writes. */
#define NUMBER_MAX ((uint64_t)1 << 62)

void logs_init(struct phone_logs *logs)
{
    *logs = (struct phone_logs){
        .lines = mem_new(LOGS_LINES_MAX, sizeof(*logs->lines)),
    };
    pthread_mutex_init(&logs->lock, NULL);
}

void logs_release(struct phone_logs *logs)
{
    free(logs->lines);
    pthread_mutex_destroy(&logs->lock);
}

void logs_write(struct phone_logs *logs, int64_t time, unsigned pid, char level,
                const char *tag, const char *fmt, ...)
{
    struct logs_line line = {
        .time = time, .pid = pid, .tid = pid, .level = level};
    va_list args;

    snprintf(line.tag, sizeof(line.tag), "%s", tag);
    va_start(args, fmt);
    vsnprintf(line.text, sizeof(line.text), fmt, args);
    va_end(args);
    pthread_mutex_lock(&logs->lock);
    logs->lines[logs->next++ % LOGS_LINES_MAX] = line;
    if (logs->next - logs->first > LOGS_LINES_MAX)
        logs->first = logs->next - LOGS_LINES_MAX;
    pthread_mutex_unlock(&logs->lock);
}

uint64_t logs_end(struct phone_logs *logs)
{
    uint64_t end;

    pthread_mutex_lock(&logs->lock);
    end = logs->next;
    pthread_mutex_unlock(&logs->lock);
    return end;
}

bool logs_read(struct phone_logs *logs, uint64_t *number,
               struct logs_line *line)
{
    bool found;

    pthread_mutex_lock(&logs->lock);
    if (*number < logs->first)
        *number = logs->first;
    found = *number < logs->next;
    if (found)
        *line = logs->lines[*number % LOGS_LINES_MAX];
    pthread_mutex_unlock(&logs->lock);
    return found;
}

void logs_clear(struct phone_logs *logs)
{
    pthread_mutex_lock(&logs->lock);
    logs->first = logs->next;
    pthread_mutex_unlock(&logs->lock);
}

/* ---- snapshots ---- */

static void save_line(const struct logs_line *line, struct buf *out)
{
    saved_state_put_i64(out, line->time);
    saved_state_put_u32(out, line->pid);
    saved_state_put_u32(out, line->tid);
    saved_state_put_i64(out, line->level);
    saved_state_put_text(out, line->tag);
    saved_state_put_text(out, line->text);
}

static void load_line(struct saved_state *in, struct logs_line *line)
{
    line->time = saved_state_i64(in, INT64_MIN, INT64_MAX);
    line->pid = saved_state_u32(in);
    line->tid = saved_state_u32(in);
    line->level = (char)saved_state_i64(in, 0, 127);
    saved_state_text(in, line->tag, sizeof(line->tag));
    saved_state_text(in, line->text, sizeof(line->text));
}

void logs_save(struct phone_logs *logs, struct buf *out)
{
    pthread_mutex_lock(&logs->lock);
    saved_state_put_u64(out, logs->first);
    saved_state_put_u64(out, logs->next - logs->first);
    for (uint64_t i = logs->first; i < logs->next; i++)
        save_line(&logs->lines[i % LOGS_LINES_MAX], out);
    pthread_mutex_unlock(&logs->lock);
}

void logs_load(struct phone_logs *logs, struct saved_state *in)
{
    uint64_t first = saved_state_u64(in);
    size_t count = saved_state_count(in, LOGS_LINES_MAX);
    struct logs_line *lines = mem_new(LOGS_LINES_MAX, sizeof(*lines));

    if (first > NUMBER_MAX)
        saved_state_break(in);
    for (size_t i = 0; i < count; i++)
        load_line(in, &lines[(first + i) % LOGS_LINES_MAX]);
    pthread_mutex_lock(&logs->lock);
    if (!in->trial && !in->broken) {
        struct logs_line *old = logs->lines;

        logs->lines = lines;
        logs->first = first;
        logs->next = first + count;
        lines = old;
    }
    pthread_mutex_unlock(&logs->lock);
    free(lines);
}
