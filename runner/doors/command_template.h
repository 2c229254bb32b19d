/*
 * The command of an agent with its places filled in: {instruction}, {serial},
 * {task}, {language}, {task_file} and {answer_file}.
 *
 * A place becomes the name of the environment variable that has the value, in
 * the quotes that it needs where it stands. So the shell never parses the
 * value, whatever is in it, and `agent.py {instruction}`, `agent.py
 * "{instruction}"` and `agent.py '{instruction}'` pass the same argument.
 */
#ifndef RUNNER_DOORS_COMMAND_TEMPLATE_H
#define RUNNER_DOORS_COMMAND_TEMPLATE_H

#include "base/buf.h"

/* Append the command for /bin/sh -c. Other text in braces stays as it is. */
void command_template_expand(const char *template, struct buf *command);

#endif
