#include "tests/support/blocked_thread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/deadline.h"

#define PATIENCE_MS 60000
#define STEP_US 1000

void blocked_thread_enter(struct blocked_thread *thread)
{
    atomic_store(&thread->id, gettid());
}

/* proc(5): the state is the letter behind the name in parentheses. */
static bool is_asleep(int id)
{
    char path[64];
    char stat[256] = "";
    const char *name_end;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/self/task/%d/stat", id);
    file = fopen(path, "re");
    if (!file)
        return false;
    stat[fread(stat, 1, sizeof(stat) - 1, file)] = '\0';
    fclose(file);
    name_end = strrchr(stat, ')');
    return name_end && name_end[1] == ' ' && name_end[2] == 'S';
}

void blocked_thread_await(struct blocked_thread *thread)
{
    struct deadline by = deadline_in_ms(PATIENCE_MS);

    for (;;) {
        int id = atomic_load(&thread->id);

        if (id && is_asleep(id))
            return;
        if (deadline_passed(by))
            fail_msg("the thread does not block");
        usleep(STEP_US);
    }
}
