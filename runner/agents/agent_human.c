/* The agent "human": a person at the terminal. */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/mem.h"
#include "runner/agents/agent_factory.h"
#include "runner/agents/line_input.h"
#include "runner/agents/typed_action.h"

#define QUESTION_MAX ((size_t)64 * 1024)

#define PROMPT "> "

struct person {
    struct agent agent;
    struct line_input input;
    int out;
    atomic_bool *taken;
};

/* Passed from open to make. */
struct terminal_ends {
    int in;
    int out;
    atomic_bool taken;
};

static void put_actions(struct buf *question, uint32_t actions)
{
    buf_text(question, "  say one of:");
    for (int i = 0; i < ACTION_KINDS; i++) {
        if (actions & (UINT32_C(1) << i))
            buf_printf(question, " %s", action_kind_name((enum action_kind)i));
    }
    buf_text(question, "\n  such as: tap Display, tap 7, tap 540 1200, "
                       "swipe up, type hello, complete\n");
}

static bool ask(struct person *person, const struct agent_view *view,
                struct err *err)
{
    struct buf question = BUF_INIT(QUESTION_MAX);
    bool done;

    if (view->step == 0 && !view->notice) {
        buf_text(&question, "\n");
        typed_action_put_clean(&question, view->instruction);
        buf_text(&question, "\n");
        put_actions(&question, view->actions);
    }
    if (view->notice) {
        buf_text(&question, "  ");
        typed_action_put_clean(&question, view->notice);
        buf_text(&question, "\n");
    }
    buf_printf(&question, "step %d, %d left, %dx%d: ", view->step + 1,
               view->steps_left, view->seen->screen.width,
               view->seen->screen.height);
    typed_action_put_clean(&question, view->screen_file ? view->screen_file
                                                        : "no picture");
    buf_text(&question, "\n");
    if (view->elements)
        typed_action_list(view->elements, &question);
    buf_text(&question, PROMPT);
    done = file_write(person->out, buf_cstr(&question), question.length, err);
    buf_release(&question);
    return done;
}

static bool ask_again(struct person *person, const char *why, struct err *err)
{
    struct buf text = BUF_INIT(QUESTION_MAX);
    bool done;

    buf_text(&text, "  ");
    typed_action_put_clean(&text, why);
    buf_text(&text, "\n" PROMPT);
    done = file_write(person->out, buf_cstr(&text), text.length, err);
    buf_release(&text);
    return done;
}

/* The next line of input; the caller frees it. */
static bool read_line(struct person *person, struct deadline by,
                      const struct cancel *cancel, char **line, struct err *err)
{
    return line_input_next(&person->input, by, cancel, line, err) &&
           (*line ||
            err_set(err, ERR_INVALID,
                    "standard input ended: there is no person to decide"));
}

static bool agent_human_decide(struct agent *agent,
                               const struct agent_view *view,
                               struct deadline by, const struct cancel *cancel,
                               struct agent_reply *reply, struct err *err)
{
    struct person *person = (struct person *)agent;
    struct err why = ERR_INIT;
    bool done = ask(person, view, err);

    while (done) {
        char *line = NULL;
        bool understood;

        done = read_line(person, by, cancel, &line, err);
        understood =
            done && typed_action_parse(line, view->elements, view->seen->screen,
                                       reply, &why);
        free(line);
        if (understood)
            return true;
        done = done && ask_again(person, why.text, err);
    }
    return false;
}

static void agent_human_close(struct agent *agent)
{
    struct person *person = (struct person *)agent;

    *person->taken = false;
    line_input_release(&person->input);
    free(person);
}

static bool agent_human_open(const char *argument,
                             const struct agent_factory_options *options,
                             void **shared, struct err *err)
{
    struct terminal_ends *ends = mem_new(1, sizeof(*ends));

    (void)argument, (void)err;
    ends->in = options->in;
    ends->out = options->out;
    *shared = ends;
    return true;
}

static bool agent_human_make(void *shared, struct agent **agent,
                             struct err *err)
{
    static const struct agent_ops ops = {.decide = agent_human_decide,
                                         .close = agent_human_close};
    struct terminal_ends *ends = shared;
    struct person *person;

    if (atomic_exchange(&ends->taken, true))
        return err_set(err, ERR_INVALID,
                       "one person can use one phone at a time: name one "
                       "device");
    person = mem_new(1, sizeof(*person));
    *person = (struct person){
        .agent = {.ops = &ops, .actor = ACTOR_HUMAN, .needs_file = true},
        .input = LINE_INPUT(ends->in),
        .out = ends->out,
        .taken = &ends->taken,
    };
    *agent = &person->agent;
    return true;
}

const struct agent_kind agent_human = {
    .name = "human",
    .summary = "asks you, at the terminal",
    .asks_person = true,
    .open = agent_human_open,
    .make = agent_human_make,
    .close = free,
};
