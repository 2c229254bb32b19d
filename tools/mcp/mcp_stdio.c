#include "tools/mcp/mcp_stdio.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define READ_BYTES ((size_t)64 * 1024)

/* ---- lines ---- */

static void end_line(struct mcp_lines *lines, mcp_line_fn *each, void *context)
{
    if (lines->skipping) {
        buf_clear(&lines->line);
        each(context, &lines->line, true);
    } else if (lines->line.length) {
        each(context, &lines->line, false);
    }
    buf_clear(&lines->line);
    lines->skipping = false;
}

void mcp_lines_add(struct mcp_lines *lines, const char *bytes, size_t length,
                   mcp_line_fn *each, void *context)
{
    while (length) {
        const char *end = memchr(bytes, '\n', length);
        size_t part = end ? (size_t)(end - bytes) : length;

        if (!lines->skipping) {
            buf_append(&lines->line, bytes, part);
            lines->skipping = lines->line.overflow;
        }
        if (lines->skipping)
            buf_clear(&lines->line);
        if (!end)
            return;
        end_line(lines, each, context);
        bytes += part + 1;
        length -= part + 1;
    }
}

void mcp_lines_release(struct mcp_lines *lines)
{
    buf_release(&lines->line);
}

/* ---- serving ---- */

struct stdio_client {
    struct mcp_server *server;
    struct mcp_peer peer;
    uint64_t number;
};

static void handle_line(void *context, const struct buf *line, bool too_long)
{
    struct stdio_client *client = context;

    client->number++;
    if (too_long)
        mcp_server_refuse(client->server, client->number,
                          JSONRPC_INVALID_REQUEST, "the message is too long");
    else
        mcp_server_handle(client->server, &client->peer, client->number,
                          buf_cstr(line), line->length);
}

/* The next bytes; 0: the end. */
static bool read_some(int fd, const struct cancel *cancel, char *bytes,
                      size_t *length, struct err *err)
{
    struct pollfd fds[] = {
        {.fd = fd, .events = POLLIN},
        {.fd = cancel_fd(cancel), .events = POLLIN},
    };
    ssize_t got;

    do {
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return err_errno(err, errno, "waiting for the client");
        if (cancel_fired(cancel))
            return err_set(err, ERR_CANCELLED, "interrupted");
        got = fds[0].revents ? read(fd, bytes, READ_BYTES) : -1;
        if (got < 0 && fds[0].revents && errno != EINTR && errno != EAGAIN)
            return err_errno(err, errno, "reading from the client");
    } while (got < 0);
    *length = (size_t)got;
    return true;
}

bool mcp_stdio_serve(struct mcp_server *server, int fd,
                     const struct cancel *cancel, struct err *err)
{
    struct stdio_client client = {.server = server, .peer = {.id = 1}};
    struct mcp_lines lines = MCP_LINES_INIT;
    char bytes[READ_BYTES];
    size_t length = 0;
    bool done;

    do {
        done = read_some(fd, cancel, bytes, &length, err);
        if (done)
            mcp_lines_add(&lines, bytes, length, handle_line, &client);
    } while (done && length);
    mcp_lines_release(&lines);
    return done;
}
