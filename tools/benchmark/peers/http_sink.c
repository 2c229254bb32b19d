#include "tools/benchmark/peers/http_sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "tools/benchmark/peers/loopback_socket.h"

#define HEAD_MAX 4096
#define CHUNK ((size_t)256 * 1024)

static const char answer[] =
    "{\"model\":\"m\",\"choices\":[{\"message\":{\"role\":\"assistant\","
    "\"content\":\"Action: Click(540, 30)\"},\"finish_reason\":\"stop\"}],"
    "\"usage\":{\"prompt_tokens\":1000,\"completion_tokens\":10}}";

/* The end of the header; NULL: not received yet. */
static const char *end_of_head(const char *data, size_t length)
{
    const char *end = memmem(data, length, "\r\n\r\n", 4);

    return end ? end + 4 : NULL;
}

static size_t body_length(const char *head, const char *end)
{
    static const char name[] = "content-length:";

    for (const char *line = head; line && line < end;
         line = memchr(line, '\n', (size_t)(end - line)), line += line != NULL)
        if (!strncasecmp(line, name, sizeof(name) - 1))
            return strtoul(line + sizeof(name) - 1, NULL, 10);
    return 0;
}

/* One request, all of it. */
static bool take(int fd, char *data, struct err *err)
{
    size_t got = 0;
    size_t left;
    const char *end = NULL;

    while (!end) {
        size_t more;

        if (got == CHUNK ||
            !loopback_socket_read_some(fd, data + got, CHUNK - got, &more,
                                       err) ||
            !more)
            return false;
        got += more;
        data[got] = '\0';
        end = end_of_head(data, got);
    }
    left = body_length(data, end) - (got - (size_t)(end - data));
    while (left) {
        if (!loopback_socket_read_some(fd, data, left < CHUNK ? left : CHUNK,
                                       &got, err) ||
            !got)
            return false;
        left -= got;
    }
    return true;
}

static void serve(int fd, const struct timespec *thinking)
{
    char *data = malloc(CHUNK + 1);
    char said[1024];
    struct err err;
    int length =
        snprintf(said, sizeof(said),
                 "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                 "Content-Length: %zu\r\n\r\n%s",
                 sizeof(answer) - 1, answer);

    while (data && take(fd, data, &err) && !nanosleep(thinking, NULL) &&
           loopback_socket_write(fd, said, (size_t)length, &err))
        ;
    free(data);
}

void http_sink_serve(int fd)
{
    serve(fd, &(struct timespec){.tv_nsec = 0});
}

void http_sink_serve_slowly(int fd)
{
    serve(fd, &(struct timespec){.tv_sec = 1});
}

bool http_sink_ask(int fd, const char *body, size_t length, struct err *err)
{
    char head[HEAD_MAX];
    char said[HEAD_MAX];
    size_t got;
    int size = snprintf(head, sizeof(head),
                        "POST /v1/chat/completions HTTP/1.1\r\n"
                        "Host: 127.0.0.1\r\nContent-Type: application/json\r\n"
                        "Content-Length: %zu\r\n\r\n",
                        length);

    return loopback_socket_write(fd, head, (size_t)size, err) &&
           loopback_socket_write(fd, body, length, err) &&
           loopback_socket_read_some(fd, said, sizeof(said), &got, err) &&
           (got > 12 || err_set(err, ERR_PROTOCOL, "no answer"));
}
