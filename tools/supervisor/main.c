/*
 * proctor-supervisor [--network SOCKET [--hosts FILE]] [--remove FOLDER]
 * PROGRAM [ARGUMENT...]: run a program, and leave no process of it behind.
 *
 * The program gets no input. When it ends, or when our own standard input ends
 * (the caller wants it to stop, or was killed), every process that it started
 * is ended too, also those in other sessions and process groups: as a
 * subreaper, this process becomes the parent of all that lose theirs.
 *
 * If the caller did not wait for the end, the folder is removed with all that
 * is in it, in place of a caller that was killed.
 *
 * With --network, the program runs in its own network
 * (private_network.h); it is started when the caller asks for that on SOCKET, a
 * descriptor, where it also gets sockets of that network.
 *
 * The exit status is the program's, as a shell gives it: 128 + N for signal N,
 * 127 for a program that does not exist.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/macros.h"
#include "tools/supervisor/private_network.h"

#define GRACE_MS 500     /* between SIGTERM and SIGKILL */
#define KILL_MS 10000    /* a process in the kernel may take a while to end */
#define KILL_AGAIN_MS 20 /* processes may start others before they end */
#define CHILDREN_MAX 65536
#define DESCRIPTORS 16
#define NOT_FOUND 127
#define CANNOT_START 126

struct supervisor {
    pid_t program;   /* also its process group */
    int children_fd; /* readable when a child has ended */
    struct private_network_server network;
    bool ended; /* the program has ended */
    int status; /* of the program, as a shell gives it */
};

static int status_of(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- starting ---- */

/* In the child. Does not return. */
static void become(char **arguments)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    dup2(nothing, STDIN_FILENO);
    execvp(arguments[0], arguments);
    fprintf(stderr, "proctor-supervisor: %s: %s\n", arguments[0],
            strerror(errno));
    _exit(errno == ENOENT ? NOT_FOUND : CANNOT_START);
}

static bool start(struct supervisor *supervisor, char **arguments)
{
    sigset_t ended;

    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ended, NULL);
    signal(SIGPIPE, SIG_IGN);
    supervisor->children_fd = signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK);
    if (supervisor->children_fd < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1))
        return false;
    supervisor->program = fork();
    if (!supervisor->program)
        become(arguments);
    if (supervisor->program > 0)
        setpgid(supervisor->program, supervisor->program);
    return supervisor->program > 0;
}

/* ---- ending ---- */

/* Collect the status of every child that has ended. False: none is left. */
static bool reap(struct supervisor *supervisor)
{
    struct signalfd_siginfo ignored;
    int status;
    pid_t pid;

    while (read(supervisor->children_fd, &ignored, sizeof(ignored)) > 0)
        continue;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        if (pid != supervisor->program)
            continue;
        supervisor->ended = true;
        supervisor->status = status_of(status);
    }
    return pid == 0;
}

/* Send a signal to the program's process group and to all our children. */
static void signal_children(const struct supervisor *supervisor, int number)
{
    char list[CHILDREN_MAX];
    char path[64];
    ssize_t length;
    int fd;

    if (!supervisor->ended)
        kill(-supervisor->program, number);
    snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
    fd = open(path, O_RDONLY | O_CLOEXEC);
    length = fd < 0 ? 0 : read(fd, list, sizeof(list) - 1);
    list[length > 0 ? length : 0] = '\0';
    for (char *rest = list, *end; *rest; rest = end) {
        long pid = strtol(rest, &end, 10);

        if (end == rest)
            break;
        kill((pid_t)pid, number);
    }
    if (fd >= 0)
        close(fd);
}

/* Wait until a child ends, or the deadline. */
static void wait_for_child(const struct supervisor *supervisor,
                           struct deadline by)
{
    struct pollfd ended = {.fd = supervisor->children_fd, .events = POLLIN};

    poll(&ended, 1, deadline_left_ms(by));
}

/* End all processes that are left. */
static void end_all(struct supervisor *supervisor)
{
    struct deadline grace = deadline_in_ms(GRACE_MS);
    struct deadline give_up = deadline_in_ms(KILL_MS);

    signal_children(supervisor, SIGTERM);
    while (reap(supervisor) && !deadline_passed(grace))
        wait_for_child(supervisor, grace);
    while (reap(supervisor) && !deadline_passed(give_up)) {
        signal_children(supervisor, SIGKILL);
        wait_for_child(supervisor, deadline_in_ms(KILL_AGAIN_MS));
    }
}

/* Wait until the program ends or the caller wants it to. */
static void wait_for_end(struct supervisor *supervisor)
{
    struct pollfd fds[] = {
        {.fd = supervisor->children_fd, .events = POLLIN},
        {.fd = STDIN_FILENO, .events = POLLIN},
        {.fd = supervisor->network.socket, .events = POLLIN},
    };
    char ignored[64];

    while (!supervisor->ended) {
        if (poll(fds, ARRAY_LEN(fds), -1) < 0)
            continue;
        if (fds[1].revents && read(STDIN_FILENO, ignored, sizeof(ignored)) <= 0)
            return;
        if (fds[2].revents && !private_network_serve(&supervisor->network))
            fds[2].fd = -1;
        reap(supervisor);
    }
}

static int remove_one(const char *path, const struct stat *facts, int kind,
                      struct FTW *walk)
{
    (void)facts, (void)kind, (void)walk;
    (void)!remove(path);
    return 0;
}

/* ---- the command line ---- */

static int usage(void)
{
    fputs("usage: proctor-supervisor [--network SOCKET [--hosts FILE]] "
          "[--remove FOLDER] PROGRAM [ARGUMENT...]\n",
          stderr);
    return 2;
}

/* Enter the network, and answer requests until the program is to start. */
static bool enter_network(struct private_network_server *network,
                          const char *hosts)
{
    const char *what;

    fcntl(network->socket, F_SETFD, FD_CLOEXEC);
    if (!private_network_enter(hosts, &what)) {
        fprintf(stderr, "proctor-supervisor: cannot %s: %s\n", what,
                strerror(errno));
        return false;
    }
    while (!network->started) {
        if (!private_network_serve(network))
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"network", required_argument, NULL, 'n'},
        {"hosts", required_argument, NULL, 'h'},
        {"remove", required_argument, NULL, 'r'},
        {NULL, 0, NULL, 0},
    };
    struct supervisor supervisor = {.status = 128 + SIGKILL,
                                    .network = {.socket = -1}};
    const char *hosts = NULL, *folder = NULL;
    bool by_itself;
    int option;

    while ((option = getopt_long(argc, argv, "+", options, NULL)) != -1) {
        if (option == 'n')
            supervisor.network.socket = (int)strtol(optarg, NULL, 10);
        else if (option == 'h')
            hosts = optarg;
        else if (option == 'r')
            folder = optarg;
        else
            return usage();
    }
    if (optind == argc)
        return usage();
    if (supervisor.network.socket >= 0 &&
        !enter_network(&supervisor.network, hosts))
        return CANNOT_START;
    if (!start(&supervisor, argv + optind)) {
        fprintf(stderr, "proctor-supervisor: cannot start %s: %s\n",
                argv[optind], strerror(errno));
        return CANNOT_START;
    }
    wait_for_end(&supervisor);
    by_itself = supervisor.ended;
    end_all(&supervisor);
    if (!by_itself && folder)
        (void)!nftw(folder, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
    return supervisor.status;
}
