#include "runner/agents.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"

#define NAMES_MAX 256

/* clang-format off */
static const struct agent_kind *const kinds[] = {
    &agent_gold,
    &agent_openai,
    &agent_responses,
    &agent_anthropic,
    &agent_gemini,
    &agent_random,
    &agent_nothing,
    &agent_script,
    &agent_exec,
    &agent_human,
    NULL,
};
/* clang-format on */

static bool make(const struct agent_maker *maker, struct agent **agent,
                 struct err *err)
{
    const struct agents *agents = maker->context;

    return agents->kind->make(agents->shared, agent, err);
}

static bool unknown(const char *name, struct err *err)
{
    struct buf names = BUF_INIT(NAMES_MAX);

    for (size_t i = 0; kinds[i]; i++)
        buf_printf(&names, "%s%s%s%s", i ? ", " : "", kinds[i]->name,
                   kinds[i]->argument ? ":" : "",
                   kinds[i]->argument ? kinds[i]->argument : "");
    err_fill(err, ERR_INVALID, "there is no agent \"%.60s\"; there are %s",
             name, buf_cstr(&names));
    buf_release(&names);
    return false;
}

static const struct agent_kind *find(const char *name)
{
    size_t length = strcspn(name, ":");

    for (size_t i = 0; kinds[i]; i++) {
        if (strlen(kinds[i]->name) == length &&
            !strncmp(kinds[i]->name, name, length))
            return kinds[i];
    }
    return NULL;
}

bool agents_init(struct agents *agents, const char *name,
                 const struct agents_options *options, struct err *err)
{
    const struct agent_kind *kind = find(name);
    const char *colon = strchr(name, ':');
    const char *argument = colon ? colon + 1 : "";
    void *shared = NULL;

    if (!kind)
        return unknown(name, err);
    if (kind->argument && !*argument)
        return err_set(err, ERR_INVALID, "%s needs more: %s:%s", kind->name,
                       kind->name, kind->argument);
    if (!kind->argument && colon)
        return err_set(err, ERR_INVALID, "%s takes no argument: \"%.60s\"",
                       kind->name, name);
    if (options->profile && !kind->profiled)
        return err_set(err, ERR_INVALID,
                       "profiles are for models, and %s is none", kind->name);
    if (kind->open && !kind->open(argument, options, &shared, err))
        return err_wrap(err, "agent %s", kind->name);
    *agents = (struct agents){
        .maker = {.make = make, .context = agents},
        .kind = kind,
        .name = mem_dup(name),
        .shared = shared,
    };
    return true;
}

void agents_release(struct agents *agents)
{
    if (agents->kind && agents->kind->close)
        agents->kind->close(agents->shared);
    free(agents->name);
    *agents = (struct agents){.kind = NULL};
}

void agents_describe(const struct agents *agents, struct cJSON *into)
{
    json_add_string(into, "name", agents->name);
    if (agents->kind->describe)
        agents->kind->describe(agents->shared, into);
}

struct model_usage agents_estimate(const struct agents *agents,
                                   struct extent screen, int steps)
{
    struct model_usage usage = {.input_tokens = 0};

    if (agents->kind->estimate)
        agents->kind->estimate(agents->shared, screen, steps, &usage);
    return usage;
}
