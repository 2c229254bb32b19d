#include "runner/device/phone_lock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adb/services/shell.h"
#include "base/macros.h"
#include "base/sha256.h"
#include "runner/device/emulator.h"

#define ANSWER_MAX ((size_t)64 * 1024)
#define UUID_LENGTH 36
#define SERIAL_MIN 6
#define NAME_SIZE 64 /* of a lock file */

/* ---- addresses ---- */

/* "host:port" or "[host]:port" into both; false for anything else. */
static bool split(const char *serial, char host[NI_MAXHOST], unsigned *port)
{
    const char *colon = strrchr(serial, ':');
    size_t length = colon ? (size_t)(colon - serial) : 0;
    char *end;
    unsigned long number;

    if (!colon || colon[1] < '0' || colon[1] > '9')
        return false;
    number = strtoul(colon + 1, &end, 10);
    if (*end || !number || number > UINT16_MAX)
        return false;
    if (length > 2 && serial[0] == '[' && serial[length - 1] == ']') {
        serial++;
        length -= 2;
    }
    if (!length || length >= NI_MAXHOST)
        return false;
    memcpy(host, serial, length);
    host[length] = '\0';
    *port = (unsigned)number;
    return true;
}

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)(const void *)address)
                         ->sin_addr.s_addr) >>
                   24 ==
               IN_LOOPBACKNET;
    return address->sa_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(
               &((const struct sockaddr_in6 *)(const void *)address)
                    ->sin6_addr);
}

/* One name for a host; the name itself where it cannot be resolved. */
static void resolve(char host[NI_MAXHOST])
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;

    if (getaddrinfo(host, NULL, &hints, &found) || !found)
        return;
    if (is_loopback(found->ai_addr))
        snprintf(host, NI_MAXHOST, "127.0.0.1");
    else
        (void)!getnameinfo(found->ai_addr, found->ai_addrlen, host, NI_MAXHOST,
                           NULL, 0, NI_NUMERICHOST);
    freeaddrinfo(found);
}

void phone_lock_address(const char *serial, struct buf *address)
{
    char host[NI_MAXHOST];
    uint16_t console;
    unsigned port;

    if (emulator_console(serial, &console)) {
        buf_printf(address, "127.0.0.1:%u", console + 1U);
    } else if (split(serial, host, &port)) {
        resolve(host);
        buf_printf(address, "%s:%u", host, port);
    } else {
        buf_text(address, serial);
    }
}

/* ---- what a phone reports ---- */

/* The serial number, when it was started, and its kernel. The last two tell
 * apart phones that were given the same serial number. */
static const char ask_identity[] =
    "getprop ro.serialno; getprop ro.boottime.init; "
    "cat /proc/sys/kernel/random/boot_id 2>/dev/null";

static bool is_common(const char *serial, size_t length)
{
    static const char *const common[] = {"EMULATOR", "PROCTOR", "unknown",
                                         "0123456789"};

    for (size_t i = 0; i < ARRAY_LEN(common); i++) {
        if (!strncmp(serial, common[i], strlen(common[i])))
            return true;
    }
    return length < SERIAL_MIN;
}

bool phone_lock_identity(const char *output, struct buf *identity)
{
    const char *lines[3] = {"", "", ""};
    size_t lengths[3] = {0};
    bool unique;

    for (size_t i = 0; i < ARRAY_LEN(lines) && *output; i++) {
        lines[i] = output;
        lengths[i] = strcspn(output, "\r\n");
        output += lengths[i];
        output += *output == '\r';
        output += *output == '\n';
    }
    unique = lengths[2] == UUID_LENGTH || !is_common(lines[0], lengths[0]);
    for (size_t i = 0; unique && i < ARRAY_LEN(lines); i++) {
        /* Without a kernel's name the serial number must do. */
        if (i == 0 || lengths[2] == UUID_LENGTH) {
            buf_append(identity, lines[i], lengths[i]);
            buf_byte(identity, '\n');
        }
    }
    return unique;
}

/* ---- locks ---- */

/*
 * A folder for all users, as /tmp is: all users may add files, and remove only
 * their own. open_up: make it so if it is ours.
 */
static bool check_folder(int fd, const char *path, bool open_up,
                         struct err *err)
{
    struct stat found;
    bool ours;

    if (fstat(fd, &found))
        return err_errno(err, errno, "look at %s", path);
    ours = found.st_uid == geteuid();
    if (!ours && !(found.st_mode & S_ISVTX))
        return err_set(err, ERR_DENIED,
                       "in %s others may replace lock files; "
                       "PROCTOR_LOCK_FOLDER names another folder",
                       path);
    if (ours && open_up && (found.st_mode & 07777) != 01777 &&
        fchmod(fd, 01777))
        return err_errno(err, errno, "open %s to all users", path);
    return true;
}

/*
 * The process that made the default folder may have been killed before it
 * opened it to all users. A folder that the user names may be there for
 * something else, too: its mode is left alone.
 */
static bool open_folder(int *folder, struct err *err)
{
    const char *given = getenv("PROCTOR_LOCK_FOLDER");
    bool is_default = !given || given[0] != '/';
    const char *path = is_default ? "/tmp/proctor-locks" : given;
    bool made = !mkdir(path, 0700);
    int fd;

    if (!made && errno != EEXIST)
        return err_errno(err, errno, "make %s", path);
    fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
        return err_set(err, ERR_DENIED,
                       "%s is not a folder; PROCTOR_LOCK_FOLDER names another",
                       path);
    if (fd < 0)
        return err_errno(err, errno, "open %s", path);
    if (!check_folder(fd, path, made || is_default, err)) {
        close(fd);
        return false;
    }
    *folder = fd;
    return true;
}

/* A file's name from untrusted text, the same for the same text alone. */
static void name_file(const char *kind, const char *text, char name[NAME_SIZE])
{
    char hash[SHA256_HEX_SIZE];

    sha256_hex(text, strlen(text), hash);
    snprintf(name, NAME_SIZE, "%s-%.32s.lock", kind, hash);
}

static bool take(struct file_lock *lock, const char *kind, const char *text,
                 const char *what, enum file_lock_use use, struct err *err)
{
    char name[NAME_SIZE];
    int folder;
    bool done;

    if (!open_folder(&folder, err))
        return false;
    name_file(kind, text, name);
    done = file_lock_take_shared(lock, folder, name, what, use, err);
    close(folder);
    return done;
}

static bool take_address(struct phone_lock *lock, const char *serial,
                         enum file_lock_use use, struct err *err)
{
    struct buf address = BUF_INIT(PATH_MAX);
    char what[160];
    bool done;

    snprintf(what, sizeof(what), "phone %.100s", serial);
    phone_lock_address(serial, &address);
    done = take(&lock->address, "address", buf_cstr(&address), what, use, err);
    buf_release(&address);
    lock->use = use;
    return done;
}

bool phone_lock_take(struct phone_lock *lock, const char *serial,
                     struct err *err)
{
    return take_address(lock, serial, FILE_LOCK_LONG, err);
}

bool phone_lock_take_briefly(struct phone_lock *lock, const char *serial,
                             struct err *err)
{
    return take_address(lock, serial, FILE_LOCK_BRIEF, err);
}

bool phone_lock_is_taken(const char *serial, long *process)
{
    struct buf address = BUF_INIT(PATH_MAX);
    struct err ignored;
    char name[NAME_SIZE];
    int folder;
    bool taken;

    if (!open_folder(&folder, &ignored))
        return false;
    phone_lock_address(serial, &address);
    name_file("address", buf_cstr(&address), name);
    taken = file_lock_is_taken(folder, name, process);
    buf_release(&address);
    close(folder);
    return taken;
}

bool phone_lock_read_identity(struct device *device, struct deadline by,
                              struct buf *identity, struct err *err)
{
    struct shell_result result;

    if (!shell_run(device, ask_identity, ANSWER_MAX, by, &result, err))
        return false;
    (void)phone_lock_identity(buf_cstr(&result.out), identity);
    shell_result_release(&result);
    return true;
}

bool phone_lock_identify(struct phone_lock *lock, struct device *device,
                         struct deadline by, struct err *err)
{
    struct buf identity = BUF_INIT(ANSWER_MAX);
    char what[160];
    bool done;

    if (!phone_lock_read_identity(device, by, &identity, err)) {
        buf_release(&identity);
        return false;
    }
    snprintf(what, sizeof(what), "phone %.100s (by another of its names)",
             device_serial(device));
    done = !identity.length || take(&lock->identity, "phone",
                                    buf_cstr(&identity), what, lock->use, err);
    buf_release(&identity);
    return done;
}

void phone_lock_release(struct phone_lock *lock)
{
    file_lock_release(&lock->identity);
    file_lock_release(&lock->address);
}

bool phone_lock_take_name(struct file_lock *lock, const char *name,
                          struct err *err)
{
    return take(lock, "name", name, name, FILE_LOCK_LONG, err);
}
