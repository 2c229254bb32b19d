/*
 * A program of the user's that decides, in any language: it gets a line of
 * JSON for each step and answers with a line. docs/runs.md has the protocol.
 *
 * The program lives as long as the episode. Its crash or silence is its own
 * fault, and ends the episode as giving up does.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/child.h"
#include "base/file.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "runner/agent_words.h"
#include "runner/agents.h"
#include "runner/parse.h"

#define SILENCE_MS (5 * 60 * 1000) /* longer than any model takes */
#define STEP_MAX ((size_t)64 << 20)
#define PICTURE_MAX ((size_t)32 << 20)
#define WANTS_MAX 16  /* questions of the program in one step */
#define NOT_FOUND 127 /* what the shell says of a command that is not there */

struct program {
    struct agent agent;
    const char *command; /* borrowed */
    struct child child;
    bool heard; /* it has answered once */
};

/* ---- what it is told ---- */

static void add_actions(struct cJSON *line, uint32_t actions)
{
    struct cJSON *names = json_add_array(line, "actions");

    for (int i = 0; i < ACTION_KINDS; i++) {
        if (actions & (UINT32_C(1) << i))
            json_add_string(names, NULL, action_kind_name((enum action_kind)i));
    }
}

static void add_elements(struct cJSON *line, const struct elements *elements)
{
    struct cJSON *array = json_add_array(line, "elements");

    for (size_t i = 0; i < elements->count; i++) {
        const struct element *element = &elements->items[i];
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

static struct cJSON *step_line(const struct agent_view *view)
{
    struct cJSON *line = json_new_object();

    json_add_string(line, "task", view->task->id);
    json_add_string(line, "instruction", view->instruction);
    if (view->task->apps.count)
        json_add_string(line, "app", view->task->apps.items[0]);
    json_add_int(line, "step", view->step);
    json_add_int(line, "steps_left", view->steps_left);
    json_add_string(line, "screen", view->screen_file);
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
static bool tell(struct program *program, struct cJSON *line,
                 struct deadline by, const struct cancel *cancel,
                 struct err *err)
{
    struct buf text = BUF_INIT(STEP_MAX);
    bool done;

    json_format(line, &text);
    buf_byte(&text, '\n');
    cJSON_Delete(line);
    done = text.overflow ? err_set(err, ERR_LIMIT, "a screen that is too large")
                         : child_write(&program->child, text.data, text.length,
                                       by, cancel, err);
    buf_release(&text);
    return done;
}

/* The picture, in letters. */
static bool tell_picture(struct program *program, const char *path,
                         struct deadline by, const struct cancel *cancel,
                         struct err *err)
{
    struct buf png = BUF_INIT(PICTURE_MAX);
    struct cJSON *line;
    char *letters;

    if (!path || !file_load(path, &png, err))
        return path ? false
                    : err_set(err, ERR_NOT_FOUND, "there is no picture");
    letters = mem_new(base64_size(png.length) + 1, 1);
    base64_encode(buf_cstr(&png), png.length, letters);
    line = json_new_object();
    json_add_string(line, "type", "image/png");
    json_add_string(line, "base64", letters);
    free(letters);
    buf_release(&png);
    return tell(program, line, by, cancel, err);
}

/* ---- what it says ---- */

/* Does the line ask for the picture? */
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
    struct json told = JSON_NONE;

    return json_opt_object(line, "usage", &told, err) &&
           (!told.value || (json_opt_int(&told, "input_tokens", 0, INT32_MAX,
                                         &usage->input_tokens, err) &&
                            json_opt_int(&told, "cached_tokens", 0, INT32_MAX,
                                         &usage->cached_tokens, err) &&
                            json_opt_int(&told, "output_tokens", 0, INT32_MAX,
                                         &usage->output_tokens, err) &&
                            json_opt_number(&told, "cost", &usage->cost, err)));
}

/* A model's own words: its family's way of writing counts. */
static void take_reply(const char *text, struct extent screen,
                       struct agent_reply *reply)
{
    const struct parse_options options = {.picture = screen, .screen = screen};
    const struct family *family;

    buf_clear(&reply->text);
    buf_text(&reply->text, text);
    reply->has_action = parse_reply(text, strlen(text), &options,
                                    &reply->action, &family, &reply->error);
}

/* One line, whatever it is. */
static void take_line(const struct buf *line, const struct agent_view *view,
                      struct agent_reply *reply)
{
    struct cJSON *tree = NULL;
    struct json object = JSON_NONE;
    struct err ignored; /* what is no JSON may be an action in words */
    const char *words = NULL;
    bool done;

    if (json_parse(buf_cstr(line), line->length, &tree, &ignored))
        object.value = tree;
    if (!cJSON_IsObject(tree)) {
        agent_words(buf_cstr(line), line->length, view->seen->screen, reply);
    } else {
        done = add_usage(&object, &reply->usage, &reply->error) &&
               json_opt_string(&object, "reply", &words, &reply->error);
        if (done && words)
            take_reply(words, view->seen->screen, reply);
        else if (done)
            agent_words(buf_cstr(line), line->length, view->seen->screen,
                        reply);
        else
            buf_append(&reply->text, buf_cstr(line), line->length);
    }
    cJSON_Delete(tree);
}

/* ---- deciding ---- */

static bool start(struct program *program, const struct agent_view *view,
                  struct err *err)
{
    const char *const arguments[] = {"/bin/sh", "-c", program->command, NULL};
    struct child_command command = {.arguments = arguments};
    struct buf errors = BUF_INIT(PATH_MAX);
    bool done;

    buf_printf(&errors, "%s/agent.log", view->folder);
    command.errors = buf_cstr(&errors);
    done = child_start(&program->child, &command, err);
    buf_release(&errors);
    program->heard = false;
    return done;
}

static bool converse(struct program *program, const struct agent_view *view,
                     struct deadline by, const struct cancel *cancel,
                     struct agent_reply *reply, struct err *err)
{
    struct buf line = BUF_INIT(CHILD_LINE_MAX);
    bool done = tell(program, step_line(view), by, cancel, err) &&
                child_read(&program->child, by, cancel, &line, err);

    for (int i = 0; done && i < WANTS_MAX && wants_picture(&line); i++) {
        buf_clear(&line);
        done = tell_picture(program, view->screen_file, by, cancel, err) &&
               child_read(&program->child, by, cancel, &line, err);
    }
    if (done) {
        program->heard = true;
        take_line(&line, view, reply);
    }
    buf_release(&line);
    return done;
}

/* It crashed, fell silent or said too much: that is how it gives up. */
static bool give_up(struct program *program, const struct err *why,
                    struct agent_reply *reply, struct err *err)
{
    char reason[sizeof(why->text)];
    int status = child_stop(&program->child);

    if (why->code == ERR_CLOSED && status == NOT_FOUND && !program->heard)
        return err_set(err, ERR_INVALID,
                       "there is no such command: %.100s (agent.log in the "
                       "episode says more)",
                       program->command);
    if (why->code == ERR_CLOSED)
        snprintf(reason, sizeof(reason),
                 "the agent's program ended with status %d", status);
    else
        snprintf(reason, sizeof(reason), "%s", why->text);
    agent_says(ACTION_FAIL, reason, reply);
    return true;
}

static bool decide(struct agent *agent, const struct agent_view *view,
                   struct deadline by, const struct cancel *cancel,
                   struct agent_reply *reply, struct err *err)
{
    struct program *program = (struct program *)agent;
    struct err why = ERR_INIT;

    if (!program->child.pid && !start(program, view, err))
        return false;
    if (converse(program, view, deadline_sooner(by, deadline_in_ms(SILENCE_MS)),
                 cancel, reply, &why))
        return true;
    /* Time that runs out is the task's limit, as it is for models. */
    if (why.code == ERR_CANCELLED ||
        (why.code == ERR_TIMEOUT && deadline_passed(by))) {
        *err = why;
        return false;
    }
    return give_up(program, &why, reply, err);
}

static void end(struct agent *agent)
{
    struct program *program = (struct program *)agent;

    child_stop(&program->child);
}

static void close_program(struct agent *agent)
{
    end(agent);
    free(agent);
}

static bool open_command(const char *argument,
                         const struct agents_options *options, void **shared,
                         struct err *err)
{
    (void)options, (void)err;
    *shared = mem_dup(argument);
    return true;
}

static bool make(void *shared, struct agent **agent, struct err *err)
{
    static const struct agent_ops ops = {
        .decide = decide, .end = end, .close = close_program};
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
    .open = open_command,
    .make = make,
    .close = free,
};
