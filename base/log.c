#include "base/log.h"

#include <stdarg.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/deadline.h"

static const char *const component_names[LOG_COMPONENT_COUNT] = {
    [LOG_PACKET] = "packet", [LOG_CONN] = "conn",   [LOG_SERVER] = "server",
    [LOG_SYNC] = "sync",     [LOG_MODEL] = "model",
};

/* The bits for one word of the specification; 0 if unknown. */
static uint32_t bits_of(const char *word, size_t length)
{
    if (length == 3 && !memcmp(word, "all", 3))
        return (1U << LOG_COMPONENT_COUNT) - 1;
    for (size_t i = 0; i < LOG_COMPONENT_COUNT; i++) {
        if (strlen(component_names[i]) == length &&
            !memcmp(component_names[i], word, length))
            return 1U << i;
    }
    return 0;
}

static bool fail_unknown(const char *word, size_t length, struct err *err)
{
    err_fill(err, ERR_INVALID, "all");
    for (size_t i = LOG_COMPONENT_COUNT; i-- > 0;)
        err_fill(err, ERR_INVALID, "%s, %s", component_names[i], err->text);
    return err_set(err, ERR_INVALID,
                   "PROCTOR_TRACE: no component \"%.*s\" (%s)",
                   (int)(length > 40 ? 40 : length), word, err->text);
}

bool log_init(struct log *log, FILE *out, const char *spec, struct err *err)
{
    uint32_t enabled = 0;

    while (spec && *spec) {
        size_t length = strcspn(spec, ",");
        uint32_t bits = bits_of(spec, length);

        if (!bits)
            return fail_unknown(spec, length, err);
        enabled |= bits;
        spec += length + (spec[length] == ',');
    }
    *log = (struct log){.out = out, .enabled = enabled, .start_ns = clock_ns()};
    return true;
}

bool log_enabled(const struct log *log, enum log_component component)
{
    return log && (log->enabled & 1U << component);
}

void log_write(const struct log *log, enum log_component component,
               const char *fmt, ...)
{
    char line[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(line, sizeof(line), fmt, args);
    va_end(args);
    /* Names come from phones: they must not contain control characters. */
    clean_text_copy(line, sizeof(line), line, strlen(line));
    /* One call per line, so that lines of several threads do not mix. */
    fprintf(log->out, "%10.3f ms %-6s %s\n",
            (double)(clock_ns() - log->start_ns) / 1e6,
            component_names[component], line);
}
