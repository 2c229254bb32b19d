/* Programs that agents bring to the phone, known by name. */
#ifndef RUNNER_CLASSIFY_DOOR_HELPERS_H
#define RUNNER_CLASSIFY_DOOR_HELPERS_H

#include "runner/classify/door_shell.h"

/*
 * Is this the class or instrumentation of a server whose calls are recorded
 * when they are made? Then its start is nothing to record.
 */
bool door_helpers_is_server(const char *name);

/*
 * Does a pattern of pkill stand for such a program, and for no app? Brackets,
 * which keep it from matching its own command line, do not matter.
 */
bool door_helpers_is_process(const char *pattern);

/* Type a text given in base64. */
void door_record_base64(struct door_context *context, const char *letters);

/* The clipboard has a text now; NULL: one that is not known. */
void door_set_clipboard(struct door_context *context, const char *text);

#endif
