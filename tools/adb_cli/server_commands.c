/* Commands about the server and the list of phones. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "adb/device/status_reply.h"
#include "adb/trust/key.h"
#include "tools/adb_cli/adb_cli.h"

static int run_devices(struct adb_cli *cli, int argc, char **argv)
{
    bool with_details = argc == 2 && !strcmp(argv[1], "-l");

    if (argc > 2 || (argc == 2 && !with_details))
        return adb_cli_fail("adb devices [-l]");
    printf("List of devices attached\n");
    return adb_cli_query(cli, with_details ? "host:devices-l" : "host:devices");
}

/* Print the blocks as they come, with their lengths. */
static int run_track_devices(struct adb_cli *cli, int argc, char **argv)
{
    bool with_details = argc == 2 && !strcmp(argv[1], "-l");
    struct stream *stream = NULL;
    struct err err = ERR_INIT;
    int code = 0;

    if (argc > 2 || (argc == 2 && !with_details))
        return adb_cli_fail("usage: adb track-devices [-l]");
    if (!server_client_begin(&cli->server,
                             with_details ? "host:track-devices-l"
                                          : "host:track-devices",
                             DEADLINE_NEVER, &stream, &err))
        return adb_cli_error(cli, &err);
    if (!adb_cli_copy(stream, STDOUT_FILENO, &err))
        code = adb_cli_error(cli, &err);
    stream_close(stream);
    return code;
}

static int run_start_server(struct adb_cli *cli, int argc, char **argv)
{
    struct err err = ERR_INIT;
    unsigned version;

    (void)argc, (void)argv;
    if (server_client_version(&cli->server, DEADLINE_NEVER, &version, &err))
        return 0;
    return adb_cli_fail("%s", adb_cli_reason(cli, &err));
}

static int run_kill_server(struct adb_cli *cli, int argc, char **argv)
{
    struct err err = ERR_INIT;

    (void)argc, (void)argv;
    if (!server_client_ask(&cli->server, "host:kill", DEADLINE_NEVER, NULL,
                           &err))
        fprintf(stderr, "%s\n", adb_cli_reason(cli, &err));
    return 0;
}

/* A request with the only argument of a command behind it. */
static int query_with(struct adb_cli *cli, const char *request,
                      const char *argument)
{
    struct buf text = BUF_INIT(STATUS_REPLY_BLOCK_MAX);
    int code;

    buf_printf(&text, "%s%s", request, argument);
    code = adb_cli_query(cli, buf_cstr(&text));
    buf_release(&text);
    return code;
}

static int run_connect(struct adb_cli *cli, int argc, char **argv)
{
    if (argc != 2)
        return adb_cli_fail("usage: adb connect HOST[:PORT]");
    return query_with(cli, "host:connect:", argv[1]);
}

static int run_disconnect(struct adb_cli *cli, int argc, char **argv)
{
    if (argc > 2)
        return adb_cli_fail("usage: adb disconnect [HOST[:PORT]]");
    return query_with(cli, "host:disconnect:", argc == 2 ? argv[1] : "");
}

static bool read_code(char code[64])
{
    printf("Enter pairing code: ");
    fflush(stdout);
    if (!fgets(code, 64, stdin))
        return false;
    code[strcspn(code, "\n")] = '\0';
    return *code;
}

static int run_pair(struct adb_cli *cli, int argc, char **argv)
{
    struct buf text = BUF_INIT(STATUS_REPLY_BLOCK_MAX);
    char typed[64] = "";
    int code;

    if (argc < 2 || argc > 3)
        return adb_cli_fail("usage: adb pair HOST[:PORT] [PAIRING CODE]");
    if (argc == 2 && !read_code(typed))
        return adb_cli_fail("No pairing code provided");
    buf_printf(&text, "host:pair:%s:%s", argc == 3 ? argv[2] : typed, argv[1]);
    code = adb_cli_query(cli, buf_cstr(&text));
    buf_release(&text);
    return code;
}

static int run_mdns(struct adb_cli *cli, int argc, char **argv)
{
    if (argc < 2)
        return adb_cli_fail("mdns requires an argument");
    if (argc > 2)
        return adb_cli_fail("mdns %s doesn't take any arguments", argv[1]);
    if (!strcmp(argv[1], "check"))
        return adb_cli_query(cli, "host:mdns:check");
    if (strcmp(argv[1], "services") != 0)
        return adb_cli_fail("unknown mdns command [%s]", argv[1]);
    printf("List of discovered mdns services\n");
    return adb_cli_query(cli, "host:mdns:services");
}

/* ---- about one phone ---- */

static int run_get(struct adb_cli *cli, int argc, char **argv)
{
    (void)argc;
    return adb_cli_query_phone(cli, argv[0]);
}

/* One name per line, without what adb uses only on request. */
static void print_features(char *list)
{
    char *name;

    while ((name = strsep(&list, ","))) {
        if (*name && strcmp(name, "delayed_ack") != 0)
            printf("%s\n", name);
    }
}

static int run_features(struct adb_cli *cli, int argc, char **argv)
{
    struct buf request = BUF_INIT(STATUS_REPLY_BLOCK_MAX);
    struct buf reply = STATUS_REPLY_BLOCK_INIT;
    struct err err = ERR_INIT;
    int code = 0;

    (void)argc, (void)argv;
    adb_cli_request(cli, "features", &request);
    if (server_client_ask(&cli->server, buf_cstr(&request), DEADLINE_NEVER,
                          &reply, &err)) {
        if (reply.length)
            print_features(reply.data);
    } else {
        code = adb_cli_error(cli, &err);
    }
    buf_release(&request);
    buf_release(&reply);
    return code;
}

static int run_host_features(struct adb_cli *cli, int argc, char **argv)
{
    (void)argc, (void)argv;
    return adb_cli_query(cli, "host:host-features");
}

/* What the phone answers is not printed. */
static int reconnect_device(struct adb_cli *cli)
{
    struct stream *stream = NULL;
    struct err err = ERR_INIT;

    if (!adb_cli_service(cli, "reconnect", &stream, &err))
        return adb_cli_error(cli, &err);
    stream_close(stream);
    return 0;
}

static int run_reconnect(struct adb_cli *cli, int argc, char **argv)
{
    if (argc == 1)
        return adb_cli_query_phone(cli, "reconnect");
    if (argc == 2 && !strcmp(argv[1], "device"))
        return reconnect_device(cli);
    if (argc == 2 && !strcmp(argv[1], "offline"))
        return adb_cli_query(cli, "host:reconnect-offline");
    return adb_cli_fail("usage: adb reconnect [device|offline]");
}

static int run_attach(struct adb_cli *cli, int argc, char **argv)
{
    struct buf request = BUF_INIT(STATUS_REPLY_BLOCK_MAX);
    struct buf reply = STATUS_REPLY_BLOCK_INIT;
    struct err err = ERR_INIT;
    int code = 0;

    (void)argc;
    adb_cli_request(cli, argv[0], &request);
    if (server_client_ask(&cli->server, buf_cstr(&request), DEADLINE_NEVER,
                          &reply, &err))
        printf("%s\n", buf_cstr(&reply));
    else
        code = adb_cli_fail("failed to %s: %s", argv[0],
                            adb_cli_reason(cli, &err));
    buf_release(&request);
    buf_release(&reply);
    return code;
}

/* "wait-for-device" is "wait-for-any-device" on the wire. */
static void complete_wait(const char *word, struct buf *command)
{
    static const char *const kinds[] = {"usb-", "local-", "any-"};
    const char *state = word + strlen("wait-for-");

    buf_text(command, "wait-for-");
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (!strncmp(state, kinds[i], strlen(kinds[i]))) {
            buf_text(command, state);
            return;
        }
    }
    buf_printf(command, "any-%s", state);
}

static int run_wait_for(struct adb_cli *cli, int argc, char **argv)
{
    struct buf request = BUF_INIT(STATUS_REPLY_BLOCK_MAX);
    struct buf command = BUF_INIT(1024);
    struct stream *stream = NULL;
    struct err err = ERR_INIT;
    int code = 0;

    (void)argc;
    complete_wait(argv[0], &command);
    adb_cli_request(cli, buf_cstr(&command), &request);
    if (!server_client_begin(&cli->server, buf_cstr(&request), DEADLINE_NEVER,
                             &stream, &err) ||
        !status_reply_read_status(stream, DEADLINE_NEVER, &err))
        code = adb_cli_error(cli, &err);
    stream_close(stream);
    buf_release(&command);
    buf_release(&request);
    return code;
}

/* ---- the rest ---- */

static int run_keygen(struct adb_cli *cli, int argc, char **argv)
{
    struct key *key = NULL;
    struct err err = ERR_INIT;
    int code = 0;

    (void)cli;
    if (argc != 2)
        return adb_cli_fail("keygen requires an argument");
    if (!key_generate(&key, &err) || !key_write(key, argv[1], &err))
        code = adb_cli_fail("%s", err.text);
    key_close(key);
    return code;
}

/* No phone that proctor shows has an emulator's console for its agent. */
static int run_emu(struct adb_cli *cli, int argc, char **argv)
{
    (void)cli, (void)argc, (void)argv;
    fprintf(stderr, "error: no emulator detected\n");
    return 1;
}

static int run_no_server(struct adb_cli *cli, int argc, char **argv)
{
    (void)cli, (void)argc;
    return adb_cli_fail("%s: this adb starts no server", argv[0]);
}

const struct adb_cli_command adb_cli_server_commands[] = {
    {"devices", run_devices},
    {"track-devices", run_track_devices},
    {"start-server", run_start_server},
    {"kill-server", run_kill_server},
    {"connect", run_connect},
    {"disconnect", run_disconnect},
    {"pair", run_pair},
    {"mdns", run_mdns},
    {"get-state", run_get},
    {"get-serialno", run_get},
    {"get-devpath", run_get},
    {"features", run_features},
    {"host-features", run_host_features},
    {"reconnect", run_reconnect},
    {"attach", run_attach},
    {"detach", run_attach},
    {"wait-for-", run_wait_for},
    {"keygen", run_keygen},
    {"emu", run_emu},
    {"server", run_no_server},
    {"nodaemon", run_no_server},
    {"fork-server", run_no_server},
    {NULL, NULL},
};
