#include "tools/supervisor/private_network.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runner/doors/private_network_wire.h"

#define LOOPBACK_BITS 24 /* 127.0.0.0/8 */

/* ---- entering ---- */

static bool write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool done =
        fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

    if (fd >= 0)
        close(fd);
    return done;
}

/* The same user inside as outside. */
static bool map_user(uid_t user, gid_t group)
{
    char users[64], groups[64];

    snprintf(users, sizeof(users), "%u %u 1\n", user, user);
    snprintf(groups, sizeof(groups), "%u %u 1\n", group, group);
    return write_file("/proc/self/uid_map", users) &&
           write_file("/proc/self/setgroups", "deny") &&
           write_file("/proc/self/gid_map", groups);
}

static bool set_interface(const char *name, unsigned long request,
                          uint32_t address)
{
    struct ifreq interface = {.ifr_flags = IFF_UP};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool done;

    snprintf(interface.ifr_name, sizeof(interface.ifr_name), "%s", name);
    if (request == SIOCSIFADDR) {
        struct sockaddr_in place = {.sin_family = AF_INET,
                                    .sin_addr.s_addr = htonl(address)};

        memcpy(&interface.ifr_addr, &place, sizeof(place));
    }
    done = fd >= 0 && !ioctl(fd, request, &interface);
    if (fd >= 0)
        close(fd);
    return done;
}

static bool fail(const char **what, const char *step)
{
    *what = step;
    return false;
}

bool private_network_enter(const char *hosts, const char **what)
{
    uid_t user = geteuid();
    gid_t group = getegid();

    if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS))
        return fail(what, "make a new network");
    if (!map_user(user, group))
        return fail(what, "keep the user");
    if (!set_interface("lo", SIOCSIFFLAGS, 0))
        return fail(what, "start the loopback interface");
    /* Mounts of ours must not reach the rest of the system. */
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        (hosts && mount(hosts, "/etc/hosts", NULL, MS_BIND, NULL)))
        return fail(what, "replace /etc/hosts");
    return true;
}

/* ---- sockets on request ---- */

/* Addresses of other computers lead to us, too. */
static bool own_address(struct private_network_server *network,
                        uint32_t address)
{
    char name[16];

    if (address >> LOOPBACK_BITS == 127)
        return true;
    snprintf(name, sizeof(name), "lo:%u", ++network->addresses);
    return set_interface(name, SIOCSIFADDR, address);
}

static int make_socket(struct private_network_server *network,
                       const struct network_request *request)
{
    struct sockaddr_in place = {
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(request->address),
        .sin_port = htons(request->port),
    };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int one = 1;
    bool done = fd >= 0;

    if (done && request->kind == NETWORK_LISTEN)
        done = own_address(network, request->address) &&
               !setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) &&
               !bind(fd, (struct sockaddr *)&place, sizeof(place)) &&
               !listen(fd, SOMAXCONN);
    else if (done)
        done = !connect(fd, (struct sockaddr *)&place, sizeof(place));
    if (done || fd < 0)
        return fd;
    one = errno;
    close(fd);
    errno = one;
    return -1;
}

static uint16_t port_of(int fd)
{
    struct sockaddr_in place = {.sin_port = 0};
    socklen_t size = sizeof(place);

    getsockname(fd, (struct sockaddr *)&place, &size);
    return ntohs(place.sin_port);
}

static void send_reply(int socket, const struct network_reply *reply, int fd)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.room = {0}};
    struct iovec text = {.iov_base = (void *)reply, .iov_len = sizeof(*reply)};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};

    if (fd >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof(control.room);
        control.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)),
                                          .cmsg_level = SOL_SOCKET,
                                          .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
    }
    (void)!sendmsg(socket, &message, MSG_NOSIGNAL);
}

bool private_network_serve(struct private_network_server *network)
{
    struct network_reply reply = {.error = 0};
    struct network_request request;
    int fd = -1;

    if (recv(network->socket, &request, sizeof(request), 0) != sizeof(request))
        return false;
    if (request.kind == NETWORK_START) {
        network->started = true;
    } else {
        fd = make_socket(network, &request);
        reply.error = fd < 0 ? errno : 0;
        reply.port = fd < 0 ? 0 : port_of(fd);
    }
    send_reply(network->socket, &reply, fd);
    if (fd >= 0)
        close(fd);
    return true;
}
