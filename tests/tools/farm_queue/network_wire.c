/*
 * network_wire NAME...: wires between this network and others, which can be
 * slow, lose packets, or be cut. Linux's netem does that too, but many kernels
 * are built without it.
 *
 *     NAME, here ──▶ delay, loss ──▶ "wire", in the network /run/netns/NAME
 *          ▲                           │
 *          └────── delay, loss ◀───────┘
 *
 * Both ends are TUN devices, which the caller gives addresses. Standard input
 * has commands, one in a line: NAME DELAY_MS LOSS_PERCENT. Ends with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/macros.h"

#define WIRES_MAX 16
#define PACKET_MAX 2048
#define QUEUE_MAX 1024 /* packets in transit; more are lost */

struct wire_packet {
    int64_t due_ns;
    size_t size;
    unsigned char data[PACKET_MAX];
};

/* Packets in one direction, in their order. */
struct wire_way {
    int from;
    int to;
    size_t first;
    size_t count;
    struct wire_packet packets[QUEUE_MAX];
};

struct test_wire {
    const char *name;
    int64_t delay_ms;
    unsigned loss; /* percent; 100: cut */
    struct wire_way directions[2];
};

static struct test_wire wires[WIRES_MAX];
static size_t wire_count;
static unsigned random_state = 1; /* the same losses in each test */

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "network_wire: %s %s: %s\n", what, name, strerror(errno));
    exit(1);
}

/* ---- devices ---- */

static int open_device(const char *name)
{
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);

    snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
    if (fd < 0 || ioctl(fd, TUNSETIFF, &request))
        fail("make the device", name);
    return fd;
}

/* A device is in the network of the process that makes it. */
static int open_device_in(const char *network)
{
    char path[256];
    int here = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    int there;
    int fd;

    snprintf(path, sizeof(path), "/run/netns/%s", network);
    there = open(path, O_RDONLY | O_CLOEXEC);
    if (here < 0 || there < 0 || setns(there, CLONE_NEWNET))
        fail("enter the network", path);
    fd = open_device("wire");
    if (setns(here, CLONE_NEWNET))
        fail("leave the network", path);
    close(here);
    close(there);
    return fd;
}

static void add_wire(const char *name)
{
    struct test_wire *wire = &wires[wire_count++];
    int here = open_device(name);
    int there = open_device_in(name);

    wire->name = name;
    wire->directions[0].from = wire->directions[1].to = here;
    wire->directions[1].from = wire->directions[0].to = there;
}

/* ---- packets ---- */

static bool is_lost(const struct test_wire *wire)
{
    random_state = random_state * 1103515245 + 12345;
    return (random_state >> 16) % 100 < wire->loss;
}

static void take_packets(const struct test_wire *wire,
                         struct wire_way *direction)
{
    struct wire_packet lost;

    for (;;) {
        bool full = direction->count == QUEUE_MAX;
        size_t place = (direction->first + direction->count) % QUEUE_MAX;
        struct wire_packet *packet = full ? &lost : &direction->packets[place];
        ssize_t size = read(direction->from, packet->data, PACKET_MAX);

        if (size <= 0)
            return;
        packet->size = (size_t)size;
        packet->due_ns = clock_ns() + wire->delay_ms * 1000000;
        if (!full && !is_lost(wire))
            direction->count++;
    }
}

static void deliver_packets(struct wire_way *direction)
{
    while (direction->count) {
        const struct wire_packet *packet =
            &direction->packets[direction->first];

        if (packet->due_ns > clock_ns())
            return;
        /* A device that is down takes none: lost. */
        if (write(direction->to, packet->data, packet->size) < 0)
            errno = 0;
        direction->first = (direction->first + 1) % QUEUE_MAX;
        direction->count--;
    }
}

/* ---- commands ---- */

/* "NAME DELAY-MS LOSS" */
static void obey(const char *line)
{
    size_t length = strcspn(line, " ");
    char *after_delay, *end;
    long delay_ms = strtol(line + length, &after_delay, 10);
    unsigned long loss = strtoul(after_delay, &end, 10);

    if (after_delay == line + length || end == after_delay) {
        fprintf(stderr, "network_wire: not a command: %s\n", line);
        exit(2);
    }
    for (size_t i = 0; i < wire_count; i++) {
        if (strlen(wires[i].name) == length &&
            !strncmp(wires[i].name, line, length)) {
            wires[i].delay_ms = delay_ms;
            wires[i].loss = (unsigned)loss;
        }
    }
}

/* False at the end of the input. Commands are short: each is one read. */
static bool read_commands(void)
{
    char text[4096];
    ssize_t size = read(STDIN_FILENO, text, sizeof(text) - 1);

    if (size <= 0)
        return false;
    text[size] = '\0';
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
        if (*line)
            obey(line);
    }
    return true;
}

/* ---- the loop ---- */

static struct deadline next_due(void)
{
    struct deadline next = DEADLINE_NEVER;

    for (size_t i = 0; i < 2 * wire_count; i++) {
        const struct wire_way *direction = &wires[i / 2].directions[i % 2];
        const struct deadline due = {
            direction->packets[direction->first].due_ns};

        if (direction->count)
            next = deadline_sooner(next, due);
    }
    return next;
}

static void carry(void)
{
    struct pollfd fds[2 * WIRES_MAX + 1];

    for (;;) {
        for (size_t i = 0; i < 2 * wire_count; i++)
            fds[i] = (struct pollfd){.fd = wires[i / 2].directions[i % 2].from,
                                     .events = POLLIN};
        fds[2 * wire_count] =
            (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
        (void)poll(fds, 2 * wire_count + 1, deadline_left_ms(next_due()));
        if (fds[2 * wire_count].revents && !read_commands())
            return;
        for (size_t i = 0; i < 2 * wire_count; i++) {
            struct test_wire *wire = &wires[i / 2];

            take_packets(wire, &wire->directions[i % 2]);
            deliver_packets(&wire->directions[i % 2]);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > WIRES_MAX + 1) {
        fprintf(stderr, "usage: network_wire NAME...\n");
        return 2;
    }
    for (int i = 1; i < argc; i++)
        add_wire(argv[i]);
    puts("ready");
    fflush(stdout);
    carry();
    return 0;
}
