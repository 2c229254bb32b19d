/*
 * Lines of an MCP client: each gets one answer, which is one line of JSON or
 * nothing, and no text of the client reaches a command unquoted.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "tests/fuzz/fuzz.h"
#include "tools/mcp/mcp_server.h"
#include "tools/mcp/mcp_stdio.h"

#define DRAIN_MS 60000

/* A phone that does nothing. */
static bool look_nowhere(struct mcp_phone *phone, const struct cancel *cancel,
                         const struct observation **seen, struct err *err)
{
    (void)phone, (void)cancel, (void)seen;
    return err_set(err, ERR_LOST, "no screen");
}

static bool act_nowhere(struct mcp_phone *phone, const struct action *action,
                        const char *said, const struct cancel *cancel,
                        struct mcp_outcome *outcome, struct err *err)
{
    (void)phone, (void)cancel, (void)err;
    fuzz_expect(action->kind < ACTION_KINDS && said != NULL);
    buf_text(&outcome->text, "done");
    return true;
}

/* Words of a command stand in single quotes, or need none. */
static bool is_quoted(const char *command)
{
    bool inside = false;

    for (; *command; command++) {
        if (*command == '\'')
            inside = !inside;
        else if (*command == '\\' && !inside && command[1])
            command++;
        else if (!inside && strchr(";|&$`<>()\n\"", *command))
            return false;
    }
    return !inside;
}

static bool command_nowhere(struct mcp_phone *phone, const char *command,
                            const struct cancel *cancel, struct buf *output,
                            struct err *err)
{
    (void)phone, (void)cancel, (void)output, (void)err;
    fuzz_expect(is_quoted(command));
    return true;
}

static void close_nowhere(struct mcp_phone *phone)
{
    (void)phone;
}

static atomic_size_t answered;

static void check_answer(void *context, uint64_t number, enum mcp_status status,
                         struct buf *text)
{
    struct cJSON *tree = NULL;
    struct err err = ERR_INIT;

    (void)context, (void)number;
    if (text->length) {
        fuzz_expect(!memchr(text->data, '\n', text->length));
        fuzz_expect(json_parse(text->data, text->length, &tree, &err));
        cJSON_Delete(tree);
    } else {
        fuzz_expect(status == MCP_STATUS_ACCEPTED);
    }
    answered++;
}

struct fuzz_client {
    struct mcp_server *server;
    struct mcp_peer peer;
    uint64_t lines;
};

static void handle_line(void *context, const struct buf *line, bool too_long)
{
    struct fuzz_client *client = context;

    client->lines++;
    if (too_long)
        mcp_server_refuse(client->server, client->lines,
                          JSONRPC_INVALID_REQUEST, "too long");
    else
        mcp_server_handle(client->server, &client->peer, client->lines,
                          buf_cstr(line), line->length);
}

/* One server for all inputs: starting a thread takes longer than they do. */
static struct mcp_server *server;

static void stop_server(void)
{
    mcp_server_stop(server);
}

static struct mcp_server *the_server(void)
{
    static const struct mcp_phone_ops ops = {.look = look_nowhere,
                                             .act = act_nowhere,
                                             .command = command_nowhere,
                                             .close = close_nowhere};
    static struct mcp_phone phone = {.ops = &ops, .serial = "phone-0"};
    static struct mcp_operator op;
    const struct mcp_server_options options = {.op = &op,
                                               .tools = {.aliases = true},
                                               .instructions = "",
                                               .answer = check_answer};
    struct err err = ERR_INIT;

    if (!server) {
        mcp_operator_init(&op, &phone);
        fuzz_expect(mcp_server_start(&options, &server, &err));
        fuzz_expect(!atexit(stop_server));
    }
    return server;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct mcp_lines lines = MCP_LINES_INIT;
    struct fuzz_client client = {.server = the_server(), .peer = {.id = 1}};

    answered = 0;
    mcp_lines_add(&lines, (const char *)data, size, handle_line, &client);
    mcp_lines_add(&lines, "\n", 1, handle_line, &client);
    fuzz_expect(mcp_server_drain(client.server, deadline_in_ms(DRAIN_MS)));
    fuzz_expect(answered == client.lines);
    mcp_lines_release(&lines);
    return 0;
}
