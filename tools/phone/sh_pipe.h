/* What stands between two stages of a pipeline: a few bytes under way. */
#ifndef PHONE_SH_PIPE_H
#define PHONE_SH_PIPE_H

#include "tools/phone/sh_port.h"
#include "tools/phone/sh_turns.h"

/* As a pipe of Linux holds. */
#define SH_PIPE_SIZE ((size_t)64 * 1024)

struct sh_pipe;

/*
 * Both ends of a new pipe, for threads that take turns. Each is closed by
 * whoever has it; *stopped makes both ends fail, once all are woken.
 */
void sh_pipe_new(struct sh_turns *turns, const bool *stopped, struct sh_in **in,
                 struct sh_out **out);

#endif
