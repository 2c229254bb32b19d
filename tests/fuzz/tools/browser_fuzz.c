/*
 * What a browser, or something else, sends to a server with a login and a
 * WebSocket: it is answered or the connection ends, and nothing behind the
 * login is reached without its cookie. {TOKEN} and {COOKIE} stand for the right
 * ones, {PORT} for the port of the server.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tools/http_server/web_session.h"

#define WAIT_S 60
#define INPUT_MAX ((size_t)1 << 20)
#define MESSAGE_MAX ((size_t)64 * 1024)

/* One server for all inputs: starting a thread takes longer than they do. */
static struct http_server *server;
static struct web_session *session;
static char token[256];
static char cookie[512];
static atomic_size_t admitted; /* requests and sockets behind the login */

/* ---- the server ---- */

static void handle(void *context, const struct http_request *request)
{
    struct http_answer answer = {
        .status = 200, .type = "text/plain", .body = BUF_INIT(INPUT_MAX)};

    (void)context;
    fuzz_expect(request->body[request->length] == '\0');
    fuzz_expect(request->path[0] == '/' || request->path[0] == '*');
    if (!web_session_admit(session, server, request))
        return;
    admitted++;
    buf_append(&answer.body, request->body, request->length);
    http_server_answer(server, request->id, &answer);
}

static int admit(void *context, const struct http_request *request,
                 uint64_t client)
{
    int status = web_session_admit_socket(session, server, request);

    (void)context, (void)client;
    admitted += status == 0;
    return status;
}

static void on_message(void *context, uint64_t client,
                       const struct socket_message *message)
{
    (void)context;
    fuzz_expect(message->length <= MESSAGE_MAX);
    fuzz_expect(((const char *)message->data)[message->length] == '\0');
    http_server_send(server, message, &client, 1);
}

static void stop_server(void)
{
    http_server_close(server);
    web_session_close(session);
}

static void start_server(void)
{
    const struct http_server_options options = {
        .body_max = MESSAGE_MAX,
        .answer_headers = web_session_headers,
        .handle = handle,
        .sockets = {.clients = 8,
                    .message_max = MESSAGE_MAX,
                    .queue_max = INPUT_MAX,
                    .admit = admit,
                    .on_message = on_message},
    };
    struct buf url = BUF_INIT(4096);
    struct err err = ERR_INIT;

    fuzz_expect(web_session_open(&session, &err));
    fuzz_expect(http_server_open(&options, &server, &err));
    fuzz_expect(http_server_start(server, &err));
    web_session_url(session, server, &url);
    snprintf(token, sizeof(token), "%s",
             strstr(buf_cstr(&url), "token=") + strlen("token="));
    buf_release(&url);
    fuzz_expect(!atexit(stop_server));
}

/* ---- the client ---- */

static int connect_to_server(void)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(http_server_port(server)),
        .sin_addr = {htonl(INADDR_LOOPBACK)},
    };
    const struct timeval timeout = {.tv_sec = WAIT_S};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    fuzz_expect(fd >= 0);
    fuzz_expect(
        !setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)));
    fuzz_expect(
        !connect(fd, (const struct sockaddr *)&address, sizeof(address)));
    return fd;
}

/* Send all, and read until the server has closed the connection. */
static void converse(const struct buf *sent, struct buf *read)
{
    int fd = connect_to_server();
    size_t at = 0;
    char piece[4096];
    ssize_t got;

    while (at < sent->length) {
        ssize_t put =
            send(fd, sent->data + at, sent->length - at, MSG_NOSIGNAL);

        if (put <= 0)
            break;
        at += (size_t)put;
    }
    (void)shutdown(fd, SHUT_WR);
    while ((got = recv(fd, piece, sizeof(piece), 0)) > 0)
        buf_append(read, piece, (size_t)got);
    fuzz_expect(got == 0 || errno == ECONNRESET);
    close(fd);
}

static void log_in(void)
{
    struct buf request = BUF_INIT(4096);
    struct buf answer = BUF_INIT(INPUT_MAX);
    const char *found;

    buf_printf(&request,
               "GET /?token=%s HTTP/1.1\r\nHost: localhost\r\n"
               "Connection: close\r\n\r\n",
               token);
    converse(&request, &answer);
    found = strstr(buf_cstr(&answer), "set-cookie: ");
    /* Inputs with wrong tokens may have used up what is allowed of them. */
    if (found) {
        found += strlen("set-cookie: ");
        snprintf(cookie, sizeof(cookie), "%.*s", (int)strcspn(found, ";"),
                 found);
    }
    buf_release(&request);
    buf_release(&answer);
}

/* Replace the words in braces; is {COOKIE} one of them? */
static bool fill_in(const char *text, size_t length, struct buf *filled)
{
    char port[8];
    const struct {
        const char *word;
        const char *value;
    } words[] = {{"{TOKEN}", token}, {"{COOKIE}", cookie}, {"{PORT}", port}};
    bool has_cookie = false;

    snprintf(port, sizeof(port), "%u", (unsigned)http_server_port(server));
    for (size_t at = 0; at < length;) {
        size_t i = 0;

        while (i < 3 &&
               (length - at < strlen(words[i].word) ||
                memcmp(text + at, words[i].word, strlen(words[i].word)) != 0))
            i++;
        if (i < 3)
            buf_text(filled, words[i].value);
        else
            buf_byte(filled, text[at]);
        has_cookie = has_cookie || i == 1;
        at += i < 3 ? strlen(words[i].word) : 1;
    }
    return has_cookie;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf sent = BUF_INIT(INPUT_MAX);
    struct buf read = BUF_INIT(INPUT_MAX);
    bool has_cookie;

    if (!server)
        start_server();
    if (memmem(data, size, "{COOKIE}", 8))
        log_in();
    admitted = 0;
    has_cookie = fill_in((const char *)data, size, &sent);
    converse(&sent, &read);
    fuzz_expect(has_cookie || !admitted);
    buf_release(&sent);
    buf_release(&read);
    return 0;
}
