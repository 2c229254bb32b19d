#include "tools/run_socket/run_socket.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/user_folder.h"

#define TITLE_MAX 48
#define BACKLOG 16

/* Of a socket that does not listen yet. */
#define UNFINISHED '.'

/* ---- the folder ---- */

static bool name_folder(struct buf *path, struct err *err)
{
    return user_folder_path(USER_FOLDER_STATE, "runs", path) ||
           err_set(err, ERR_UNSUPPORTED, "there is no home folder");
}

/* Only this user may enter it. */
static bool make_folder(int *folder, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct stat found;
    bool done =
        name_folder(&path, err) && file_make_folder(buf_cstr(&path), 0700, err);

    if (done) {
        *folder = open(buf_cstr(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        done = *folder >= 0 || err_errno(err, errno, "opening %s", path.data);
    }
    if (done && (fstat(*folder, &found) || found.st_uid != geteuid() ||
                 fchmod(*folder, 0700))) {
        close(*folder);
        done = err_set(err, ERR_DENIED, "%s belongs to another user",
                       buf_cstr(&path));
    }
    buf_release(&path);
    return done;
}

static int open_folder(void)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct err ignored;
    int folder = name_folder(&path, &ignored)
                     ? open(buf_cstr(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                     : -1;

    buf_release(&path);
    return folder;
}

/* The folder is named by its descriptor: a path may be too long for a socket
 * (108 bytes). */
static struct sockaddr_un address_of(int folder, const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    snprintf(address.sun_path, sizeof(address.sun_path),
             "/proc/self/fd/%d/%.*s", folder, RUN_SOCKET_NAME_MAX - 1, name);
    return address;
}

bool run_socket_check_peer(int fd, struct err *err)
{
    struct ucred peer;
    socklen_t size = sizeof(peer);

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size))
        return err_errno(err, errno, "asking who is connected");
    return peer.uid == geteuid() ||
           err_set(err, ERR_DENIED, "the process belongs to another user");
}

/* ---- connecting ---- */

static bool connect_in(int folder, const char *name, int *fd, struct err *err)
{
    const struct sockaddr_un address = address_of(folder, name);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int number;

    if (made < 0)
        return err_errno(err, errno, "making a socket");
    if (!connect(made, (const struct sockaddr *)&address, sizeof(address))) {
        if (run_socket_check_peer(made, err)) {
            *fd = made;
            return true;
        }
        close(made);
        return false;
    }
    number = errno;
    close(made);
    if (number == EAGAIN)
        return err_set(err, ERR_BUSY, "%s does not accept connections", name);
    if (number == ECONNREFUSED || number == ENOENT) {
        (void)unlinkat(folder, name, 0);
        return err_set(err, ERR_LOST, "%s is over", name);
    }
    return err_errno(err, number, "connecting to %s", name);
}

bool run_socket_connect(const char *name, int *fd, struct err *err)
{
    int folder = open_folder();
    bool done;

    if (folder < 0)
        return err_set(err, ERR_LOST, "%s is over", name);
    done = connect_in(folder, name, fd, err);
    close(folder);
    return done;
}

/* ---- listing ---- */

static bool is_socket(int folder, const char *name)
{
    struct stat found;

    return name[0] != UNFINISHED && strlen(name) < RUN_SOCKET_NAME_MAX &&
           !fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) &&
           S_ISSOCK(found.st_mode);
}

void run_socket_list(struct run_socket_names *names)
{
    int folder = open_folder();
    DIR *listing = folder >= 0 ? fdopendir(folder) : NULL;
    const struct dirent *entry;

    *names = (struct run_socket_names){
        .items = mem_new(RUN_SOCKETS_MAX, sizeof(*names->items))};
    if (!listing) {
        if (folder >= 0)
            close(folder);
        return;
    }
    while (names->count < RUN_SOCKETS_MAX && (entry = readdir(listing))) {
        if (is_socket(folder, entry->d_name))
            snprintf(names->items[names->count++], RUN_SOCKET_NAME_MAX, "%.*s",
                     RUN_SOCKET_NAME_MAX - 1, entry->d_name);
    }
    closedir(listing);
}

void run_socket_names_release(struct run_socket_names *names)
{
    free(names->items);
    *names = (struct run_socket_names){.items = NULL};
}

/* Remove sockets of processes that were killed. */
static void remove_dead(void)
{
    struct run_socket_names names;
    struct err ignored;
    int fd;

    run_socket_list(&names);
    for (size_t i = 0; i < names.count; i++) {
        if (run_socket_connect(names.items[i], &fd, &ignored))
            close(fd);
    }
    run_socket_names_release(&names);
}

/* ---- listening ---- */

/* Characters that mean nothing in a path, a URL or a message. */
static void name_socket(const char *title, char name[RUN_SOCKET_NAME_MAX])
{
    size_t at = 0;

    for (; title[at] && at < TITLE_MAX; at++)
        name[at] = isalnum((unsigned char)title[at]) ||
                           (at && strchr("._-", title[at]))
                       ? title[at]
                       : '-';
    snprintf(name + at, RUN_SOCKET_NAME_MAX - at, "%s%ld", at ? "-" : "",
             (long)getpid());
}

/* Listen under a name that is not listed, then give it its name. */
static bool listen_in(int folder, const char *name, int *fd, struct err *err)
{
    char unfinished[RUN_SOCKET_NAME_MAX + 1];
    struct sockaddr_un address;
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int number;

    if (made < 0)
        return err_errno(err, errno, "making a socket");
    snprintf(unfinished, sizeof(unfinished), "%c%s", UNFINISHED, name);
    address = address_of(folder, unfinished);
    (void)unlinkat(folder, unfinished, 0);
    if (bind(made, (const struct sockaddr *)&address, sizeof(address)) ||
        fchmodat(folder, unfinished, 0600, 0) || listen(made, BACKLOG) ||
        renameat(folder, unfinished, folder, name)) {
        number = errno;
        (void)unlinkat(folder, unfinished, 0);
        close(made);
        return err_errno(err, number, "listening for other processes");
    }
    *fd = made;
    return true;
}

bool run_socket_listen(const char *title, struct run_socket *socket, int *fd,
                       struct err *err)
{
    if (!make_folder(&socket->folder, err))
        return false;
    remove_dead();
    name_socket(title, socket->name);
    if (listen_in(socket->folder, socket->name, fd, err))
        return true;
    close(socket->folder);
    return false;
}

void run_socket_remove(struct run_socket *socket)
{
    (void)unlinkat(socket->folder, socket->name, 0);
    close(socket->folder);
}
