/* forward and reverse. */
#include <stdio.h>
#include <string.h>

#include "adb/device/status_reply.h"
#include "tools/adb_cli/adb_cli.h"

/*
 * Send a request whose answer is a second status and, for a port that was
 * picked, a block. A reverse goes to the phone, a forward to the server.
 */
static int send_request(struct adb_cli *cli, bool reverse, const char *command)
{
    struct buf request = BUF_INIT(STATUS_REPLY_BLOCK_MAX);
    struct buf port = STATUS_REPLY_BLOCK_INIT;
    struct stream *stream = NULL;
    struct err err = ERR_INIT;
    struct err no_port;
    bool done;

    if (reverse)
        buf_printf(&request, "reverse:%s", command);
    else
        adb_cli_request(cli, command, &request);
    done = reverse ? adb_cli_service(cli, buf_cstr(&request), &stream, &err)
                   : server_client_begin(&cli->server, buf_cstr(&request),
                                         DEADLINE_NEVER, &stream, &err);
    done = done && status_reply_read_status(stream, DEADLINE_NEVER, &err);
    if (done &&
        status_reply_read_block(stream, DEADLINE_NEVER, &port, &no_port))
        printf("%s\n", buf_cstr(&port));
    stream_close(stream);
    buf_release(&port);
    buf_release(&request);
    return done ? 0 : adb_cli_fail("error: %s", adb_cli_reason(cli, &err));
}

static int list_reverses(struct adb_cli *cli)
{
    struct buf text = STATUS_REPLY_BLOCK_INIT;
    struct stream *stream = NULL;
    struct err err = ERR_INIT;
    bool done = adb_cli_service(cli, "reverse:list-forward", &stream, &err) &&
                status_reply_read_block(stream, DEADLINE_NEVER, &text, &err);

    if (done)
        printf("%s\n", buf_cstr(&text));
    stream_close(stream);
    buf_release(&text);
    return done ? 0 : adb_cli_fail("error: %s", adb_cli_reason(cli, &err));
}

static int send_formatted(struct adb_cli *cli, bool reverse, const char *verb,
                          const char *first, const char *second)
{
    struct buf command = BUF_INIT(STATUS_REPLY_BLOCK_MAX);
    int code;

    buf_printf(&command, "%s:%s%s%s", verb, first, second ? ";" : "",
               second ? second : "");
    code = send_request(cli, reverse, buf_cstr(&command));
    buf_release(&command);
    return code;
}

static int run_forward(struct adb_cli *cli, int argc, char **argv)
{
    bool reverse = !strcmp(argv[0], "reverse");

    if (argc < 2)
        return adb_cli_fail("%s requires an argument", argv[0]);
    if (!strcmp(argv[1], "--list")) {
        if (argc != 2)
            return adb_cli_fail("--list doesn't take any arguments");
        return reverse ? list_reverses(cli)
                       : adb_cli_query_phone(cli, "list-forward");
    }
    if (!strcmp(argv[1], "--remove-all")) {
        if (argc != 2)
            return adb_cli_fail("--remove-all doesn't take any arguments");
        return send_request(cli, reverse, "killforward-all");
    }
    if (!strcmp(argv[1], "--remove")) {
        if (argc != 3)
            return adb_cli_fail("--remove requires an argument");
        return send_formatted(cli, reverse, "killforward", argv[2], NULL);
    }
    if (!strcmp(argv[1], "--no-rebind")) {
        if (argc != 4)
            return adb_cli_fail("--no-rebind takes two arguments");
        return send_formatted(cli, reverse, "forward:norebind", argv[2],
                              argv[3]);
    }
    if (argc != 3)
        return adb_cli_fail("forward takes two arguments");
    return send_formatted(cli, reverse, "forward", argv[1], argv[2]);
}

const struct adb_cli_command adb_cli_forward_commands[] = {
    {"forward", run_forward},
    {"reverse", run_forward},
    {NULL, NULL},
};
