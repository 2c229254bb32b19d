#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "adb/device/status_reply.h"
#include "adb/server/server_private.h"

bool adb_client_read(struct adb_client *client, void *data, size_t size)
{
    char *next = data;

    while (size) {
        ssize_t n = recv(client->fd, next, size, MSG_WAITALL);

        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        next += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool adb_client_send(struct adb_client *client, const void *data, size_t size)
{
    const char *next = data;

    while (size) {
        ssize_t n = send(client->fd, next, size, MSG_NOSIGNAL);

        if (n < 0 && errno != EINTR)
            return false;
        next += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool send_reply(struct adb_client *client, const char *status,
                       const char *block)
{
    struct buf reply =
        BUF_INIT(2 * STATUS_REPLY_DIGITS + STATUS_REPLY_BLOCK_MAX);
    size_t length = block ? strlen(block) : 0;
    bool sent;

    if (length > STATUS_REPLY_BLOCK_MAX)
        length = STATUS_REPLY_BLOCK_MAX;
    buf_text(&reply, status);
    if (block) {
        buf_printf(&reply, "%04zx", length);
        buf_append(&reply, block, length);
    }
    sent = adb_client_send(client, buf_cstr(&reply), reply.length);
    buf_release(&reply);
    return sent;
}

bool adb_client_okay(struct adb_client *client)
{
    return send_reply(client, "OKAY", NULL);
}

bool adb_client_fail(struct adb_client *client, const char *why)
{
    return send_reply(client, "FAIL", why);
}

bool adb_client_block(struct adb_client *client, const char *text)
{
    return send_reply(client, "", text);
}

bool adb_client_okay_block(struct adb_client *client, const char *text)
{
    return send_reply(client, "OKAY", text);
}

bool adb_client_wait(struct adb_client *client, int ms)
{
    struct pollfd polls[] = {
        {.fd = client->fd, .events = POLLRDHUP},
        {.fd = cancel_fd(&client->server->stop), .events = POLLIN},
    };

    (void)poll(polls, 2, ms);
    return !polls[0].revents && !polls[1].revents;
}
