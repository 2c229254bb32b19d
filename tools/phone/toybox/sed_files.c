/* The lines that sed reads and writes. */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tools/phone/toybox/sed_private.h"

/* ---- output ---- */

void sed_put(struct sed *sed, const char *data, size_t size)
{
    if (!sed->out)
        call_write(sed->call, data, size);
    else if (size && !sh_out_write(sed->out, data, size))
        sed->call->ended = true;
}

void sed_put_line(struct sed *sed, const char *data, size_t size)
{
    sed_put(sed, data, size);
    sed_put(sed, "\n", 1);
}

void sed_flush_behind(struct sed *sed)
{
    sed_put(sed, buf_cstr(&sed->behind), sed->behind.length);
    buf_clear(&sed->behind);
}

/* ---- input ---- */

/* With -i the edited file replaces the original. */
static bool begin_in_place(struct sed *sed, const char *name)
{
    struct buf kept = BUF_INIT(FILES_PATH_MAX);
    char *from = call_path(sed->call, name);
    char *to = NULL;
    int number = ENAMETOOLONG;
    bool done = from != NULL;

    if (done && sed->suffix && *sed->suffix) {
        buf_printf(&kept, "%s%s", from, sed->suffix);
        to = mem_dup(buf_cstr(&kept));
        done = !kept.overflow &&
               files_copy(sed->call->files, from, to,
                          (struct files_copying){.keep = true}, &number);
        if (!done)
            call_fail_path(sed->call, name, number);
    }
    buf_release(&kept);
    free(from);
    free(to);
    return done && call_create(sed->call, name, false, &sed->out);
}

bool sed_next_file(struct sed *sed)
{
    while (sed->name_next < sed->name_count && !sed->call->ended) {
        const char *name = sed->names[sed->name_next++];

        if (!call_open(sed->call, name, &sed->in)) {
            sed->status = 1;
            continue;
        }
        if (sed->in_place && !begin_in_place(sed, name)) {
            call_close(sed->call, sed->in);
            sed->in = NULL;
            sed->status = 1;
            continue;
        }
        call_lines_init(&sed->lines, sed->call, sed->in);
        return true;
    }
    return false;
}

void sed_end_file(struct sed *sed)
{
    call_lines_release(&sed->lines);
    call_close(sed->call, sed->in);
    sed->in = NULL;
}

void sed_look_ahead(struct sed *sed)
{
    const char *line;
    size_t length;

    sed->has_ahead = false;
    while (sed->in || (!sed->separate && sed_next_file(sed))) {
        if (call_lines_next(&sed->lines, &line, &length)) {
            buf_clear(&sed->ahead);
            buf_append(&sed->ahead, line, length);
            sed->has_ahead = true;
            return;
        }
        sed_end_file(sed);
    }
}

bool sed_read_line(struct sed *sed)
{
    if (!sed->has_ahead || !call_step(sed->call))
        return false;
    buf_append(&sed->space, buf_cstr(&sed->ahead), sed->ahead.length);
    if (sed->space.overflow) {
        call_fail(sed->call, "line too long");
        sed->status = 1;
        return false;
    }
    sed->number++;
    sed_look_ahead(sed);
    return true;
}
