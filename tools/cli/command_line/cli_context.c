#include "tools/cli/command_line/cli_context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"

#define SOON_MS 10000

int cli_exit_code(enum err_code code)
{
    switch (code) {
    case ERR_NONE:
        return 0;
    case ERR_INVALID:
    case ERR_NOT_FOUND:
        return 2;
    case ERR_LOST:
        return 5;
    case ERR_CANCELLED:
        return 130;
    case ERR_IO:
    case ERR_TIMEOUT:
    case ERR_PROTOCOL:
    case ERR_CLOSED:
    case ERR_UNREACHABLE:
    case ERR_REFUSED:
    case ERR_REMOTE:
    case ERR_UNAUTHORIZED:
    case ERR_BUSY:
    case ERR_DENIED:
    case ERR_LIMIT:
    case ERR_NO_SPACE:
    case ERR_UNSUPPORTED:
        break;
    }
    return 1;
}

struct deadline cli_short_deadline(const struct cli_context *cli)
{
    return deadline_sooner(cli->by, deadline_in_ms(SOON_MS));
}

void cli_message(const struct cli_context *cli, const char *fmt, ...)
{
    char text[1024];
    char clean[sizeof(text)];
    va_list args;

    if (cli->shared.json)
        return;
    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    clean_text_copy(clean, sizeof(clean), text, strlen(text));
    fprintf(stderr, "%s\n", clean);
}

static void message_line(void *context, const char *line)
{
    cli_message(context, "%s", line);
}

bool cli_discover_config(const struct cli_context *cli,
                         struct discover_config *discover_config,
                         struct err *err)
{
    bool done = discover_config_init(discover_config, message_line,
                                     (void *)(uintptr_t)cli, cli->cancel,
                                     cli->log, err);

    discover_config->credentials.limit = cli->by;
    return done;
}

bool cli_suggest_builtin(struct err *err, const char *how)
{
    const struct err without = *err;

    if (err->code == ERR_NOT_FOUND)
        err_set(err, ERR_NOT_FOUND, "%s, or %s", without.text, how);
    return false;
}

bool cli_open_device(const struct cli_context *cli, struct device **device,
                     struct err *err)
{
    struct discover_config discover_config;
    bool done = cli_discover_config(cli, &discover_config, err) &&
                discover_open(&discover_config.discover, cli->shared.device,
                              cli_short_deadline(cli), device, err);

    discover_config_release(&discover_config);
    if (!done && !cli->shared.device)
        return cli_suggest_builtin(err, "start a built-in one: proctor phone");
    return done;
}
