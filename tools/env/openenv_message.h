/* OpenEnv's messages as requests of environments, and answers as messages. */
#ifndef TOOLS_ENV_OPENENV_MESSAGE_H
#define TOOLS_ENV_OPENENV_MESSAGE_H

#include "tools/env/env_request.h"

/*
 * Read a message: untrusted bytes. Its environment has no name yet. On failure
 * *code is OpenEnv's code, and there is nothing to release.
 */
MUST_USE bool openenv_message_read(const char *text, size_t length,
                                   struct env_request *request,
                                   const char **code, struct err *err);

/*
 * The message for an answer of the hub, whose parts move to it; err is its
 * error, or has ERR_NONE. The caller deletes it.
 */
struct cJSON *openenv_message_answer(const struct env_request *request,
                                     struct cJSON *answer,
                                     const struct err *err);

/* An error with OpenEnv's code. The caller deletes it. */
struct cJSON *openenv_message_error(const char *code, const char *text);

#endif
