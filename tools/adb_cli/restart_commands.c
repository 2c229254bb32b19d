/* Commands that restart the phone or its adbd. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "adb/transport/tcp.h"
#include "tools/adb_cli/adb_cli.h"

static int print_service_with(struct adb_cli *cli, const char *service,
                              const char *argument)
{
    struct buf text = BUF_INIT(4096);
    int code;

    buf_printf(&text, "%s:%s", service, argument);
    code = adb_cli_print_service(cli, buf_cstr(&text));
    buf_release(&text);
    return code;
}

/* root, unroot, usb, disable-verity, enable-verity */
static int run_plain(struct adb_cli *cli, int argc, char **argv)
{
    (void)argc;
    return print_service_with(cli, argv[0], "");
}

static int run_remount(struct adb_cli *cli, int argc, char **argv)
{
    return print_service_with(cli, argv[0], argc == 2 ? argv[1] : "");
}

static int run_reboot(struct adb_cli *cli, int argc, char **argv)
{
    return print_service_with(cli, "reboot", argc > 1 ? argv[1] : "");
}

static int run_tcpip(struct adb_cli *cli, int argc, char **argv)
{
    uint16_t port;

    if (argc != 2)
        return adb_cli_fail("tcpip requires an argument");
    if (!tcp_parse_port(argv[1], &port))
        return adb_cli_fail("tcpip: invalid port: %s", argv[1]);
    return print_service_with(cli, "tcpip", argv[1]);
}

static int run_reboot_bootloader(struct adb_cli *cli, int argc, char **argv)
{
    (void)argc, (void)argv;
    return print_service_with(cli, "reboot", "bootloader");
}

/* Only a phone in recovery or rescue mode offers these: none that is shown. */
static int run_sideload(struct adb_cli *cli, int argc, char **argv)
{
    struct stat facts;

    (void)cli;
    if (argc != 2)
        return adb_cli_fail("sideload requires an argument");
    if (stat(argv[1], &facts))
        return adb_cli_fail("failed to stat file %s: %s", argv[1],
                            strerror(errno));
    (void)adb_cli_fail("sideload connection failed: closed");
    (void)adb_cli_fail("trying pre-KitKat sideload method...");
    return adb_cli_fail("pre-KitKat sideload connection failed: closed");
}

static int run_rescue(struct adb_cli *cli, int argc, char **argv)
{
    const char *verb = argc > 1 ? argv[1] : "";

    (void)cli;
    if (argc < 2)
        return adb_cli_fail("rescue requires at least one argument");
    if (!strcmp(verb, "install") && argc != 3)
        return adb_cli_fail("rescue install requires two arguments");
    if (!strcmp(verb, "wipe") && (argc != 3 || strcmp(argv[2], "userdata")))
        return adb_cli_fail("invalid rescue wipe arguments");
    if (strcmp(verb, "install") && strcmp(verb, "wipe") &&
        strcmp(verb, "getprop"))
        return adb_cli_fail("invalid rescue argument");
    fprintf(stderr, "error: closed\n");
    return 1;
}

const struct adb_cli_command adb_cli_restart_commands[] = {
    {"root", run_plain},
    {"unroot", run_plain},
    {"usb", run_plain},
    {"disable-verity", run_plain},
    {"enable-verity", run_plain},
    {"remount", run_remount},
    {"reboot", run_reboot},
    {"tcpip", run_tcpip},
    {"sideload", run_sideload},
    {"rescue", run_rescue},
    {"reboot-bootloader", run_reboot_bootloader},
    {NULL, NULL},
};
