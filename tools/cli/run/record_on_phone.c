#include "tools/cli/run/record_on_phone.h"

#include <stdlib.h>

#include "runner/hand/hand_session.h"

/* How long a turn may wait before the terminal is looked at again. */
#define WAIT_MS 100

/* One recording, and what the terminal shows of it. */
struct on_phone {
    struct record_terminal *terminal;
    struct hand_session *hand;
    bool ready; /* the last line is "ready" */
};

/* Print the steps that are recorded, and that the next one may be done. */
static bool show(struct on_phone *self, const struct hand_turn *turn,
                 struct err *err)
{
    if (turn->steps && !recorder_flush(self->terminal->recorder, err))
        return false;
    for (int i = turn->last - turn->steps + 1; i <= turn->last; i++) {
        if (!record_terminal_show_step(self->terminal, i, err))
            return false;
    }
    if (turn->events || !turn->ready)
        self->ready = false;
    if (!turn->ready || self->ready)
        return true;
    self->ready = true;
    return record_terminal_ready(self->terminal, err);
}

/* Do what the person has typed, if anything. */
static bool take_line(struct on_phone *self, enum record_terminal_next *next,
                      struct err *err)
{
    struct record_terminal *terminal = self->terminal;
    char *line = NULL;
    bool done = line_input_poll(terminal->input, &line, err);

    *next = RECORD_TERMINAL_DONE;
    if (done && line) {
        self->ready = false;
        done = record_terminal_command(terminal, line, next, err);
        if (done && *next == RECORD_TERMINAL_ACTION)
            done = record_terminal_help(terminal, false, err);
    } else if (done && terminal->input->ended) {
        *next = RECORD_TERMINAL_STOP;
    }
    free(line);
    return done;
}

static bool take_turns(struct on_phone *self, bool *finished, struct err *err)
{
    enum record_terminal_next next = RECORD_TERMINAL_DONE;
    struct hand_turn turn;

    while (next != RECORD_TERMINAL_FINISH && next != RECORD_TERMINAL_STOP) {
        if (cancel_fired(self->terminal->cancel))
            return err_set(err, ERR_CANCELLED, "recording was cancelled");
        if (!hand_session_turn(self->hand, WAIT_MS, &turn, err) ||
            !show(self, &turn, err) || !take_line(self, &next, err))
            return false;
    }
    self->ready = true; /* there is no next step */
    if (!hand_session_end(self->hand, &turn, err) || !show(self, &turn, err))
        return false;
    *finished = next == RECORD_TERMINAL_FINISH;
    return true;
}

bool record_on_phone_run(struct record_terminal *terminal,
                         struct device_session *session, bool *finished,
                         struct err *err)
{
    const struct hand_session_options options = {
        .device = session->lease->device,
        .phone = terminal->phone,
        .recorder = terminal->recorder,
    };
    struct on_phone self = {.terminal = terminal};
    bool done = hand_session_open(&options, &self.hand, err) &&
                record_terminal_help(terminal, false, err) &&
                take_turns(&self, finished, err);

    hand_session_close(self.hand);
    return done;
}
