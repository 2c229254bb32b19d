#include "runner/recording/recording_edit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/name_table.h"
#include "tasks/json/jsonl.h"
#include "tasks/trajectory/trajectory.h"

enum edit_member {
    HAS_STEP = 1 << 0,
    HAS_ON = 1 << 1,
    HAS_TEXT = 1 << 2,
    HAS_SELECTOR = 1 << 3,
    MAY_HAVE_SELECTOR = 1 << 4,
    HAS_RANGE = 1 << 5,
};

static const char *const kind_names[RECORDING_EDIT_KINDS] = {
    [EDIT_STAR] = "star",         [EDIT_NOTE] = "note",
    [EDIT_DELETE] = "delete",     [EDIT_EVIDENCE] = "evidence",
    [EDIT_WAIT_FOR] = "wait_for", [EDIT_TARGET] = "target",
    [EDIT_UNDONE] = "undone",     [EDIT_FLAG] = "flag",
    [EDIT_RETAKE] = "retake",     [EDIT_TRIM] = "trim",
    [EDIT_ANSWER] = "answer",
};

static const unsigned kind_members[RECORDING_EDIT_KINDS] = {
    [EDIT_STAR] = HAS_STEP | HAS_ON,
    [EDIT_NOTE] = HAS_STEP | HAS_TEXT,
    [EDIT_DELETE] = HAS_STEP | HAS_ON,
    [EDIT_EVIDENCE] = HAS_STEP | HAS_SELECTOR | HAS_ON,
    [EDIT_WAIT_FOR] = HAS_STEP | MAY_HAVE_SELECTOR,
    [EDIT_ANSWER] = HAS_STEP | HAS_TEXT | MAY_HAVE_SELECTOR,
    [EDIT_TARGET] = HAS_STEP | HAS_SELECTOR,
    [EDIT_UNDONE] = HAS_STEP | HAS_ON,
    [EDIT_FLAG] = HAS_STEP | HAS_TEXT,
    [EDIT_RETAKE] = HAS_STEP,
    [EDIT_TRIM] = HAS_RANGE,
};

void recording_edit_release(struct recording_edit *edit)
{
    if (edit->selector)
        node_selector_release(edit->selector);
    free(edit->selector);
    free(edit->text);
    *edit = (struct recording_edit){.kind = EDIT_STAR};
}

const char *recording_edit_kind_name(enum recording_edit_kind kind)
{
    return kind_names[kind];
}

/* ---- as JSON ---- */

struct cJSON *recording_edit_to_json(const struct recording_edit *edit)
{
    unsigned members = kind_members[edit->kind];
    struct cJSON *line = json_new_object();

    json_add_string(line, "edit", kind_names[edit->kind]);
    if (members & HAS_STEP)
        json_add_int(line, "step", edit->step);
    if (members & HAS_ON)
        json_add_bool(line, "on", edit->on);
    if (members & HAS_RANGE) {
        json_add_int(line, "from", edit->from);
        json_add_int(line, "to", edit->to);
    }
    if (members & HAS_TEXT)
        json_add_string(line, "text", edit->text ? edit->text : "");
    if (edit->selector)
        cJSON_AddItemToObject(line, "selector",
                              node_selector_to_json(edit->selector));
    return line;
}

static bool read_step(const struct json *json, const char *key, int *step,
                      struct err *err)
{
    int64_t number = 0;

    if (!json_get_int(json, key, 0, TRAJECTORY_STEPS_MAX, &number, err))
        return false;
    *step = (int)number;
    return true;
}

static bool read_text(const struct json *json, char **text, struct err *err)
{
    const char *found = NULL;

    if (!json_get_string(json, "text", &found, err))
        return false;
    if (strlen(found) > RECORDING_TEXT_MAX)
        return err_set(err, ERR_LIMIT, "text: more than %zu bytes",
                       RECORDING_TEXT_MAX);
    *text = mem_dup(found);
    return true;
}

static bool read_selector(const struct json *json, bool needed,
                          struct node_selector **selector, struct err *err)
{
    struct json object = JSON_NONE;
    struct node_selector read;

    if (!(needed ? json_get_object(json, "selector", &object, err)
                 : json_opt_object(json, "selector", &object, err)))
        return false;
    if (!object.value)
        return true;
    if (!node_selector_from_json(&object, &read, err))
        return false;
    *selector = mem_new(1, sizeof(**selector));
    **selector = read;
    return true;
}

static bool read_members(const struct json *json, struct recording_edit *edit,
                         struct err *err)
{
    unsigned members = kind_members[edit->kind];

    if ((members & HAS_STEP) && !read_step(json, "step", &edit->step, err))
        return false;
    if ((members & HAS_ON) && !json_get_bool(json, "on", &edit->on, err))
        return false;
    if ((members & HAS_TEXT) && !read_text(json, &edit->text, err))
        return false;
    if ((members & (HAS_SELECTOR | MAY_HAVE_SELECTOR)) &&
        !read_selector(json, members & HAS_SELECTOR, &edit->selector, err))
        return false;
    if (!(members & HAS_RANGE))
        return true;
    if (!read_step(json, "from", &edit->from, err) ||
        !read_step(json, "to", &edit->to, err))
        return false;
    return edit->from <= edit->to ||
           err_set(err, ERR_INVALID, "to: %d is before from: %d", edit->to,
                   edit->from);
}

bool recording_edit_from_json(const struct json *json,
                              struct recording_edit *edit, struct err *err)
{
    struct recording_edit read = {.kind = EDIT_STAR};
    const char *name = NULL;
    size_t kind;

    if (!json_get_string(json, "edit", &name, err))
        return false;
    kind = name_table_find(kind_names, RECORDING_EDIT_KINDS, name);
    if (kind >= RECORDING_EDIT_KINDS)
        return err_set(err, ERR_INVALID, "edit: there is no \"%.20s\"", name);
    read.kind = (enum recording_edit_kind)kind;
    if (!read_members(json, &read, err)) {
        recording_edit_release(&read);
        return false;
    }
    *edit = read;
    return true;
}

/* ---- reading ---- */

void recording_edits_release(struct recording_edits *edits)
{
    for (size_t i = 0; i < edits->count; i++)
        recording_edit_release(&edits->items[i]);
    free(edits->items);
    *edits = (struct recording_edits){.items = NULL};
}

static bool add_line(const struct json *line, struct recording_edits *edits,
                     struct err *err)
{
    if (edits->count == RECORDING_EDITS_MAX)
        return err_set(err, ERR_LIMIT, "more than %d edits",
                       RECORDING_EDITS_MAX);
    edits->items =
        mem_resize(edits->items, edits->count + 1, sizeof(*edits->items));
    if (!recording_edit_from_json(line, &edits->items[edits->count], err))
        return false;
    edits->count++;
    return true;
}

static bool read_lines(struct jsonl_reader *reader,
                       struct recording_edits *edits, struct err *err)
{
    struct json line;

    for (;;) {
        if (!jsonl_next(reader, &line, err))
            return false;
        if (!line.value)
            break;
        if (!(reader->line == 1 ? json_check_format(&line, RECORDING_FORMAT,
                                                    RECORDING_VERSION, err)
                                : add_line(&line, edits, err)))
            return jsonl_wrap(reader, err);
    }
    edits->torn = reader->torn;
    return true;
}

bool recording_edits_parse(const char *text, size_t length,
                           struct recording_edits *edits, struct err *err)
{
    struct jsonl_reader reader = JSONL_READER(text, length);
    struct recording_edits read = {.items = NULL};
    bool done = read_lines(&reader, &read, err);

    jsonl_reader_release(&reader);
    if (!done) {
        recording_edits_release(&read);
        return false;
    }
    *edits = read;
    return true;
}

bool recording_edits_load(const char *folder, struct recording_edits *edits,
                          struct err *err)
{
    struct buf text = BUF_INIT(JSONL_FILE_MAX);
    struct buf path = BUF_INIT(PATH_MAX);
    struct err why = ERR_INIT;
    bool done;

    buf_printf(&path, "%s/" RECORDING_EDITS_FILE, folder);
    if (file_load(buf_cstr(&path), &text, &why)) {
        done =
            recording_edits_parse(buf_cstr(&text), text.length, edits, err) ||
            err_wrap(err, "%s", buf_cstr(&path));
    } else if (why.code == ERR_NOT_FOUND) {
        *edits = (struct recording_edits){.items = NULL};
        done = true;
    } else {
        *err = why;
        done = false;
    }
    buf_release(&text);
    buf_release(&path);
    return done;
}

/* ---- adding ---- */

/* A line must be readable before it is written. */
static bool check_line(const struct cJSON *line, struct err *err)
{
    struct buf text = BUF_INIT(JSON_SIZE_MAX);
    struct cJSON *tree = NULL;
    struct recording_edit read = {.kind = EDIT_STAR};
    bool done;

    json_format(line, &text);
    done = json_parse(buf_cstr(&text), text.length, &tree, err);
    if (done) {
        const struct json json = JSON_ROOT(tree);

        done = recording_edit_from_json(&json, &read, err);
    }
    recording_edit_release(&read);
    cJSON_Delete(tree);
    buf_release(&text);
    return done || err_wrap(err, "edit of a recording");
}

static struct cJSON *head_line(void)
{
    struct cJSON *head = json_new_object();

    json_add_string(head, "format", RECORDING_FORMAT);
    json_add_int(head, "version", RECORDING_VERSION);
    return head;
}

static bool add_head(struct jsonl_writer *writer, struct err *err)
{
    struct cJSON *head;
    bool done;

    if (lseek(writer->fd, 0, SEEK_END) > 0)
        return true;
    head = head_line();
    done = jsonl_add(writer, head, err);
    cJSON_Delete(head);
    return done;
}

bool recording_edits_create(const char *folder, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(RECORDING_TEXT_MAX);
    struct cJSON *head = head_line();
    bool done;

    json_format(head, &text);
    buf_byte(&text, '\n');
    cJSON_Delete(head);
    buf_printf(&path, "%s/" RECORDING_EDITS_FILE, folder);
    done = file_save_synced(buf_cstr(&path), 0666, text.data, text.length, err);
    buf_release(&text);
    buf_release(&path);
    return done;
}

/* Open and lock the file of this moment; -1: errno says why not. */
static int open_locked(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int locked = -1;

    if (fd < 0)
        return -1;
    do {
        locked = flock(fd, LOCK_EX);
    } while (locked && errno == EINTR);
    if (!locked)
        return fd;
    close(fd);
    return -1;
}

/* Has the file been replaced since it was opened? */
static bool is_replaced(const char *path, int fd)
{
    struct stat opened;
    struct stat named;

    return !fstat(fd, &opened) &&
           (stat(path, &named) || opened.st_dev != named.st_dev ||
            opened.st_ino != named.st_ino);
}

/* One that had the lock may have replaced the file meanwhile. */
bool recording_edits_lock(const char *folder, int *lock, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    int fd;

    buf_printf(&path, "%s/" RECORDING_EDITS_FILE, folder);
    while ((fd = open_locked(buf_cstr(&path))) >= 0 &&
           is_replaced(buf_cstr(&path), fd))
        close(fd);
    if (fd < 0)
        err_errno(err, errno, "lock %s", buf_cstr(&path));
    buf_release(&path);
    *lock = fd;
    return fd >= 0;
}

/* A torn line is cut off by the one that has the lock. */
static bool append(const char *folder, const struct cJSON *line,
                   struct err *err)
{
    struct jsonl_writer writer = JSONL_WRITER_INIT;
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;
    int lock;

    if (!recording_edits_lock(folder, &lock, err))
        return false;
    buf_printf(&path, "%s/" RECORDING_EDITS_FILE, folder);
    done = jsonl_open(&writer, buf_cstr(&path), err) &&
           add_head(&writer, err) && jsonl_add(&writer, line, err) &&
           jsonl_sync(&writer, err);
    jsonl_close(&writer);
    close(lock);
    buf_release(&path);
    return done;
}

bool recording_edit_add(const char *folder, const struct recording_edit *edit,
                        struct err *err)
{
    struct cJSON *line = recording_edit_to_json(edit);
    bool done = check_line(line, err) && append(folder, line, err);

    cJSON_Delete(line);
    return done;
}
