/* A pipe between two commands of a pipeline. */
#ifndef TOOLS_PHONE_SHELL_SH_PIPE_H
#define TOOLS_PHONE_SHELL_SH_PIPE_H

#include "tools/phone/shell/sh_port.h"
#include "tools/phone/shell/sh_turns.h"

/* The capacity of a pipe on Linux. */
#define SH_PIPE_SIZE ((size_t)64 * 1024)

struct sh_pipe;

/*
 * Open both ends of a new pipe, for threads that take turns. The owner of each
 * end closes it. Setting *stopped makes both ends fail once they are woken.
 */
void sh_pipe_new(struct sh_turns *turns, const bool *stopped, struct sh_in **in,
                 struct sh_out **out);

#endif
