#include "runner/recording/recording_rewrite.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_write.h"
#include "runner/recording/recording_folder.h"
#include "tasks/json/jsonl.h"

/* ---- files ---- */

int recording_free_number(const struct recording *recording, bool tree)
{
    int next = 0;

    for (size_t i = 0; i < recording->count; i++) {
        const struct trajectory_step *step = &recording->trajectory.steps[i];
        const char *file = tree ? step->tree.file : step->screen.file;
        const char *number = strchr(file, '/');
        int found = number ? (int)strtol(number + 1, NULL, 10) : -1;

        if (found >= next)
            next = found + 1;
    }
    return next;
}

bool recording_save_file(const struct recording *recording,
                         struct trajectory_file *file,
                         const struct buf *content, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    sha256_hex(buf_cstr(content), content->length, file->sha256);
    buf_printf(&path, "%s/%s", recording->folder, file->file);
    done = file_save_synced(buf_cstr(&path), 0666, buf_cstr(content),
                            content->length, err);
    buf_release(&path);
    return done;
}

bool recording_drop_replaced(const char *folder, struct err *err)
{
    struct recording recording;
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    if (!recording_load(folder, &recording, err))
        return false;
    done = recording_folder_tidy(&recording, err);
    buf_printf(&path, "%s/process.jsonl", folder);
    if (unlink(buf_cstr(&path)) && errno != ENOENT)
        done = err_errno(err, errno, "remove %s", buf_cstr(&path));
    buf_release(&path);
    recording_release(&recording);
    return done;
}

/* ---- lines ---- */

int recording_line_step(const struct cJSON *line)
{
    const struct cJSON *step = cJSON_GetObjectItemCaseSensitive(line, "step");

    return cJSON_IsNumber(step) ? step->valueint : -1;
}

bool recording_line_is(const struct cJSON *line, const char *event)
{
    const struct cJSON *found = cJSON_GetObjectItemCaseSensitive(line, "event");

    return cJSON_IsString(found) && !strcmp(found->valuestring, event);
}

/* Only the last observation of a step counts. */
bool recording_line_is_replaced(const struct recording *recording,
                                const struct cJSON *line)
{
    const struct trajectory_step *step;
    const struct cJSON *screen;
    const struct cJSON *file;
    int number = recording_line_step(line);

    if (!recording_line_is(line, "observation") || number < 0 ||
        (size_t)number >= recording->count)
        return false;
    step = &recording->trajectory.steps[number];
    screen = cJSON_GetObjectItemCaseSensitive(line, "screen");
    file = cJSON_GetObjectItemCaseSensitive(screen, "file");
    return cJSON_IsString(file) &&
           strcmp(file->valuestring, step->screen.file) != 0;
}

static bool change_all(struct jsonl_reader *reader, recording_change_fn *change,
                       const void *context, struct buf *changed,
                       struct err *err)
{
    struct json line;

    for (;;) {
        if (!jsonl_next(reader, &line, err))
            return false;
        if (!line.value)
            return !changed->overflow ||
                   err_set(err, ERR_LIMIT, "the file is too large");
        if (!change(context, reader->tree))
            continue;
        json_format(reader->tree, changed);
        buf_byte(changed, '\n');
    }
}

bool recording_change_lines(const struct recording *recording, const char *name,
                            recording_change_fn *change, const void *context,
                            struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(JSONL_FILE_MAX);
    struct buf changed = BUF_INIT(JSONL_FILE_MAX);
    struct jsonl_reader reader;
    bool done;

    buf_printf(&path, "%s/%s", recording->folder, name);
    done = file_load(buf_cstr(&path), &text, err);
    reader = (struct jsonl_reader)JSONL_READER(buf_cstr(&text), text.length);
    done = done && change_all(&reader, change, context, &changed, err) &&
           file_save_synced(buf_cstr(&path), 0666, buf_cstr(&changed),
                            changed.length, err);
    jsonl_reader_release(&reader);
    buf_release(&changed);
    buf_release(&text);
    buf_release(&path);
    return done;
}
