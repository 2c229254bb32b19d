#include "runner/agents/agent_factory.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "base/nearest_word.h"

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
    &agent_slips,
    &agent_script,
    &agent_exec,
    &agent_adb,
    &agent_human,
    &agent_mcp,
    NULL,
};
/* clang-format on */

static bool make(const struct agent_maker *maker, struct agent **agent,
                 struct err *err)
{
    const struct agent_factory *agents = maker->context;

    return agents->kind->make(agents->shared, agent, err);
}

/* The kind with the most similar name: "random" for "rondom:7". */
static const char *nearest_kind(const char *name)
{
    char *word = mem_dup_n(name, strcspn(name, ":"));
    struct nearest_word nearest;

    nearest_word_init(&nearest, word);
    for (size_t i = 0; kinds[i]; i++) {
        if (!kinds[i]->hidden)
            nearest_word_offer(&nearest, kinds[i]->name);
    }
    free(word);
    return nearest.best;
}

static bool unknown(const char *name, struct err *err)
{
    struct buf names = BUF_INIT(NAMES_MAX);
    const char *nearest = nearest_kind(name);

    if (nearest)
        return err_set(err, ERR_INVALID,
                       "there is no agent \"%.60s\"; did you mean \"%s%s\"?",
                       name, nearest, name + strcspn(name, ":"));

    for (size_t i = 0; kinds[i]; i++) {
        if (!kinds[i]->hidden)
            buf_printf(&names, "%s%s%s%s", i ? ", " : "", kinds[i]->name,
                       kinds[i]->argument ? ":" : "",
                       kinds[i]->argument ? kinds[i]->argument : "");
    }
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

bool agent_factory_drives(const char *name)
{
    const struct agent_kind *kind = find(name);

    return kind && kind->drives;
}

bool agent_factory_init(struct agent_factory *agents, const char *name,
                        const struct agent_factory_options *options,
                        struct err *err)
{
    const struct agent_kind *kind = find(name);
    const char *colon = strchr(name, ':');
    const char *argument = colon ? colon + 1 : "";
    void *shared = NULL;

    if (!kind)
        return unknown(name, err);
    if (kind->argument && !*argument)
        return err_set(err, ERR_INVALID, "%s needs an argument: %s:%s",
                       kind->name, kind->name, kind->argument);
    if (!kind->argument && colon)
        return err_set(err, ERR_INVALID, "%s takes no argument: \"%.60s\"",
                       kind->name, name);
    if (options->profile && !kind->profiled)
        return err_set(err, ERR_INVALID,
                       "profiles are for models, and %s is not one",
                       kind->name);
    if (kind->open && !kind->open(argument, options, &shared, err))
        return err_wrap(err, "agent %s", kind->name);
    *agents = (struct agent_factory){
        .maker = {.make = make, .context = agents},
        .kind = kind,
        .name = mem_dup(name),
        .shared = shared,
    };
    return true;
}

void agent_factory_release(struct agent_factory *agents)
{
    if (agents->kind && agents->kind->close)
        agents->kind->close(agents->shared);
    free(agents->name);
    *agents = (struct agent_factory){.kind = NULL};
}

void agent_factory_describe(const struct agent_factory *agents,
                            struct cJSON *into)
{
    json_add_string(into, "name", agents->name);
    if (agents->kind->describe)
        agents->kind->describe(agents->shared, into);
}

struct model_usage agent_factory_estimate(const struct agent_factory *agents,
                                          const struct agent_estimate *episode)
{
    struct model_usage usage = {.input_tokens = 0};

    if (agents->kind->estimate)
        agents->kind->estimate(agents->shared, episode, &usage);
    return usage;
}

void agent_factory_list(struct text_list *names)
{
    for (size_t i = 0; kinds[i]; i++) {
        struct buf name = BUF_INIT(NAMES_MAX);

        if (kinds[i]->hidden)
            continue;
        buf_printf(&name, "%s%s", kinds[i]->name,
                   kinds[i]->argument ? ":" : "");
        text_list_add(names, buf_cstr(&name));
        buf_release(&name);
    }
}
