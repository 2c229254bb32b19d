#include "tools/adb_cli/adb_cli.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "adb/device/status_reply.h"
#include "adb/services/shell.h"
#include "base/file.h"

#define PIECE_SIZE ((size_t)256 * 1024)

int adb_cli_fail(const char *fmt, ...)
{
    va_list values;

    fflush(stdout);
    fputs("adb: ", stderr);
    va_start(values, fmt);
    vfprintf(stderr, fmt, values);
    va_end(values);
    fputc('\n', stderr);
    return 1;
}

/* The server that text names; name is where the text is from. */
static bool parse_server(const char *text, const char *name,
                         struct server_client *server, struct err *err)
{
    char address[TCP_ADDRESS_MAX];

    snprintf(address, sizeof(address), "%s%s",
             strchr(text, ':') ? "" : "127.0.0.1:", text);
    *server = (struct server_client){0};
    return tcp_parse_address(address, SERVER_CLIENT_DEFAULT_PORT, server->host,
                             &server->port, err) ||
           err_wrap(err, "%s", name);
}

/* The first line of the file beside this program, by the path it was run by. */
static bool read_server_file(struct buf *path, struct buf *text)
{
    const char *program = (const char *)getauxval(AT_EXECFN);
    struct err ignored;

    buf_printf(path, "%s" SERVER_CLIENT_FILE, program ? program : "");
    if (!program || path->overflow ||
        !file_load(buf_cstr(path), text, &ignored))
        return false;
    buf_truncate(text, strcspn(buf_cstr(text), "\n"));
    return true;
}

bool adb_cli_server(struct server_client *server, struct err *err)
{
    const char *given = getenv("PROCTOR_ADB_SERVER");
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf text = BUF_INIT(TCP_ADDRESS_MAX);
    bool done;

    if (given && *given)
        done = parse_server(given, "PROCTOR_ADB_SERVER", server, err);
    else if (read_server_file(&path, &text))
        done = parse_server(buf_cstr(&text), buf_cstr(&path), server, err);
    else
        done = server_client_from_environment(server, err);
    buf_release(&path);
    buf_release(&text);
    return done;
}

const char *adb_cli_reason(const struct adb_cli *cli, struct err *err)
{
    static const char says[] = "adb says: ";
    const char *found = strstr(err->text, says);

    if (err->code == ERR_UNREACHABLE) {
        err_set(err, ERR_UNREACHABLE,
                "cannot connect to daemon at tcp:%s:%u: Connection refused",
                cli->server.host, (unsigned)cli->server.port);
        return err->text;
    }
    if (err->code == ERR_REFUSED)
        return "closed";
    return found ? found + strlen(says) : err->text;
}

int adb_cli_error(const struct adb_cli *cli, struct err *err)
{
    fflush(stdout);
    fprintf(stderr, "error: %s\n", adb_cli_reason(cli, err));
    return 1;
}

void adb_cli_request(const struct adb_cli *cli, const char *command,
                     struct buf *request)
{
    switch (cli->scope) {
    case ADB_CLI_ANY:
        buf_text(request, "host:");
        break;
    case ADB_CLI_USB:
        buf_text(request, "host-usb:");
        break;
    case ADB_CLI_LOCAL:
        buf_text(request, "host-local:");
        break;
    case ADB_CLI_SERIAL:
        buf_printf(request, "host-serial:%s:", cli->serial);
        break;
    case ADB_CLI_ID:
        buf_printf(request, "host-transport-id:%s:", cli->id);
        break;
    }
    buf_text(request, command);
}

int adb_cli_query(const struct adb_cli *cli, const char *request)
{
    struct buf reply = STATUS_REPLY_BLOCK_INIT;
    struct err err = ERR_INIT;
    int code = 0;

    if (server_client_ask(&cli->server, request, DEADLINE_NEVER, &reply, &err))
        printf("%s\n", buf_cstr(&reply));
    else
        code = adb_cli_error(cli, &err);
    buf_release(&reply);
    return code;
}

int adb_cli_query_phone(const struct adb_cli *cli, const char *command)
{
    struct buf request = BUF_INIT(STATUS_REPLY_BLOCK_MAX);
    int code;

    adb_cli_request(cli, command, &request);
    code = adb_cli_query(cli, buf_cstr(&request));
    buf_release(&request);
    return code;
}

bool adb_cli_serial(const struct adb_cli *cli, struct buf *serial,
                    struct err *err)
{
    struct buf request = BUF_INIT(STATUS_REPLY_BLOCK_MAX);
    bool known;

    if (cli->scope == ADB_CLI_SERIAL) {
        buf_text(serial, cli->serial);
        return true;
    }
    adb_cli_request(cli, "get-serialno", &request);
    known = server_client_ask(&cli->server, buf_cstr(&request), DEADLINE_NEVER,
                              serial, err);
    buf_release(&request);
    return known;
}

bool adb_cli_device(const struct adb_cli *cli, struct device **device,
                    struct err *err)
{
    struct buf serial = STATUS_REPLY_BLOCK_INIT;
    bool opened = adb_cli_serial(cli, &serial, err) &&
                  device_open_server(&cli->server, buf_cstr(&serial),
                                     DEADLINE_NEVER, device, err);

    buf_release(&serial);
    return opened;
}

bool adb_cli_service(const struct adb_cli *cli, const char *service,
                     struct stream **stream, struct err *err)
{
    struct buf serial = STATUS_REPLY_BLOCK_INIT;
    bool opened =
        adb_cli_serial(cli, &serial, err) &&
        server_client_open_service(&cli->server, buf_cstr(&serial), service,
                                   DEADLINE_NEVER, stream, err);

    buf_release(&serial);
    return opened;
}

bool adb_cli_copy(struct stream *stream, int fd, struct err *err)
{
    char data[PIECE_SIZE];
    size_t got = 1;

    fflush(stdout);
    while (got) {
        if (!stream_read(stream, data, sizeof(data), DEADLINE_NEVER, &got,
                         err) ||
            !file_write(fd, data, got, err))
            return false;
    }
    return true;
}

int adb_cli_print_service(const struct adb_cli *cli, const char *service)
{
    struct stream *stream = NULL;
    struct err err = ERR_INIT;
    int code = 0;

    if (!adb_cli_service(cli, service, &stream, &err))
        return adb_cli_error(cli, &err);
    if (!adb_cli_copy(stream, STDOUT_FILENO, &err))
        code = adb_cli_error(cli, &err);
    stream_close(stream);
    return code;
}

void adb_cli_join(struct buf *command, int argc, char **argv, bool quoted)
{
    for (int i = 0; i < argc; i++) {
        if (i)
            buf_byte(command, ' ');
        if (quoted)
            shell_quote(command, argv[i]);
        else
            buf_text(command, argv[i]);
    }
}
