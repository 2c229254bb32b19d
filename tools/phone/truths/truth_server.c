#include "tools/phone/truths/truth_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/mem.h"
#include "base/thread_group.h"

#define CLIENTS_MAX 8U
#define QUESTION_MAX 64U
#define ANSWER_MAX ((size_t)64 << 20)

struct truth_server {
    struct truth_log *truth; /* borrowed */
    struct cancel over;
    struct thread_group
        thread_group; /* a thread per client, and one that accepts */
    int door;         /* the listening socket; -1: a single connection */
    char *path;       /* path of the listening socket; owned; NULL: none */
};

/* A client. */
struct truth_client {
    struct truth_server *server;
    int fd; /* owned */
};

/* ---- one client ---- */

/* Wait until the descriptor is ready. False when the server stops. */
static bool await(const struct truth_server *server, int fd, short what)
{
    struct pollfd fds[] = {{.fd = fd, .events = what},
                           {.fd = cancel_fd(&server->over), .events = POLLIN}};

    while (poll(fds, ARRAY_LEN(fds), -1) < 0) {
        if (errno != EINTR)
            return false;
    }
    return !fds[1].revents;
}

static bool send_all(const struct truth_client *client,
                     const struct buf *answer)
{
    size_t sent = 0;

    while (sent < answer->length) {
        ssize_t some;

        if (!await(client->server, client->fd, POLLOUT))
            return false;
        some = send(client->fd, answer->data + sent, answer->length - sent,
                    MSG_NOSIGNAL | MSG_DONTWAIT);
        if (some < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        sent += some > 0 ? (size_t)some : 0;
    }
    return true;
}

static bool find_answer(struct truth_log *truth, const char *question,
                        struct buf *answer)
{
    static const char events[] = "events ";
    unsigned long long from;
    char *end;

    if (!strcmp(question, "state")) {
        truth_log_print_state(truth, answer);
        return true;
    }
    if (strncmp(question, events, strlen(events)) != 0)
        return false;
    question += strlen(events);
    from = strtoull(question, &end, 10);
    if (end == question || *end)
        return false;
    truth_log_print_events(truth, from, answer);
    buf_byte(answer, '\n');
    return true;
}

static bool answer_question(const struct truth_client *client,
                            const char *question)
{
    struct buf answer = BUF_INIT(ANSWER_MAX);
    bool done = find_answer(client->server->truth, question, &answer) &&
                send_all(client, &answer);

    buf_release(&answer);
    return done;
}

/* Answer every complete line. */
static bool answer_lines(const struct truth_client *client, struct buf *asked)
{
    char *end;

    while (asked->length && (end = memchr(asked->data, '\n', asked->length))) {
        *end = '\0';
        if (!answer_question(client, asked->data))
            return false;
        buf_consume(asked, (size_t)(end - asked->data) + 1);
    }
    return !asked->overflow;
}

static void serve_client(void *context)
{
    struct truth_client *client = context;
    struct buf asked = BUF_INIT(QUESTION_MAX);
    char bytes[QUESTION_MAX];
    ssize_t count;

    do {
        count = await(client->server, client->fd, POLLIN)
                    ? recv(client->fd, bytes, sizeof(bytes), MSG_DONTWAIT)
                    : 0;
        if (count > 0)
            buf_append(&asked, bytes, (size_t)count);
    } while ((count > 0 && answer_lines(client, &asked)) ||
             (count < 0 && (errno == EAGAIN || errno == EINTR)));
    buf_release(&asked);
    close(client->fd);
    free(client);
}

/* Takes the descriptor over. */
static bool admit(struct truth_server *server, int fd)
{
    struct truth_client *client = mem_new(1, sizeof(*client));

    *client = (struct truth_client){server, fd};
    if (thread_group_start(&server->thread_group, serve_client, client))
        return true;
    close(fd);
    free(client);
    return false;
}

/* ---- accepting ---- */

static void watch_door(void *context)
{
    struct truth_server *server = context;

    while (await(server, server->door, POLLIN)) {
        int fd = accept4(server->door, NULL, NULL, SOCK_CLOEXEC);

        if (fd >= 0)
            (void)!admit(server, fd); /* too many clients: disconnect */
    }
}

/* Clients can connect only after listen(), so the mode is set before that. */
static bool open_door(struct truth_server *server, const char *path,
                      struct err *err)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (strlen(path) >= sizeof(address.sun_path))
        return err_set(err, ERR_INVALID, "%.80s: too long for a socket", path);
    memcpy(address.sun_path, path, strlen(path));
    server->door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server->door < 0 ||
        bind(server->door, (struct sockaddr *)&address, sizeof(address)))
        return err_errno(err, errno, "opening %.80s", path);
    server->path = mem_dup(path);
    if (chmod(path, S_IRUSR | S_IWUSR) || listen(server->door, CLIENTS_MAX))
        return err_errno(err, errno, "opening %.80s", path);
    return thread_group_start(&server->thread_group, watch_door, server) ||
           err_set(err, ERR_LIMIT,
                   "no thread can be started for the truth server");
}

static bool take_descriptor(struct truth_server *server, const char *number,
                            struct err *err)
{
    char *end;
    long fd = strtol(number, &end, 10);
    int type;
    socklen_t size = sizeof(type);

    if (end == number || *end || fd < 0 || fd > INT32_MAX ||
        getsockopt((int)fd, SOL_SOCKET, SO_TYPE, &type, &size))
        return err_set(err, ERR_INVALID, "fd:%.20s is no socket", number);
    (void)fcntl((int)fd, F_SETFD, FD_CLOEXEC);
    return admit(server, (int)fd) ||
           err_set(err, ERR_LIMIT,
                   "no thread can be started for the truth server");
}

bool truth_server_start(struct truth_log *truth, const char *where,
                        struct truth_server **server, struct err *err)
{
    struct truth_server *made = mem_new(1, sizeof(*made));
    bool done;

    made->truth = truth;
    made->door = -1;
    made->over = (struct cancel)CANCEL_INIT;
    thread_group_init(&made->thread_group, CLIENTS_MAX + 1);
    done = cancel_init(&made->over, err) &&
           (strncmp(where, "fd:", 3) ? open_door(made, where, err)
                                     : take_descriptor(made, where + 3, err));
    if (!done) {
        truth_server_stop(made);
        return false;
    }
    *server = made;
    return true;
}

void truth_server_stop(struct truth_server *server)
{
    if (!server)
        return;
    if (server->over.fd >= 0)
        cancel_fire(&server->over);
    thread_group_wait(&server->thread_group);
    thread_group_release(&server->thread_group);
    if (server->door >= 0)
        close(server->door);
    if (server->path)
        (void)unlink(server->path);
    free(server->path);
    cancel_release(&server->over);
    free(server);
}
