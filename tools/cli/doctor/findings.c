#include "tools/cli/doctor/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

void findings_release(struct findings *findings)
{
    free(findings->items);
    *findings = (struct findings){0};
}

struct finding *findings_add(struct findings *findings, const char *topic,
                             enum finding_level level, const char *fmt, ...)
{
    struct finding *finding;
    va_list args;

    findings->items = mem_resize(findings->items, findings->count + 1,
                                 sizeof(*findings->items));
    finding = &findings->items[findings->count++];
    *finding = (struct finding){.topic = topic, .level = level};
    va_start(args, fmt);
    vsnprintf(finding->text, sizeof(finding->text), fmt, args);
    va_end(args);
    return finding;
}

void finding_advise(struct finding *finding, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(finding->advice, sizeof(finding->advice), fmt, args);
    va_end(args);
}
