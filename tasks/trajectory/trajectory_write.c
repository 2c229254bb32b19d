#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "tasks/json/jsonl.h"
#include "tasks/trajectory/trajectory_private.h"

#define HEAD_MAX ((size_t)1 << 20)

enum store_kind { SCREEN, TREE, KINDS };

static const struct {
    const char *folder;
    const char *extension;
} stores[KINDS] = {
    [SCREEN] = {"screens", "png"},
    [TREE] = {"trees", "xml"},
};

/* Files that were stored so far, so that equal content is stored once. */
struct stored {
    struct trajectory_file *files; /* owned */
    size_t count;
    size_t synced; /* so many of them are synced */
    int next;      /* lower numbers are in use */
};

struct trajectory_writer {
    struct jsonl_writer events;
    char *folder; /* owned */
    struct stored stored[KINDS];
    int step;
};

/* ---- beginning ---- */

static bool make_folder(const char *path, struct err *err)
{
    return !mkdir(path, 0777) || err_errno(err, errno, "make %s", path);
}

static bool make_folders(const char *folder, struct err *err)
{
    if (!make_folder(folder, err))
        return false;
    for (int i = 0; i < KINDS; i++) {
        struct buf path = BUF_INIT(PATH_MAX);
        bool done;

        buf_printf(&path, "%s/%s", folder, stores[i].folder);
        done = make_folder(buf_cstr(&path), err);
        buf_release(&path);
        if (!done)
            return false;
    }
    return true;
}

/* RFC 9562, version 4: all of it random. */
static bool make_uuid(char uuid[37], struct err *err)
{
    unsigned char b[16];

    if (getrandom(b, sizeof(b), 0) != (ssize_t)sizeof(b))
        return err_errno(err, errno, "make a UUID");
    b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
    snprintf(uuid, 37,
             "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
             "%02x%02x%02x%02x%02x%02x",
             b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10],
             b[11], b[12], b[13], b[14], b[15]);
    return true;
}

static void add_count(struct cJSON *into, const char *key, int64_t count)
{
    if (count)
        json_add_int(into, key, count);
}

/* Append the event, and free it. */
static bool add_event(struct trajectory_writer *writer, struct cJSON *event,
                      struct err *err)
{
    bool done = jsonl_add(&writer->events, event, err);

    cJSON_Delete(event);
    return done;
}

static struct cJSON *head_line(const struct trajectory_head *head)
{
    struct cJSON *line = json_new_object();

    json_add_string(line, "format", TRAJECTORY_FORMAT);
    json_add_int(line, "version", TRAJECTORY_VERSION);
    json_add_string(line, "uuid", head->uuid);
    json_add_string(line, "task", head->task);
    json_add_int(line, "repeat", head->repeat);
    json_add_int(line, "attempt", head->attempt);
    json_add_opt_string(line, "agent", head->agent);
    json_add_opt_string(line, "phone", head->phone);
    json_add_opt_string(line, "instruction", head->instruction);
    json_add_opt_string(line, "app", head->app);
    json_add_opt_string(line, "locale", head->locale);
    json_add_int(line, "width", head->width);
    json_add_int(line, "height", head->height);
    json_add_int(line, "started_ms", head->started_ms);
    if (head->builtin) {
        struct cJSON *builtin = json_add_object(line, "built_in");

        json_add_int(builtin, "seed", head->seed);
        json_add_int(builtin, "skin", head->skin);
    }
    return line;
}

/* The file gets its name together with its head: every episode has one. */
static bool save_head(const char *path, const struct trajectory_head *head,
                      struct err *err)
{
    struct buf text = BUF_INIT(HEAD_MAX);
    struct cJSON *line = head_line(head);
    bool done;

    json_format(line, &text);
    buf_byte(&text, '\n');
    cJSON_Delete(line);
    done =
        text.overflow
            ? err_set(err, ERR_LIMIT, "a head of more than %zu bytes", HEAD_MAX)
            : file_save_synced(path, 0666, text.data, text.length, err);
    buf_release(&text);
    return done;
}

bool trajectory_create(const char *folder, struct trajectory_head *head,
                       struct trajectory_writer **writer, struct err *err)
{
    struct trajectory_writer *made = mem_new(1, sizeof(*made));
    struct buf path = BUF_INIT(PATH_MAX);
    bool done;

    made->events = (struct jsonl_writer)JSONL_WRITER_INIT;
    made->folder = mem_dup(folder);
    buf_printf(&path, "%s/" TRAJECTORY_EVENTS, folder);
    done = make_uuid(head->uuid, err) && make_folders(folder, err) &&
           save_head(buf_cstr(&path), head, err) &&
           jsonl_open(&made->events, buf_cstr(&path), err);
    buf_release(&path);
    if (!done) {
        trajectory_close(made);
        return false;
    }
    *writer = made;
    return true;
}

/* ---- observing ---- */

static const struct trajectory_file *find_stored(const struct stored *stored,
                                                 const char *sha256)
{
    for (size_t i = stored->count; i-- > 0;) {
        if (!strcmp(stored->files[i].sha256, sha256))
            return &stored->files[i];
    }
    return NULL;
}

/* Of the name of a stored file, such as "screens/0007.png". */
static int file_number(const char *file)
{
    return (int)strtol(strchr(file, '/') + 1, NULL, 10);
}

static const struct trajectory_file *remember(
    struct stored *stored, const struct trajectory_file *file)
{
    stored->files =
        mem_resize(stored->files, stored->count + 1, sizeof(*stored->files));
    stored->files[stored->count] = *file;
    if (stored->next <= file_number(file->file))
        stored->next = file_number(file->file) + 1;
    return &stored->files[stored->count++];
}

/*
 * The number of a file is that of its step, or a higher one: a file that an
 * event names is never overwritten, also when the step is observed again.
 */
static int free_number(const struct trajectory_writer *writer,
                       enum store_kind kind)
{
    int next = writer->stored[kind].next;

    return next > writer->step ? next : writer->step;
}

static bool store(struct trajectory_writer *writer, enum store_kind kind,
                  const void *data, size_t size,
                  const struct trajectory_file **file, struct err *err)
{
    struct stored *stored = &writer->stored[kind];
    struct buf path = BUF_INIT(PATH_MAX);
    struct trajectory_file made;
    bool done;

    sha256_hex(data, size, made.sha256);
    *file = find_stored(stored, made.sha256);
    if (*file)
        return true;
    snprintf(made.file, sizeof(made.file), "%s/%04d.%s", stores[kind].folder,
             free_number(writer, kind), stores[kind].extension);
    buf_printf(&path, "%s/%s", writer->folder, made.file);
    done = file_save(buf_cstr(&path), 0666, data, size, err);
    buf_release(&path);
    if (done)
        *file = remember(stored, &made);
    return done;
}

/* An event that names a file is synced after the file and its name. */
static bool sync_stored(struct trajectory_writer *writer, enum store_kind kind,
                        struct err *err)
{
    struct stored *stored = &writer->stored[kind];
    struct buf path = BUF_INIT(PATH_MAX);
    bool done = true;

    if (stored->synced == stored->count)
        return true;
    for (; done && stored->synced < stored->count;
         stored->synced += (size_t)done) {
        buf_clear(&path);
        buf_printf(&path, "%s/%s", writer->folder,
                   stored->files[stored->synced].file);
        done = file_sync(buf_cstr(&path), err);
    }
    buf_clear(&path);
    buf_printf(&path, "%s/%s", writer->folder, stores[kind].folder);
    done = done && file_sync(buf_cstr(&path), err);
    buf_release(&path);
    return done;
}

/* Store the files of an observation, and sync them. */
static bool keep(struct trajectory_writer *writer,
                 const struct trajectory_observation *observation,
                 const struct trajectory_file *kept[KINDS], struct err *err)
{
    return (!observation->screen ||
            store(writer, SCREEN, observation->screen, observation->screen_size,
                  &kept[SCREEN], err)) &&
           (!observation->tree ||
            store(writer, TREE, observation->tree, observation->tree_size,
                  &kept[TREE], err)) &&
           sync_stored(writer, SCREEN, err) && sync_stored(writer, TREE, err);
}

bool trajectory_store_observation(
    struct trajectory_writer *writer,
    const struct trajectory_observation *observation, struct err *err)
{
    const struct trajectory_file *kept[KINDS] = {NULL};

    return keep(writer, observation, kept, err);
}

bool trajectory_store_screen(struct trajectory_writer *writer,
                             const void *screen, size_t size, char **path,
                             struct err *err)
{
    const struct trajectory_file *file;
    struct buf name = BUF_INIT(PATH_MAX);

    if (!store(writer, SCREEN, screen, size, &file, err))
        return false;
    buf_printf(&name, "%s/%s", writer->folder, file->file);
    *path = mem_dup(buf_cstr(&name));
    buf_release(&name);
    return true;
}

static void add_file(struct cJSON *event, const char *key,
                     const struct trajectory_file *file)
{
    struct cJSON *object = json_add_object(event, key);

    json_add_string(object, "file", file->file);
    json_add_string(object, "sha256", file->sha256);
}

static struct cJSON *new_event_of(int step, const char *name)
{
    struct cJSON *event = json_new_object();

    json_add_string(event, "event", name);
    json_add_int(event, "step", step);
    return event;
}

static struct cJSON *new_event(const struct trajectory_writer *writer,
                               const char *name)
{
    return new_event_of(writer->step, name);
}

bool trajectory_write_observation(
    struct trajectory_writer *writer,
    const struct trajectory_observation *observation, struct err *err)
{
    const struct trajectory_file *kept[KINDS] = {NULL};
    struct cJSON *event;

    if (writer->step >= TRAJECTORY_STEPS_MAX)
        return err_set(err, ERR_LIMIT, "an episode of more than %d steps",
                       TRAJECTORY_STEPS_MAX);
    if (!keep(writer, observation, kept, err))
        return false;
    event = new_event(writer, "observation");
    if (kept[SCREEN])
        add_file(event, "screen", kept[SCREEN]);
    if (kept[TREE])
        add_file(event, "tree", kept[TREE]);
    json_add_opt_string(event, "package", observation->package);
    json_add_opt_string(event, "activity", observation->activity);
    json_add_opt_string(event, "doubt", observation->doubt);
    json_add_int(event, "at_ms", observation->at_ms);
    add_count(event, "settle_ms", observation->settle_ms);
    return add_event(writer, event, err);
}

/* ---- going on ---- */

/* The file is in a complete event: it was synced before. */
static void remember_synced(struct stored *stored,
                            const struct trajectory_file *file)
{
    if (file->file[0] && !find_stored(stored, file->sha256))
        remember(stored, file);
    stored->synced = stored->count;
}

static void remember_steps(const struct trajectory *trajectory,
                           struct trajectory_writer *writer)
{
    for (size_t i = 0; i < trajectory->count; i++) {
        const struct trajectory_step *step = &trajectory->steps[i];

        remember_synced(&writer->stored[SCREEN], &step->screen);
        remember_synced(&writer->stored[TREE], &step->tree);
        writer->step = (int)i + step->acted;
    }
}

bool trajectory_continue(const char *folder, struct trajectory_writer **writer,
                         struct err *err)
{
    struct trajectory_writer *made = NULL;
    struct buf path = BUF_INIT(PATH_MAX);
    struct trajectory trajectory;
    bool done;

    if (!trajectory_load(folder, &trajectory, err))
        return false;
    buf_printf(&path, "%s/" TRAJECTORY_EVENTS, folder);
    made = mem_new(1, sizeof(*made));
    made->events = (struct jsonl_writer)JSONL_WRITER_INIT;
    made->folder = mem_dup(folder);
    remember_steps(&trajectory, made);
    done = (trajectory.ending == ENDING_NONE ||
            err_set(err, ERR_INVALID, "%s has an end", folder)) &&
           jsonl_open(&made->events, buf_cstr(&path), err);
    trajectory_release(&trajectory);
    buf_release(&path);
    if (!done) {
        trajectory_close(made);
        return false;
    }
    *writer = made;
    return true;
}

int trajectory_next_step(const struct trajectory_writer *writer)
{
    return writer->step;
}

/* ---- acting ---- */

bool trajectory_reply(struct trajectory_writer *writer,
                      const struct trajectory_reply *reply, struct err *err)
{
    struct cJSON *event = new_event(writer, "reply");

    json_add_opt_string(event, "text", reply->text);
    json_add_opt_string(event, "error", reply->error);
    add_count(event, "latency_ms", reply->latency_ms);
    add_count(event, "input_tokens", reply->input_tokens);
    add_count(event, "cached_tokens", reply->cached_tokens);
    add_count(event, "output_tokens", reply->output_tokens);
    if (reply->cost >= 0)
        json_add_number(event, "cost", reply->cost);
    add_count(event, "picture_width", reply->picture_width);
    add_count(event, "picture_height", reply->picture_height);
    add_count(event, "request_bytes", reply->request_bytes);
    return add_event(writer, event, err);
}

bool trajectory_write_action(struct trajectory_writer *writer,
                             const struct step_action *step_action,
                             struct err *err)
{
    struct cJSON *event = new_event(writer, "action");

    json_add_string(event, "actor", trajectory_actor_name(step_action->actor));
    action_to_json(step_action->action, event);
    json_add_opt_string(event, "blocked", step_action->blocked);
    if (step_action->block != BLOCK_NONE)
        json_add_string(event, "blocked_by",
                        trajectory_block_name(step_action->block));
    if (step_action->action->secret)
        json_add_bool(event, "secret", true);
    if (step_action->target)
        cJSON_AddItemToObject(event, "target",
                              node_selector_to_json(step_action->target));
    json_add_opt_string(event, "doubt", step_action->doubt);
    json_add_int(event, "at_ms", step_action->at_ms);
    if (!add_event(writer, event, err) || !jsonl_sync(&writer->events, err))
        return false;
    writer->step++;
    return true;
}

bool trajectory_write_plain_action(struct trajectory_writer *writer,
                                   enum trajectory_actor actor,
                                   const struct action *action,
                                   const char *blocked, int64_t at_ms,
                                   struct err *err)
{
    const struct step_action step_action = {
        .actor = actor, .action = action, .blocked = blocked, .at_ms = at_ms};

    return trajectory_write_action(writer, &step_action, err);
}

bool trajectory_doubt(struct trajectory_writer *writer, const char *doubt,
                      struct err *err)
{
    struct cJSON *event = new_event_of(writer->step - 1, "doubt");

    json_add_string(event, "text", doubt);
    return add_event(writer, event, err);
}

static struct cJSON *new_evidence(const struct trajectory_writer *writer,
                                  const char *name, const char *value)
{
    struct cJSON *event = new_event(writer, "evidence");

    json_add_string(event, "name", name);
    json_add_string(event, "value", value);
    return event;
}

bool trajectory_evidence(struct trajectory_writer *writer, const char *name,
                         const char *value, struct err *err)
{
    return add_event(writer, new_evidence(writer, name, value), err);
}

bool trajectory_evidence_before(struct trajectory_writer *writer,
                                const char *name, const char *value,
                                struct err *err)
{
    struct cJSON *event = new_evidence(writer, name, value);

    json_add_bool(event, "before", true);
    return add_event(writer, event, err);
}

bool trajectory_end(struct trajectory_writer *writer,
                    enum trajectory_ending ending, const char *reason,
                    int64_t at_ms, struct err *err)
{
    struct cJSON *event = new_event(writer, "end");

    json_add_string(event, "ending", trajectory_ending_name(ending));
    json_add_opt_string(event, "reason", reason);
    json_add_int(event, "at_ms", at_ms);
    return add_event(writer, event, err) && jsonl_sync(&writer->events, err);
}

void trajectory_close(struct trajectory_writer *writer)
{
    if (!writer)
        return;
    for (int i = 0; i < KINDS; i++)
        free(writer->stored[i].files);
    jsonl_close(&writer->events);
    free(writer->folder);
    free(writer);
}
