#include "adb/discover/known_hosts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/user_folder.h"

#define FILE_MAX ((size_t)64 << 10)

void known_hosts_release(struct known_hosts *known_hosts)
{
    for (size_t i = 0; i < known_hosts->count; i++)
        free(known_hosts->addresses[i]);
    *known_hosts = (struct known_hosts){0};
}

bool known_hosts_path(struct buf *path, struct err *err)
{
    if (!user_folder_path(USER_FOLDER_STATE, "devices", path))
        return err_set(err, ERR_NOT_FOUND,
                       "cannot store known devices: HOME is not set");
    if (path->overflow)
        return err_set(err, ERR_LIMIT, "HOME is too long");
    return true;
}

/* The canonical form of an address, so that equal ones compare equal. */
static bool normalize(const char *text, char address[TCP_ADDRESS_MAX],
                      struct err *err)
{
    char host[TCP_HOST_MAX];
    uint16_t port;

    if (!tcp_parse_address(text, TCP_DEFAULT_PORT, host, &port, err))
        return false;
    for (const char *c = host; *c; c++) {
        if ((unsigned char)*c <= 0x20 || *c == 0x7f || *c == '/')
            return err_set(err, ERR_INVALID, "the host name is not valid");
    }
    tcp_format_address(host, port, address);
    return true;
}

/* Its index, or count. */
static size_t find(const struct known_hosts *known_hosts, const char *address)
{
    size_t i = 0;

    while (i < known_hosts->count &&
           strcmp(known_hosts->addresses[i], address) != 0)
        i++;
    return i;
}

static void take_line(struct known_hosts *known_hosts, const char *line)
{
    char address[TCP_ADDRESS_MAX];
    struct err ignored;

    if (known_hosts->count < KNOWN_HOSTS_MAX &&
        normalize(line, address, &ignored) &&
        find(known_hosts, address) == known_hosts->count)
        known_hosts->addresses[known_hosts->count++] = mem_dup(address);
}

static void take_lines(struct known_hosts *known_hosts, char *text)
{
    char *line;

    while ((line = strsep(&text, "\r\n")))
        take_line(known_hosts, line);
}

bool known_hosts_read(const char *path, struct known_hosts *known_hosts,
                      struct err *err)
{
    struct buf text = BUF_INIT(FILE_MAX);
    struct known_hosts found = {0};
    struct err why = ERR_INIT;
    bool loaded = file_load(path, &text, &why);

    if (loaded && text.length)
        take_lines(&found, text.data);
    buf_release(&text);
    if (!loaded && why.code != ERR_NOT_FOUND) {
        *err = why;
        return err_wrap(err, "reading the remembered devices");
    }
    *known_hosts = found;
    return true;
}

static bool save(const char *path, const struct known_hosts *known_hosts,
                 struct err *err)
{
    struct buf text = BUF_INIT(FILE_MAX);
    bool saved;

    for (size_t i = 0; i < known_hosts->count; i++)
        buf_printf(&text, "%s\n", known_hosts->addresses[i]);
    saved = file_save(path, 0600, buf_cstr(&text), text.length, err);
    buf_release(&text);
    return saved || err_wrap(err, "remembering devices");
}

static bool make_folder(const char *path, struct err *err)
{
    if (mkdir(path, 0700) && errno != EEXIST)
        return err_errno(err, errno, "making the folder \"%s\"", path);
    return true;
}

static bool make_folders(char *path, struct err *err)
{
    for (char *slash = path; (slash = strchr(slash + 1, '/'));) {
        bool made;

        *slash = '\0';
        made = make_folder(path, err);
        *slash = '/';
        if (!made)
            return false;
    }
    return make_folder(path, err);
}

/* Open the folder of the file at path, and create it if it is missing. */
static bool open_folder(const char *path, int *folder, struct err *err)
{
    const char *slash = strrchr(path, '/');
    char *name =
        slash ? mem_dup_n(path, (size_t)(slash - path) + 1) : mem_dup("./");
    bool opened = make_folders(name, err);

    if (opened) {
        *folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        opened = *folder >= 0 || err_errno(err, errno, "opening \"%s\"", name);
    }
    free(name);
    return opened;
}

static bool add(struct known_hosts *known_hosts, const char *address,
                struct err *err)
{
    if (find(known_hosts, address) < known_hosts->count)
        return true;
    if (known_hosts->count == KNOWN_HOSTS_MAX)
        return err_set(err, ERR_LIMIT,
                       "%d devices are remembered; forget one first",
                       KNOWN_HOSTS_MAX);
    known_hosts->addresses[known_hosts->count++] = mem_dup(address);
    return true;
}

static bool take_out(struct known_hosts *known_hosts, const char *address,
                     struct err *err)
{
    size_t i = find(known_hosts, address);

    if (i == known_hosts->count)
        return err_set(
            err, ERR_NOT_FOUND,
            "%.200s is not a remembered device: proctor devices lists them",
            address);
    free(known_hosts->addresses[i]);
    known_hosts->count--;
    memmove(&known_hosts->addresses[i], &known_hosts->addresses[i + 1],
            (known_hosts->count - i) * sizeof(known_hosts->addresses[0]));
    return true;
}

/* Read, change and write the file, with a lock against other processes. */
static bool change(const char *path, const char *text,
                   bool (*edit)(struct known_hosts *, const char *,
                                struct err *),
                   struct err *err)
{
    char address[TCP_ADDRESS_MAX];
    struct known_hosts known_hosts = {0};
    bool changed;
    int folder;

    if (!normalize(text, address, err) || !open_folder(path, &folder, err))
        return false;
    if (flock(folder, LOCK_EX)) {
        err_errno(err, errno, "locking the folder of \"%s\"", path);
        close(folder);
        return false;
    }
    changed = known_hosts_read(path, &known_hosts, err) &&
              edit(&known_hosts, address, err) && save(path, &known_hosts, err);
    known_hosts_release(&known_hosts);
    close(folder);
    return changed;
}

bool known_hosts_add(const char *path, const char *address, struct err *err)
{
    return change(path, address, add, err);
}

bool known_hosts_remove(const char *path, const char *address, struct err *err)
{
    return change(path, address, take_out, err);
}

bool known_hosts_port(const struct known_hosts *known_hosts, const char *host,
                      uint16_t *port)
{
    for (size_t i = known_hosts->count; i-- > 0;) {
        char found[TCP_HOST_MAX];
        uint16_t number;
        struct err ignored;

        if (tcp_parse_address(known_hosts->addresses[i], TCP_DEFAULT_PORT,
                              found, &number, &ignored) &&
            !strcmp(found, host)) {
            *port = number;
            return true;
        }
    }
    return false;
}
