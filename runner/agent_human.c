/* A person at the terminal, who looks at the picture and says what to do. */
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "runner/agent_words.h"
#include "runner/agents.h"

#define LINE_MAX_BYTES ((size_t)64 * 1024)
#define QUESTION_MAX ((size_t)64 * 1024)
#define SHOWN_MAX 2048 /* bytes of one text */

struct person {
    struct agent agent;
    int in;
    int out;
    struct buf typed; /* what was read, and is no whole line yet */
    atomic_bool *taken;
};

/* What open leaves for make. */
struct terminal_ends {
    int in;
    int out;
    atomic_bool taken;
};

static void put_clean(struct buf *question, const char *text)
{
    char clean[SHOWN_MAX];

    text_copy_clean(clean, sizeof(clean), text, strlen(text));
    buf_text(question, clean);
}

static void put_actions(struct buf *question, uint32_t actions)
{
    buf_text(question, "  say one of:");
    for (int i = 0; i < ACTION_KINDS; i++) {
        if (actions & (UINT32_C(1) << i))
            buf_printf(question, " %s", action_kind_name((enum action_kind)i));
    }
    buf_text(question, "\n  such as: click 540 1200, swipe up, "
                       "type(\"hello\"), complete\n");
}

static bool ask(struct person *person, const struct agent_view *view,
                struct err *err)
{
    struct buf question = BUF_INIT(QUESTION_MAX);
    bool done;

    if (view->step == 0 && !view->notice) {
        buf_text(&question, "\n");
        put_clean(&question, view->instruction);
        buf_text(&question, "\n");
        put_actions(&question, view->actions);
    }
    if (view->notice) {
        buf_text(&question, "  ");
        put_clean(&question, view->notice);
        buf_text(&question, "\n");
    }
    buf_printf(&question, "step %d, %d left, %dx%d: ", view->step + 1,
               view->steps_left, view->seen->screen.width,
               view->seen->screen.height);
    put_clean(&question, view->screen_file ? view->screen_file : "no picture");
    buf_text(&question, "\n> ");
    done = file_write(person->out, buf_cstr(&question), question.length, err);
    buf_release(&question);
    return done;
}

/* Wait for more; false at the end, or for what err says. */
static bool read_more(struct person *person, struct deadline by,
                      const struct cancel *cancel, bool *ended, struct err *err)
{
    struct pollfd fds[] = {
        {.fd = person->in, .events = POLLIN},
        {.fd = cancel_fd(cancel), .events = POLLIN},
    };
    char *room = buf_reserve(&person->typed, 4096);
    ssize_t got;

    if (!room)
        return err_set(err, ERR_LIMIT, "a line that is too long");
    if (poll(fds, 2, deadline_left_ms(by)) == 0)
        return err_set(err, ERR_TIMEOUT, "nobody said anything");
    if (fds[1].revents)
        return err_set(err, ERR_CANCELLED, "interrupted");
    got = read(person->in, room, 4096);
    if (got < 0 && errno != EINTR && errno != EAGAIN)
        return err_errno(err, errno, "read from the terminal");
    *ended = got == 0;
    buf_commit(&person->typed, got > 0 ? (size_t)got : 0);
    return true;
}

static bool decide(struct agent *agent, const struct agent_view *view,
                   struct deadline by, const struct cancel *cancel,
                   struct agent_reply *reply, struct err *err)
{
    struct person *person = (struct person *)agent;
    bool ended = false;
    const char *end;

    if (!ask(person, view, err))
        return false;
    while (!person->typed.length ||
           !(end = memchr(person->typed.data, '\n', person->typed.length))) {
        if (ended)
            return err_set(err, ERR_INVALID,
                           "there is nobody at the terminal to decide");
        if (!read_more(person, by, cancel, &ended, err))
            return false;
    }
    agent_words(person->typed.data, (size_t)(end - person->typed.data),
                view->seen->screen, reply);
    buf_consume(&person->typed, (size_t)(end - person->typed.data) + 1);
    return true;
}

static void close_person(struct agent *agent)
{
    struct person *person = (struct person *)agent;

    *person->taken = false;
    buf_release(&person->typed);
    free(person);
}

static bool open_terminal(const char *argument,
                          const struct agents_options *options, void **shared,
                          struct err *err)
{
    struct terminal_ends *ends = mem_new(1, sizeof(*ends));

    (void)argument, (void)err;
    ends->in = options->in;
    ends->out = options->out;
    *shared = ends;
    return true;
}

static bool make(void *shared, struct agent **agent, struct err *err)
{
    static const struct agent_ops ops = {.decide = decide,
                                         .close = close_person};
    struct terminal_ends *ends = shared;
    struct person *person;

    if (atomic_exchange(&ends->taken, true))
        return err_set(err, ERR_INVALID,
                       "one person can use one phone at a time: name one "
                       "device");
    person = mem_new(1, sizeof(*person));
    *person = (struct person){
        .agent = {.ops = &ops, .actor = ACTOR_HUMAN, .needs_file = true},
        .in = ends->in,
        .out = ends->out,
        .typed = BUF_INIT(LINE_MAX_BYTES),
        .taken = &ends->taken,
    };
    *agent = &person->agent;
    return true;
}

const struct agent_kind agent_human = {
    .name = "human",
    .summary = "asks you, at the terminal",
    .open = open_terminal,
    .make = make,
    .close = free,
};
