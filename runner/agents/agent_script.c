/*
 * The agent "script": a line per step in any notation of agent_reply_parse,
 * then COMPLETE. Lines that begin with "#" are comments.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "runner/agents/agent_factory.h"
#include "runner/agents/agent_reply.h"

#define SCRIPT_MAX ((size_t)1 << 20)

struct agent_script {
    struct agent agent;
    const struct buf *text; /* borrowed */
    const char *at;         /* position in the text */
};

static bool agent_script_begin(struct agent *agent, const struct task *task,
                               int repeat, struct err *err)
{
    struct agent_script *script = (struct agent_script *)agent;

    (void)task, (void)repeat, (void)err;
    script->at = buf_cstr(script->text);
    return true;
}

/* The next line that is not a comment; false at the end. */
static bool next_line(struct agent_script *script, const char **line,
                      size_t *length)
{
    while (*script->at) {
        const char *start = script->at;
        size_t size = strcspn(start, "\n");

        script->at = start + size + (start[size] == '\n');
        if (size && start[0] != '#') {
            *line = start;
            *length = size;
            return true;
        }
    }
    return false;
}

static bool agent_script_decide(struct agent *agent,
                                const struct agent_view *view,
                                struct deadline by, const struct cancel *cancel,
                                struct agent_reply *reply, struct err *err)
{
    struct agent_script *script = (struct agent_script *)agent;
    const char *line;
    size_t length;

    (void)by, (void)cancel, (void)err;
    if (next_line(script, &line, &length))
        agent_reply_parse(line, length, view->seen->screen, reply);
    else
        agent_reply_set(ACTION_COMPLETE, NULL, reply);
    return true;
}

static void agent_script_close(struct agent *agent)
{
    free(agent);
}

/* Binary data would end at its first NUL and look like a short script. */
static bool check_text(const struct buf *text, const char *path,
                       struct err *err)
{
    for (size_t at = 0; at < text->length;) {
        size_t bytes = utf8_first(text->data + at, text->length - at);

        if (!bytes || !text->data[at])
            return err_set(err, ERR_INVALID,
                           "%.120s is not a script: byte %zu is not text", path,
                           at + 1);
        at += bytes;
    }
    return true;
}

static bool agent_script_open(const char *argument,
                              const struct agent_factory_options *options,
                              void **shared, struct err *err)
{
    struct buf *text = mem_new(1, sizeof(*text));

    (void)options;
    *text = (struct buf)BUF_INIT(SCRIPT_MAX);
    if (!file_load(argument, text, err) || !check_text(text, argument, err)) {
        buf_release(text);
        free(text);
        return false;
    }
    *shared = text;
    return true;
}

static bool agent_script_make(void *shared, struct agent **agent,
                              struct err *err)
{
    static const struct agent_ops ops = {.begin = agent_script_begin,
                                         .decide = agent_script_decide,
                                         .close = agent_script_close};
    struct agent_script *script = mem_new(1, sizeof(*script));

    (void)err;
    script->agent = (struct agent){.ops = &ops, .actor = ACTOR_SCRIPT};
    script->text = shared;
    script->at = buf_cstr(script->text);
    *agent = &script->agent;
    return true;
}

static void agent_script_close_text(void *shared)
{
    buf_release(shared);
    free(shared);
}

const struct agent_kind agent_script = {
    .name = "script",
    .argument = "FILE",
    .summary = "says the lines of a file, one a step",
    .open = agent_script_open,
    .make = agent_script_make,
    .close = agent_script_close_text,
};
