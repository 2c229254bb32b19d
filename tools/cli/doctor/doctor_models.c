/* Which models can be asked, as far as the environment tells. */
#include <stdlib.h>

#include "base/macros.h"
#include "tools/cli/doctor/doctor_checks.h"

struct service {
    const char *name;
    const char *key;
    const char *address;
};

static const struct service services[] = {
    {"openai: and responses:", "OPENAI_API_KEY", "OPENAI_BASE_URL"},
    {"anthropic:", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"},
    {"gemini:", "GEMINI_API_KEY", "GEMINI_BASE_URL"},
};

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);

    return value && *value;
}

void doctor_check_models(struct findings *findings)
{
    static const char topic[] = "Models";
    bool any = false;

    for (size_t i = 0; i < ARRAY_LEN(services); i++) {
        const struct service *service = &services[i];
        bool key = is_set(service->key);
        bool address = is_set(service->address);

        if (!key && !address)
            continue;
        any = true;
        findings_add(findings, topic, FINDING_GOOD, "%s can be asked: %s%s%s",
                     service->name, key ? service->key : "",
                     key && address ? " and " : "",
                     address ? service->address : "");
    }
    if (!any)
        findings_add(
            findings, topic, FINDING_NOTE,
            "none is configured; set OPENAI_API_KEY, ANTHROPIC_API_KEY, "
            "GEMINI_API_KEY, or an address such as OPENAI_BASE_URL");
}
