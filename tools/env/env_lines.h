/*
 * Environments over JSON lines: a request a line in, an answer a line out.
 * Answers have the id of their request, and may come in another order.
 */
#ifndef TOOLS_ENV_ENV_LINES_H
#define TOOLS_ENV_ENV_LINES_H

#include "base/cancel.h"
#include "tools/env/env_hub.h"

/*
 * Serve requests from in until it ends, all answers are written, or cancel is
 * fired. A line that is no request is answered with an error. Fails with
 * ERR_CANCELLED, and when out cannot be written.
 */
MUST_USE bool env_lines_serve(struct env_hub *hub, int in, int out,
                              const struct cancel *cancel, struct err *err);

#endif
