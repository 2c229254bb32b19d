/*
 * The agent "exec": a program of the user that gets a line of JSON for each
 * step and replies with a line. docs/runs.md has the protocol.
 *
 * The program runs as long as the episode. If it crashes or does not reply, the
 * episode ends as if it had failed.
 */
#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/child.h"
#include "base/clean_text.h"
#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "runner/agents/agent_factory.h"
#include "runner/agents/agent_reply.h"
#include "runner/parse/reply_parser.h"

#define SILENCE_MS (5 * 60 * 1000) /* longer than a model takes to reply */
#define STEP_MAX ((size_t)64 << 20)
#define PICTURE_MAX ((size_t)32 << 20)
#define LOG_LINE_MAX 120
#define WANTS_MAX 16 /* requests for the picture in one step */
#define NOT_FOUND                                                              \
    127 /* status of the shell for a command that is not found                 \
         */

struct program {
    struct agent agent;
    const char *command; /* borrowed */
    struct child child;
    bool replied; /* it has replied once */
};

/* ---- the request ---- */

static void add_actions(struct cJSON *line, uint32_t actions)
{
    struct cJSON *names = json_add_array(line, "actions");

    for (int i = 0; i < ACTION_KINDS; i++) {
        if (actions & (UINT32_C(1) << i))
            json_add_string(names, NULL, action_kind_name((enum action_kind)i));
    }
}

static void add_elements(struct cJSON *line,
                         const struct element_list *elements)
{
    struct cJSON *array = json_add_array(line, "elements");

    for (size_t i = 0; i < elements->count; i++) {
        const struct screen_element *element = &elements->items[i];
        struct cJSON *item = json_add_object(array, NULL);
        struct cJSON *box = json_add_array(item, "box");

        json_add_int(item, "index", (int64_t)i + 1);
        json_add_string(item, "role", element->role);
        json_add_string(item, "name", element->name.text);
        json_add_bool(item, "acts", element->acts);
        if (element->flags & NODE_CHECKABLE)
            json_add_bool(item, "on", (element->flags & NODE_CHECKED) != 0);
        json_add_int(box, NULL, element->box.left);
        json_add_int(box, NULL, element->box.top);
        json_add_int(box, NULL, element->box.right);
        json_add_int(box, NULL, element->box.bottom);
    }
}

/* As an absolute path: the program may run in another folder. */
static void add_screen(struct cJSON *line, const char *path)
{
    char *whole = realpath(path, NULL);

    json_add_string(line, "screen", whole ? whole : path);
    free(whole);
}

static struct cJSON *step_line(const struct agent_view *view)
{
    struct cJSON *line = json_new_object();

    json_add_string(line, "task", view->task->id);
    json_add_string(line, "instruction", view->instruction);
    if (view->task->apps.count)
        json_add_string(line, "app", view->task->apps.items[0]);
    json_add_int(line, "step", view->step);
    json_add_int(line, "steps_left", view->steps_left);
    add_screen(line, view->screen_file);
    json_add_int(line, "width", view->seen->screen.width);
    json_add_int(line, "height", view->seen->screen.height);
    json_add_string(line, "package", view->seen->package);
    if (view->notice)
        json_add_string(line, "notice", view->notice);
    else
        json_add_null(line, "notice");
    add_actions(line, view->actions);
    if (view->elements)
        add_elements(line, view->elements);
    return line;
}

/* Send a line, and free it. */
static bool send_line(struct program *program, struct cJSON *line,
                      struct deadline by, const struct cancel *cancel,
                      struct err *err)
{
    struct buf text = BUF_INIT(STEP_MAX);
    bool done;

    json_format(line, &text);
    buf_byte(&text, '\n');
    cJSON_Delete(line);
    done = text.overflow
               ? err_set(err, ERR_LIMIT,
                         "the elements of the screen are too large for a line")
               : child_write(&program->child, text.data, text.length, by,
                             cancel, err);
    buf_release(&text);
    return done;
}

/* Send the screenshot as base64. */
static bool send_picture(struct program *program, const char *path,
                         struct deadline by, const struct cancel *cancel,
                         struct err *err)
{
    struct buf png = BUF_INIT(PICTURE_MAX);
    struct cJSON *line;
    char *letters;

    if (!path || !file_load(path, &png, err))
        return path ? false
                    : err_set(err, ERR_NOT_FOUND, "there is no screenshot");
    letters = mem_new(base64_size(png.length) + 1, 1);
    base64_encode(buf_cstr(&png), png.length, letters);
    line = json_new_object();
    json_add_string(line, "type", "image/png");
    json_add_string(line, "base64", letters);
    free(letters);
    buf_release(&png);
    return send_line(program, line, by, cancel, err);
}

/* ---- the reply ---- */

/* Does the line request the screenshot? */
static bool wants_picture(const struct buf *line)
{
    struct cJSON *tree = NULL;
    struct json object = JSON_NONE;
    const char *what = "";
    struct err ignored;
    bool wants;

    if (!json_parse(buf_cstr(line), line->length, &tree, &ignored))
        return false;
    object.value = tree;
    wants = cJSON_IsObject(tree) &&
            json_opt_string(&object, "want", &what, &ignored) &&
            !strcmp(what, "picture");
    cJSON_Delete(tree);
    return wants;
}

static bool add_usage(const struct json *line, struct model_usage *usage,
                      struct err *err)
{
    struct json given = JSON_NONE;

    return json_opt_object(line, "usage", &given, err) &&
           (!given.value ||
            (json_opt_int(&given, "input_tokens", 0, INT32_MAX,
                          &usage->input_tokens, err) &&
             json_opt_int(&given, "cached_tokens", 0, INT32_MAX,
                          &usage->cached_tokens, err) &&
             json_opt_int(&given, "output_tokens", 0, INT32_MAX,
                          &usage->output_tokens, err) &&
             json_opt_number(&given, "cost", &usage->cost, err)));
}

/* The reply of a model, in the notation of its family. */
static void take_reply(const char *text, struct extent screen,
                       struct agent_reply *reply)
{
    const struct reply_parse_options options = {.picture = screen,
                                                .screen = screen};
    const struct model_family *family;

    buf_clear(&reply->text);
    buf_text(&reply->text, text);
    reply->has_action = reply_parse(text, strlen(text), &options,
                                    &reply->action, &family, &reply->error);
}

/* Parse one line. */
static void take_line(const struct buf *line, const struct agent_view *view,
                      struct agent_reply *reply)
{
    struct cJSON *tree = NULL;
    struct json object = JSON_NONE;
    struct err ignored; /* a line that is not JSON may be an action as text */
    const char *words = NULL;
    bool done;

    if (json_parse(buf_cstr(line), line->length, &tree, &ignored))
        object.value = tree;
    if (!cJSON_IsObject(tree)) {
        agent_reply_parse(buf_cstr(line), line->length, view->seen->screen,
                          reply);
    } else {
        done = add_usage(&object, &reply->usage, &reply->error) &&
               json_opt_string(&object, "reply", &words, &reply->error);
        if (done && words)
            take_reply(words, view->seen->screen, reply);
        else if (done)
            agent_reply_parse(buf_cstr(line), line->length, view->seen->screen,
                              reply);
        else
            buf_append(&reply->text, buf_cstr(line), line->length);
    }
    cJSON_Delete(tree);
}

/* ---- deciding ---- */

static void put_log(struct buf *path, const struct agent_view *view)
{
    buf_printf(path, "%s/agent.log", view->folder);
}

static bool start(struct program *program, const struct agent_view *view,
                  struct err *err)
{
    const char *const arguments[] = {"/bin/sh", "-c", program->command, NULL};
    struct child_command command = {.arguments = arguments};
    struct buf errors = BUF_INIT(PATH_MAX);
    bool done;

    put_log(&errors, view);
    command.errors = buf_cstr(&errors);
    done = child_start(&program->child, &command, err);
    buf_release(&errors);
    program->replied = false;
    return done;
}

static bool converse(struct program *program, const struct agent_view *view,
                     struct deadline by, const struct cancel *cancel,
                     struct agent_reply *reply, struct err *err)
{
    struct buf line = BUF_INIT(CHILD_LINE_MAX);
    bool done = send_line(program, step_line(view), by, cancel, err) &&
                child_read(&program->child, by, cancel, &line, err);

    for (int i = 0; done && i < WANTS_MAX && wants_picture(&line); i++) {
        buf_clear(&line);
        done = send_picture(program, view->screen_file, by, cancel, err) &&
               child_read(&program->child, by, cancel, &line, err);
    }
    if (done) {
        program->replied = true;
        take_line(&line, view, reply);
    }
    buf_release(&line);
    return done;
}

/* ---- failures ---- */

/* The last line of its standard error; "": none. */
static void read_last_line(const char *path, char line[LOG_LINE_MAX])
{
    char tail[4 * LOG_LINE_MAX];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
    off_t from = size > (off_t)sizeof(tail) ? size - (off_t)sizeof(tail) : 0;
    ssize_t got = fd < 0 ? 0 : pread(fd, tail, sizeof(tail), from);
    size_t end = got > 0 ? (size_t)got : 0;
    size_t begin;

    line[0] = '\0';
    if (fd >= 0)
        close(fd);
    while (end && isspace((unsigned char)tail[end - 1]))
        end--;
    for (begin = end; begin && tail[begin - 1] != '\n'; begin--)
        continue;
    clean_text_copy(line, LOG_LINE_MAX, tail + begin, end - begin);
}

/*
 * It crashed, timed out or printed too much: the reply is FAIL with the reason.
 */
static bool give_up(struct program *program, const struct agent_view *view,
                    const struct err *why, struct agent_reply *reply,
                    struct err *err)
{
    struct buf log = BUF_INIT(PATH_MAX);
    char reason[sizeof(why->text)], line[LOG_LINE_MAX];
    int status = child_stop(&program->child);
    bool missing =
        why->code == ERR_CLOSED && status == NOT_FOUND && !program->replied;

    put_log(&log, view);
    read_last_line(buf_cstr(&log), line);
    if (missing)
        err_set(err, ERR_INVALID, "command not found: %.80s: %s (%s)",
                program->command, line, buf_cstr(&log));
    else if (why->code == ERR_CLOSED)
        snprintf(reason, sizeof(reason),
                 "the agent's program ended with status %d%s%s (%s)", status,
                 line[0] ? ": " : "", line, buf_cstr(&log));
    else
        snprintf(reason, sizeof(reason), "%.100s%s%s (%s)", why->text,
                 line[0] ? ": " : "", line, buf_cstr(&log));
    buf_release(&log);
    if (missing)
        return false;
    agent_reply_set(ACTION_FAIL, reason, reply);
    return true;
}

static bool agent_exec_decide(struct agent *agent,
                              const struct agent_view *view, struct deadline by,
                              const struct cancel *cancel,
                              struct agent_reply *reply, struct err *err)
{
    struct program *program = (struct program *)agent;
    struct err why = ERR_INIT;

    if (!program->child.pid && !start(program, view, err))
        return false;
    if (converse(program, view, deadline_sooner(by, deadline_in_ms(SILENCE_MS)),
                 cancel, reply, &why))
        return true;
    /* The time budget of the task is not an error of the agent. */
    if (why.code == ERR_CANCELLED ||
        (why.code == ERR_TIMEOUT && deadline_passed(by))) {
        *err = why;
        return false;
    }
    return give_up(program, view, &why, reply, err);
}

static void agent_exec_end(struct agent *agent)
{
    struct program *program = (struct program *)agent;

    child_stop(&program->child);
}

static void agent_exec_close(struct agent *agent)
{
    agent_exec_end(agent);
    free(agent);
}

static bool agent_exec_open(const char *argument,
                            const struct agent_factory_options *options,
                            void **shared, struct err *err)
{
    (void)options, (void)err;
    *shared = mem_dup(argument);
    return true;
}

static bool agent_exec_make(void *shared, struct agent **agent, struct err *err)
{
    static const struct agent_ops ops = {.decide = agent_exec_decide,
                                         .end = agent_exec_end,
                                         .close = agent_exec_close};
    struct program *program = mem_new(1, sizeof(*program));

    (void)err;
    *program = (struct program){
        .agent = {.ops = &ops, .actor = ACTOR_AGENT, .needs_file = true},
        .command = shared,
        .child = CHILD_INIT,
    };
    *agent = &program->agent;
    return true;
}

const struct agent_kind agent_exec = {
    .name = "exec",
    .argument = "COMMAND",
    .summary = "asks a program, in lines of JSON",
    .open = agent_exec_open,
    .make = agent_exec_make,
    .close = free,
};
