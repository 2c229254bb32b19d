/*
 * Recording at a terminal: what a person types between steps.
 *
 *     s [STEP]        star the step, or take the star off
 *     d [STEP]        delete the step as an accident, or take it back
 *     n [STEP] TEXT   a note for the step
 *     u               undo the last step
 *     l               list the steps
 *     finish, stop    end the recording, or leave it to go on later
 *
 * Without a number the last step is meant. Everything else is an action.
 */
#ifndef TOOLS_CLI_RUN_RECORD_TERMINAL_H
#define TOOLS_CLI_RUN_RECORD_TERMINAL_H

#include "base/cancel.h"
#include "runner/agents/line_input.h"
#include "runner/record/recorder.h"

/* All of it is borrowed. */
struct record_terminal {
    struct recorder *recorder;
    struct record_phone *phone;
    struct line_input *input;
    int out; /* where the person reads */
    const struct cancel *cancel;
};

enum record_terminal_next {
    RECORD_TERMINAL_ACTION, /* the line is no command: an action */
    RECORD_TERMINAL_DONE,   /* the command was carried out */
    RECORD_TERMINAL_FINISH,
    RECORD_TERMINAL_STOP,
};

/*
 * Carry out a line, if it is a command. A command that is impossible, such as a
 * star without a step, is answered on the terminal and is no failure. Fails as
 * recording_edit_add, recorder_undo and file_write.
 */
MUST_USE bool record_terminal_command(struct record_terminal *terminal,
                                      const char *line,
                                      enum record_terminal_next *next,
                                      struct err *err);

/* Print the commands. */
MUST_USE bool record_terminal_help(struct record_terminal *terminal,
                                   bool actions, struct err *err);

/* Print the number and the description of a step that is on the disk. */
MUST_USE bool record_terminal_show_step(struct record_terminal *terminal,
                                        int step, struct err *err);

/* Print that the next step may be done, or another line of text. */
MUST_USE bool record_terminal_ready(struct record_terminal *terminal,
                                    struct err *err);
MUST_USE bool record_terminal_say(struct record_terminal *terminal,
                                  const char *text, struct err *err);

/*
 * Ask for actions and commands until the person finishes or stops, or the input
 * ends; *finished says which. Carries the actions out on the phone.
 */
MUST_USE bool record_terminal_run(struct record_terminal *terminal,
                                  bool *finished, struct err *err);

#endif
