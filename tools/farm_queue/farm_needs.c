#include "tools/farm_queue/farm_needs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_write.h"
#include "base/macros.h"
#include "runner/agents/agent_factory.h"

#define WORD_MAX 300
#define PACKAGES_MAX 5000
#define PACKAGE_LINE "package:"

/* Agents that a worker has only with the key of a model's service. */
static const struct {
    const char *agent;
    const char *variables[2]; /* one of them must be set */
} keyed[] = {
    {"openai", {"OPENAI_API_KEY", "OPENAI_BASE_URL"}},
    {"responses", {"OPENAI_API_KEY", "OPENAI_BASE_URL"}},
    {"anthropic", {"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"}},
    {"gemini", {"GEMINI_API_KEY", "GEMINI_BASE_URL"}},
};

PRINTF_LIKE(2, 3)
static void add_word(struct cJSON *words, const char *format, ...)
{
    char word[WORD_MAX];
    va_list values;

    va_start(values, format);
    vsnprintf(word, sizeof(word), format, values);
    va_end(values);
    json_add_string(words, NULL, word);
}

static bool is_agent(const char *name, const char *kind)
{
    size_t length = strlen(kind);

    return !strncmp(name, kind, length) &&
           (!name[length] || name[length] == ':');
}

/* ---- needs ---- */

static bool is_builtin(const char *device)
{
    return is_agent(device, "phone");
}

bool farm_needs_check(const struct run_plan *plan, struct err *err)
{
    size_t builtin = 0;

    if (is_agent(plan->agent, "human") || is_agent(plan->agent, "mcp"))
        return err_set(err, ERR_INVALID,
                       "agent %.40s needs a terminal: it cannot be queued",
                       plan->agent);
    for (size_t i = 0; i < plan->devices.count; i++)
        builtin += is_builtin(plan->devices.items[i]);
    return builtin == 0 || builtin == plan->devices.count ||
           err_set(err, ERR_INVALID,
                   "the devices of a queued run are of one kind: built-in "
                   "phones, or others");
}

static void need_device(struct cJSON *needs, const struct text_list *devices,
                        bool builtin)
{
    const char *only = devices->count == 1 ? devices->items[0] : "";

    if (builtin || (devices->count && is_builtin(devices->items[0])))
        add_word(needs, "kind:builtin");
    else if (!strcmp(only, "emulator") || !strcmp(only, "real"))
        add_word(needs, "kind:%s", only);
    else if (*only)
        add_word(needs, "serial:%s", only);
    else
        add_word(needs, "kind:device");
}

/* "en", or "en-US" for phones that are set to just that. */
static void need_language(struct cJSON *needs, const char *locale)
{
    if (locale)
        add_word(needs, "%s:%s", strchr(locale, '-') ? "locale" : "lang",
                 locale);
}

static void need_agent(struct cJSON *needs, const char *agent)
{
    if (agent_factory_drives(agent) || is_agent(agent, "exec"))
        add_word(needs, "agent:commands");
    for (size_t i = 0; i < ARRAY_LEN(keyed); i++) {
        if (is_agent(agent, keyed[i].agent))
            add_word(needs, "agent:%s", keyed[i].agent);
    }
}

struct cJSON *farm_needs_of(const struct run_plan *plan,
                            const struct task *task)
{
    struct cJSON *needs = json_new_array();

    need_device(needs, &plan->devices, task->truth != NULL);
    need_agent(needs, plan->agent);
    need_language(needs, plan->locale);
    if (task->truth) /* the built-in phone has all its apps and languages */
        return needs;
    need_language(needs, task->requires.locale);
    for (size_t i = 0; i < task->apps.count; i++)
        add_word(needs, "app:%s", task->apps.items[i]);
    return needs;
}

/* ---- offers ---- */

void farm_offer_agents(struct cJSON *offers, bool commands)
{
    if (commands)
        add_word(offers, "agent:commands");
    for (size_t i = 0; i < ARRAY_LEN(keyed); i++) {
        if (getenv(keyed[i].variables[0]) || getenv(keyed[i].variables[1]))
            add_word(offers, "agent:%s", keyed[i].agent);
    }
}

void farm_offer_builtin(struct cJSON *offers)
{
    add_word(offers, "kind:builtin");
    add_word(offers, "lang:en");
    add_word(offers, "lang:zh");
}

static bool is_emulator(const char *serial, const struct device_info *info)
{
    return !strncmp(serial, "emulator-", 9) ||
           strstr(info->fingerprint, "generic") || strstr(info->model, "sdk_");
}

void farm_offer_phone(struct cJSON *offers, const char *serial,
                      const struct device_info *info)
{
    add_word(offers, "kind:device");
    add_word(offers, "kind:%s",
             is_emulator(serial, info) ? "emulator" : "real");
    add_word(offers, "serial:%s", serial);
    if (!info->locale[0])
        return;
    add_word(offers, "locale:%s", info->locale);
    add_word(offers, "lang:%.*s", (int)strcspn(info->locale, "-_"),
             info->locale);
}

void farm_offer_packages(struct cJSON *offers, const char *output)
{
    for (int i = 0; *output && i < PACKAGES_MAX; i++) {
        size_t length = strcspn(output, "\r\n");

        if (!strncmp(output, PACKAGE_LINE, strlen(PACKAGE_LINE)) &&
            length < WORD_MAX)
            add_word(offers, "app:%.*s", (int)(length - strlen(PACKAGE_LINE)),
                     output + strlen(PACKAGE_LINE));
        output += length;
        output += strspn(output, "\r\n");
    }
}
