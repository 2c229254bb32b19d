/* The URL of a queue on a command line, or in PROCTOR_QUEUE. */
#ifndef TOOLS_CLI_COMMAND_LINE_QUEUE_OPERANDS_H
#define TOOLS_CLI_COMMAND_LINE_QUEUE_OPERANDS_H

#include "base/err.h"
#include "tools/cli/command_line/option.h"

/*
 * The URL in words, from index at on, or that of the environment; *rest is the
 * word after it, or NULL. The password is overwritten in the command line,
 * which all users of the computer can read; *url is an own copy that the
 * caller frees. Fails with ERR_INVALID when there is no URL, and for words that
 * are left over.
 */
MUST_USE bool queue_operands_read(const struct operand_words *words, size_t at,
                                  char **url, const char **rest,
                                  struct err *err);

#endif
