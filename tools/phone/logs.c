#include "tools/phone/logs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

void logs_init(struct logs *logs)
{
    *logs = (struct logs){
        .lines = mem_new(LOGS_LINES_MAX, sizeof(*logs->lines)),
    };
    pthread_mutex_init(&logs->lock, NULL);
}

void logs_release(struct logs *logs)
{
    free(logs->lines);
    pthread_mutex_destroy(&logs->lock);
}

void logs_write(struct logs *logs, int64_t time, unsigned pid, char level,
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

uint64_t logs_end(struct logs *logs)
{
    uint64_t end;

    pthread_mutex_lock(&logs->lock);
    end = logs->next;
    pthread_mutex_unlock(&logs->lock);
    return end;
}

bool logs_read(struct logs *logs, uint64_t *number, struct logs_line *line)
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

void logs_clear(struct logs *logs)
{
    pthread_mutex_lock(&logs->lock);
    logs->first = logs->next;
    pthread_mutex_unlock(&logs->lock);
}
