/* A hub of environments for tests, asked one request at a time. */
#ifndef TESTS_TOOLS_ENV_ENV_DESK_H
#define TESTS_TOOLS_ENV_ENV_DESK_H

#include "tasks/task/suite.h"
#include "tools/env/env_hub.h"
#include "tools/phone/graphics/font.h"

struct env_desk {
    struct env_sink sink;
    struct suite suite;
    struct phone_fonts *fonts;
    struct env_builtin_maker builtin;
    struct env_world world;
    struct env_hub *hub;
    char *answer; /* owned; the last one */
};

/*
 * Set world.record or world.maker, and then open the hub. Files are in
 * scratch_folder_path().
 */
void env_desk_init(struct env_desk *desk);
void env_desk_open(struct env_desk *desk,
                   const struct env_hub_options *options);
void env_desk_release(struct env_desk *desk);

/* The answer to a request, without its id; borrowed until the next one. */
const char *env_desk_ask(struct env_desk *desk, const char *request);

/* The same, which must not be an error. */
const char *env_desk_expect(struct env_desk *desk, const char *request);

/* It must be an error with these words. */
void env_desk_expect_error(struct env_desk *desk, const char *request,
                           const char *words);

/* Tap the first element whose name contains this one; the answer. */
const char *env_desk_tap(struct env_desk *desk, const char *env,
                         const char *name);

#endif
