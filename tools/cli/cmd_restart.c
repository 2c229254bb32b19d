/* proctor reboot, root, unroot and tcpip: restart the phone, or its adbd. */
#include <errno.h>
#include <stdlib.h>

#include "adb/service.h"
#include "base/macros.h"
#include "tools/cli/cli.h"
#include "tools/cli/cmd.h"
#include "tools/cli/page.h"

#define ANSWER_LIMIT ((size_t)64 * 1024)

static bool reboot_run(struct cli *cli, const void *args,
                       const struct words *words, int *status, struct err *err)
{
    const char *target = words->count ? words->items[0] : NULL;
    struct device *device = NULL;
    bool done;

    (void)args;
    (void)status;
    done = cli_open_device(cli, &device, err) &&
           service_reboot(device, target, cli_soon(cli), err);
    device_close(device);
    return done;
}

/* Print the phone's own words about it. */
static bool print_answer(struct cli *cli, const struct buf *answer,
                         struct err *err)
{
    struct page page;
    bool done;

    page_init(&page, cli->out.fd);
    page_foreign_lines(&page, buf_cstr(answer));
    done = output_buf(&cli->out, &page.text, err);
    page_release(&page);
    return done;
}

static bool run_root(struct cli *cli, bool root, struct err *err)
{
    struct buf answer = BUF_INIT(ANSWER_LIMIT);
    struct device *device = NULL;
    bool done;

    done = cli_open_device(cli, &device, err) &&
           service_root(device, root, cli_soon(cli), &answer, err) &&
           print_answer(cli, &answer, err);
    device_close(device);
    buf_release(&answer);
    return done;
}

static bool root_run(struct cli *cli, const void *args,
                     const struct words *words, int *status, struct err *err)
{
    (void)args;
    (void)words;
    (void)status;
    return run_root(cli, true, err);
}

static bool unroot_run(struct cli *cli, const void *args,
                       const struct words *words, int *status, struct err *err)
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
        return err_set(err, ERR_INVALID,
                       "tcpip: \"%.40s\" is no port: give a number from 1 to "
                       "65535",
                       text);
    *port = (uint16_t)number;
    return true;
}

static bool tcpip_run(struct cli *cli, const void *args,
                      const struct words *words, int *status, struct err *err)
{
    struct buf answer = BUF_INIT(ANSWER_LIMIT);
    struct device *device = NULL;
    uint16_t port;
    bool done;

    (void)args;
    (void)status;
    done = parse_port(words->items[0], &port, err) &&
           cli_open_device(cli, &device, err) &&
           service_tcpip(device, port, cli_soon(cli), &answer, err) &&
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
    .description =
        "Restarts adbd on the phone with the rights of root, and prints what "
        "the phone says to it. Phones that are sold to people refuse.",
    .takes = TAKES_DEVICE | TAKES_TIMEOUT,
    .run = root_run,
};

const struct command cmd_unroot = {
    .name = "unroot",
    .section = "Restart a phone",
    .summary = "Restart the phone's adbd without root's rights",
    .description = "Takes back what root has done.",
    .takes = TAKES_DEVICE | TAKES_TIMEOUT,
    .run = unroot_run,
};

static const struct operand tcpip_operands[] = {
    {.name = "PORT", .help = "Usually 5555", .min = 1, .max = 1},
};

static const struct example tcpip_examples[] = {
    {"proctor tcpip 5555", "Then take the cable out and connect to the phone."},
};

const struct command cmd_tcpip = {
    .name = "tcpip",
    .section = "Restart a phone",
    .summary = "Let the phone's adbd listen on the network",
    .description =
        "Restarts adbd on the phone so that it listens on a TCP port, for "
        "everybody on its network. A restart of the phone ends that.",
    COMMAND_OPERANDS(tcpip_operands),
    COMMAND_EXAMPLES(tcpip_examples),
    .takes = TAKES_DEVICE | TAKES_TIMEOUT,
    .run = tcpip_run,
};
