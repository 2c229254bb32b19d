/* proctor reboot, root, unroot and tcpip: restart the phone, or its adbd. */
#include <errno.h>
#include <stdlib.h>

#include "adb/services/adbd_control.h"
#include "base/macros.h"
#include "tools/cli/command_line/all_commands.h"
#include "tools/cli/command_line/cli_context.h"
#include "tools/cli/terminal/text_page.h"

#define ANSWER_LIMIT ((size_t)64 * 1024)

static bool reboot_run(struct cli_context *cli, const void *args,
                       const struct operand_words *words, int *status,
                       struct err *err)
{
    const char *target = words->count ? words->items[0] : NULL;
    struct device *device = NULL;
    bool done;

    (void)args;
    (void)status;
    done = cli_open_device(cli, &device, err) &&
           adbd_control_reboot(device, target, cli_short_deadline(cli), err);
    device_close(device);
    return done;
}

/* Print the phone's answer. */
static bool print_answer(struct cli_context *cli, const struct buf *answer,
                         struct err *err)
{
    struct text_page page;
    bool done;

    text_page_init(&page, cli->out.fd);
    text_page_untrusted_lines(&page, buf_cstr(answer));
    done = output_stream_buf(&cli->out, &page.text, err);
    text_page_release(&page);
    return done;
}

static bool run_root(struct cli_context *cli, bool root, struct err *err)
{
    struct buf answer = BUF_INIT(ANSWER_LIMIT);
    struct device *device = NULL;
    bool done;

    done = cli_open_device(cli, &device, err) &&
           adbd_control_root(device, root, cli_short_deadline(cli), &answer,
                             err) &&
           print_answer(cli, &answer, err);
    device_close(device);
    buf_release(&answer);
    return done;
}

static bool root_run(struct cli_context *cli, const void *args,
                     const struct operand_words *words, int *status,
                     struct err *err)
{
    (void)args;
    (void)words;
    (void)status;
    return run_root(cli, true, err);
}

static bool unroot_run(struct cli_context *cli, const void *args,
                       const struct operand_words *words, int *status,
                       struct err *err)
{
    (void)args;
    (void)words;
    (void)status;
    return run_root(cli, false, err);
}

static bool parse_port(const char *text, uint16_t *port, struct err *err)
{
    char *end;
    unsigned long number;

    errno = 0;
    number = strtoul(text, &end, 10);
    if (errno || end == text || *end || !number || number > UINT16_MAX)
        return err_set(
            err, ERR_INVALID,
            "tcpip: \"%.40s\" is not a port: give a number from 1 to 65535",
            text);
    *port = (uint16_t)number;
    return true;
}

static bool tcpip_run(struct cli_context *cli, const void *args,
                      const struct operand_words *words, int *status,
                      struct err *err)
{
    struct buf answer = BUF_INIT(ANSWER_LIMIT);
    struct device *device = NULL;
    uint16_t port;
    bool done;

    (void)args;
    (void)status;
    done = parse_port(words->items[0], &port, err) &&
           cli_open_device(cli, &device, err) &&
           adbd_control_tcpip(device, port, cli_short_deadline(cli), &answer,
                              err) &&
           print_answer(cli, &answer, err);
    device_close(device);
    buf_release(&answer);
    return done;
}

static const struct operand reboot_operands[] = {
    {.name = "TARGET",
     .help = "bootloader, recovery, sideload, ...; else the system",
     .max = 1},
};

const struct command cmd_reboot = {
    .name = "reboot",
    .section = "Restart a phone",
    .summary = "Restart the phone",
    .description = "Restarts the phone, into TARGET if that is given.",
    COMMAND_OPERANDS(reboot_operands),
    .takes = TAKES_DEVICE | TAKES_TIMEOUT,
    .run = reboot_run,
};

const struct command cmd_root = {
    .name = "root",
    .section = "Restart a phone",
    .summary = "Restart the phone's adbd as root",
    .description = "Restarts adbd on the phone as root, and prints the phone's "
                   "answer. Ordinary phones refuse.",
    .takes = TAKES_DEVICE | TAKES_TIMEOUT,
    .run = root_run,
};

const struct command cmd_unroot = {
    .name = "unroot",
    .section = "Restart a phone",
    .summary = "Restart the phone's adbd without root's rights",
    .description = "Restarts adbd on the phone without root's rights.",
    .takes = TAKES_DEVICE | TAKES_TIMEOUT,
    .run = unroot_run,
};

static const struct operand tcpip_operands[] = {
    {.name = "PORT", .help = "Usually 5555", .min = 1, .max = 1},
};

static const struct example tcpip_examples[] = {
    {"proctor tcpip 5555", "Then unplug the cable and use proctor connect."},
};

const struct command cmd_tcpip = {
    .name = "tcpip",
    .section = "Restart a phone",
    .summary = "Make the phone's adbd listen on the network",
    .description =
        "Restarts adbd on the phone so that it listens on a TCP port, for "
        "every computer on its network, until the phone restarts.",
    COMMAND_OPERANDS(tcpip_operands),
    COMMAND_EXAMPLES(tcpip_examples),
    .takes = TAKES_DEVICE | TAKES_TIMEOUT,
    .run = tcpip_run,
};
