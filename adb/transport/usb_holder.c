#include "adb/transport/usb_holder.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clean_text.h"

/* Read the start of a file in /proc; a missing file is empty. */
static size_t read_start(int folder, const char *name, char *text, size_t size)
{
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    return n > 0 ? (size_t)n : 0;
}

/* Is it that node, possibly as seen from within a container? */
static bool leads_to(const char *target, const char *node)
{
    size_t length = strlen(target);
    size_t tail = strlen(node);

    return length >= tail && !strcmp(target + length - tail, node);
}

/* Does the process of that folder have node open? */
static bool has_open(int process, const char *node)
{
    int fd = openat(process, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *entry;
    bool found = false;

    if (!folder && fd >= 0)
        close(fd);
    while (folder && !found && (entry = readdir(folder))) {
        char target[PATH_MAX];
        ssize_t n = readlinkat(dirfd(folder), entry->d_name, target,
                               sizeof(target) - 1);

        target[n > 0 ? n : 0] = '\0';
        found = leads_to(target, node);
    }
    if (folder)
        closedir(folder);
    return found;
}

/* "adb -L tcp:5037 fork-server server --reply-fd 4" and similar. */
static bool runs_server(const char *words, size_t length)
{
    for (size_t at = 0; at < length; at += strlen(words + at) + 1) {
        if (!strcmp(words + at, "fork-server") ||
            !strcmp(words + at, "nodaemon"))
            return true;
    }
    return false;
}

static void describe(int process, struct usb_holder *holder)
{
    char name[sizeof(holder->name)];
    char words[1024];
    size_t length = read_start(process, "cmdline", words, sizeof(words));

    read_start(process, "comm", name, sizeof(name));
    clean_text_copy(holder->name, sizeof(holder->name), name,
                    strcspn(name, "\n"));
    holder->is_adb_server =
        !strcmp(holder->name, "adb") && runs_server(words, length);
}

void usb_holder_find(const char *node, struct usb_holder *holder)
{
    DIR *processes = opendir("/proc");
    struct dirent *entry;

    *holder = (struct usb_holder){.name = "another program"};
    while (processes && !holder->pid && (entry = readdir(processes))) {
        long pid = strtol(entry->d_name, NULL, 10);
        int process;

        if (pid <= 0 || pid == getpid())
            continue;
        process = openat(dirfd(processes), entry->d_name,
                         O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (process < 0)
            continue;
        if (has_open(process, node)) {
            holder->pid = (int)pid;
            describe(process, holder);
        }
        close(process);
    }
    if (processes)
        closedir(processes);
}
