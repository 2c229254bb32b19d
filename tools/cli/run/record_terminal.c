#include "tools/cli/run/record_terminal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "runner/agents/typed_action.h"
#include "runner/recording/recording.h"
#include "tasks/task/action_table.h"

#define TEXT_MAX ((size_t)256 * 1024)

/* ---- output ---- */

static bool put(const struct record_terminal *terminal, struct buf *text,
                struct err *err)
{
    bool done = file_write(terminal->out, buf_cstr(text), text->length, err);

    buf_release(text);
    return done;
}

bool record_terminal_say(struct record_terminal *terminal, const char *text,
                         struct err *err)
{
    struct buf line = BUF_INIT(TEXT_MAX);

    buf_text(&line, "  ");
    typed_action_put_clean(&line, text);
    buf_text(&line, "\n");
    return put(terminal, &line, err);
}

bool record_terminal_help(struct record_terminal *terminal, bool actions,
                          struct err *err)
{
    struct buf text = BUF_INIT(TEXT_MAX);

    if (actions)
        buf_text(&text, "  type an action: tap Display, tap 7, tap 540 1200, "
                        "swipe up, type hello, back\n");
    buf_text(&text, "  or: s star, u undo, n TEXT note, a TEXT answer, "
                    "d delete, l list, finish, stop (go on later)\n");
    return put(terminal, &text, err);
}

static void put_step(struct buf *text, const struct recording *recording,
                     size_t number)
{
    const struct recording_step *step = &recording->steps[number];
    char *words = recording_describe(recording, number);

    buf_printf(text, "%3zu %s ", number, step->starred ? "*" : " ");
    typed_action_put_clean(text, words);
    if (step->note) {
        buf_text(text, "  # ");
        typed_action_put_clean(text, step->note);
    }
    if (step->answer) {
        buf_text(text, "  = ");
        typed_action_put_clean(text, step->answer);
    }
    if (step->flag) {
        buf_text(text, "  ! ");
        typed_action_put_clean(text, step->flag);
    }
    buf_text(text, step->undone    ? "  (undone)\n"
                   : step->deleted ? "  (deleted)\n"
                                   : "\n");
    free(words);
}

/* All steps, or one. */
static bool show_steps(struct record_terminal *terminal, int only,
                       struct err *err)
{
    struct recording recording;
    struct buf text = BUF_INIT(TEXT_MAX);

    if (!recording_load(recorder_folder(terminal->recorder), &recording, err))
        return false;
    for (size_t i = 0; i < recording.count; i++) {
        if (recording.steps[i].step->acted && (only < 0 || (int)i == only))
            put_step(&text, &recording, i);
    }
    recording_release(&recording);
    return put(terminal, &text, err);
}

bool record_terminal_show_step(struct record_terminal *terminal, int step,
                               struct err *err)
{
    return show_steps(terminal, step, err);
}

bool record_terminal_ready(struct record_terminal *terminal, struct err *err)
{
    struct buf text = BUF_INIT(TEXT_MAX);

    buf_printf(&text, "ready: step %d\n",
               recorder_next_step(terminal->recorder));
    return put(terminal, &text, err);
}

/* ---- commands ---- */

/* A command and its arguments. */
struct terminal_command {
    char letter;
    int step; /* -1: there is none */
    const char *text;
};

/* The letter, alone or before a blank; false: it is another line. */
static bool read_letter(const char *line, struct terminal_command *command)
{
    const char *at = line + 1;
    char *end;
    long step;

    if (!line[0] || !strchr("sudnal?", line[0]) || (*at && *at != ' '))
        return false;
    at += strspn(at, " ");
    command->letter = line[0];
    if (isdigit((unsigned char)*at) && command->letter != 'a') {
        step = strtol(at, &end, 10);
        if (!*end || *end == ' ') {
            command->step = step < TRAJECTORY_STEPS_MAX ? (int)step : -1;
            at = end + strspn(end, " ");
        }
    }
    command->text = at;
    return true;
}

/* The step that a command is about, with its marks; NULL: there is none. */
static const struct recording_step *find_step(const struct recording *recording,
                                              struct terminal_command *command)
{
    if (command->step < 0) {
        for (size_t i = recording->count; i-- > 0 && command->step < 0;) {
            if (recording_step_counts(&recording->steps[i]) ||
                (recording->steps[i].deleted && command->letter == 'd'))
                command->step = (int)i;
        }
    }
    if (command->step < 0 || (size_t)command->step >= recording->count ||
        !recording->steps[command->step].step->acted)
        return NULL;
    return &recording->steps[command->step];
}

static struct recording_edit edit_of(const struct terminal_command *command,
                                     const struct recording_step *step)
{
    struct recording_edit edit = {.step = command->step};

    if (command->letter == 's') {
        edit.kind = EDIT_STAR;
        edit.on = !step->starred;
    } else if (command->letter == 'd') {
        edit.kind = EDIT_DELETE;
        edit.on = !step->deleted;
    } else {
        edit.kind = EDIT_NOTE;
        edit.text = (char *)command->text; /* which is only written */
    }
    return edit;
}

static bool edit_step(struct record_terminal *terminal,
                      struct terminal_command *command, struct err *err)
{
    const char *folder = recorder_folder(terminal->recorder);
    const struct recording_step *step;
    struct recording recording;
    struct recording_edit edit;
    bool done;

    if (!recorder_flush(terminal->recorder, err) ||
        !recording_load(folder, &recording, err))
        return false;
    step = find_step(&recording, command);
    if (!step) {
        done = record_terminal_say(terminal, "there is no such step", err);
    } else {
        edit = edit_of(command, step);
        done = recording_edit_add(folder, &edit, err) &&
               record_terminal_show_step(terminal, command->step, err);
    }
    recording_release(&recording);
    return done;
}

/* The answer that the current screen shows, as the person reads it. */
static bool set_answer(struct record_terminal *terminal, const char *answer,
                       struct err *err)
{
    const struct recording_edit edit = {
        .kind = EDIT_ANSWER,
        .step = recorder_next_step(terminal->recorder),
        .text = (char *)answer, /* which is only written */
    };
    struct buf text = BUF_INIT(TEXT_MAX);

    if (!*answer)
        return record_terminal_say(terminal, "write the answer behind the a",
                                   err);
    if (!recorder_flush(terminal->recorder, err) ||
        !recording_edit_add(recorder_folder(terminal->recorder), &edit, err))
        return false;
    buf_printf(&text, "the answer is %s", answer);
    if (!record_terminal_say(terminal, buf_cstr(&text), err)) {
        buf_release(&text);
        return false;
    }
    buf_release(&text);
    return true;
}

static bool undo(struct record_terminal *terminal, struct err *err)
{
    struct recorder_undone undone;
    struct buf text = BUF_INIT(TEXT_MAX);
    struct err why = ERR_INIT;

    if (!recorder_undo(terminal->recorder, &undone, &why)) {
        if (why.code == ERR_NOT_FOUND)
            return record_terminal_say(terminal, why.text, err);
        *err = why;
        return false;
    }
    if (undone.warning[0])
        return record_terminal_say(terminal, undone.warning, err);
    buf_printf(&text, "  step %d is undone, the phone is as before it\n",
               undone.step);
    return put(terminal, &text, err);
}

bool record_terminal_command(struct record_terminal *terminal, const char *line,
                             enum record_terminal_next *next, struct err *err)
{
    struct terminal_command command = {.step = -1};

    *next = RECORD_TERMINAL_DONE;
    if (!strcmp(line, "finish") || !strcmp(line, "q"))
        *next = RECORD_TERMINAL_FINISH;
    else if (!strcmp(line, "stop"))
        *next = RECORD_TERMINAL_STOP;
    else if (!*line)
        return true;
    else if (!read_letter(line, &command))
        *next = RECORD_TERMINAL_ACTION;
    else if (command.letter == 'u')
        return undo(terminal, err);
    else if (command.letter == 'a')
        return set_answer(terminal, command.text, err);
    else if (command.letter == 'l')
        return show_steps(terminal, -1, err);
    else if (command.letter == '?')
        return record_terminal_help(terminal, terminal->phone->ops->perform,
                                    err);
    else
        return edit_step(terminal, &command, err);
    return true;
}

/* ---- actions ---- */

/* The elements of the screen that was recorded last. */
static bool list_elements(struct record_terminal *terminal,
                          struct element_list *elements, struct err *err)
{
    struct recording recording;
    struct tree tree = TREE_INIT;
    struct buf xml = BUF_INIT(RECORD_XML_MAX);
    struct err ignored;

    if (!recording_load(recorder_folder(terminal->recorder), &recording, err))
        return false;
    if (recording.count &&
        recording.trajectory.steps[recording.count - 1].tree.file[0] &&
        trajectory_read_file(
            &recording.trajectory,
            &recording.trajectory.steps[recording.count - 1].tree, &xml,
            &ignored) &&
        tree_read(&tree, buf_cstr(&xml), xml.length, &ignored))
        element_list_build(&tree, elements);
    tree_release(&tree);
    buf_release(&xml);
    recording_release(&recording);
    return true;
}

/* Numbers of elements become points; false: there is no action, say why. */
static bool resolve(const struct element_list *elements,
                    struct agent_reply *reply, struct err *why)
{
    struct action *action = &reply->action;

    if (!reply->has_action) {
        *why = reply->error;
        return false;
    }
    if (action_table_kind(action->kind)->ends)
        return err_set(why, ERR_INVALID, "type finish to end the recording");
    if (action->has_index && !action->has_from) {
        action->has_from =
            element_list_point(elements, action->index, &action->from);
        if (!action->has_from)
            return err_set(why, ERR_INVALID, "there is no element %d",
                           action->index);
    }
    action->has_index = false;
    return true;
}

/* What the phone refuses is said to the person, who goes on. */
static bool is_refusal(enum err_code code)
{
    return code == ERR_INVALID || code == ERR_NOT_FOUND ||
           code == ERR_UNSUPPORTED;
}

static bool act(struct record_terminal *terminal, const char *line,
                const struct element_list *elements, struct err *err)
{
    const struct extent screen = {terminal->phone->width,
                                  terminal->phone->height};
    struct agent_reply reply;
    struct err why = ERR_INIT;
    int step = -1;
    bool done;

    agent_reply_init(&reply);
    done = typed_action_parse(line, elements, screen, &reply, &why) &&
           resolve(elements, &reply, &why) &&
           recorder_step(terminal->recorder, &reply.action, &step, &why);
    agent_reply_release(&reply);
    if (done)
        return record_terminal_show_step(terminal, step, err);
    if (step < 0 && is_refusal(why.code))
        return record_terminal_say(terminal, why.text, err);
    *err = why;
    return false;
}

static bool ask(struct record_terminal *terminal,
                const struct element_list *elements, struct err *err)
{
    struct buf text = BUF_INIT(TEXT_MAX);

    typed_action_list(elements, &text);
    if (!put(terminal, &text, err) || !record_terminal_ready(terminal, err))
        return false;
    buf_text(&text, "> ");
    return put(terminal, &text, err);
}

/* Ask once, and do what the person wants. */
static bool take_turn(struct record_terminal *terminal,
                      enum record_terminal_next *next, struct err *err)
{
    struct element_list elements = ELEMENT_LIST_INIT;
    char *line = NULL;
    bool done = list_elements(terminal, &elements, err) &&
                ask(terminal, &elements, err) &&
                line_input_next(terminal->input, DEADLINE_NEVER,
                                terminal->cancel, &line, err);

    if (done && !line)
        *next = RECORD_TERMINAL_STOP;
    else if (done)
        done = record_terminal_command(terminal, line, next, err);
    if (done && *next == RECORD_TERMINAL_ACTION)
        done = act(terminal, line, &elements, err);
    free(line);
    element_list_release(&elements);
    return done;
}

bool record_terminal_run(struct record_terminal *terminal, bool *finished,
                         struct err *err)
{
    enum record_terminal_next next = RECORD_TERMINAL_DONE;
    bool done = record_terminal_help(terminal, true, err) &&
                recorder_observe(terminal->recorder, err) &&
                recorder_flush(terminal->recorder, err);

    while (done && next != RECORD_TERMINAL_FINISH &&
           next != RECORD_TERMINAL_STOP)
        done = take_turn(terminal, &next, err);
    *finished = done && next == RECORD_TERMINAL_FINISH;
    return done;
}
