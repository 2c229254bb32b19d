#include "tools/selftest/footprint.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "adb/reverse.h"
#include "adb/shell.h"
#include "adb/sync.h"
#include "base/bytes.h"
#include "base/macros.h"

#define ANSWER_LIMIT ((size_t)4096)

/*
 * A request that was under way when we were interrupted may still be carried
 * out, and pushing makes the directories it needs. So gone means: still gone a
 * moment later.
 */
#define ERASE_TRIES 5
#define ERASE_PAUSE_MS 100

bool footprint_init(struct footprint *footprint, struct err *err)
{
    uint8_t dice[4];

    if (getentropy(dice, sizeof(dice)) < 0)
        return err_errno(err, errno, "random numbers");
    *footprint = (struct footprint){0};
    snprintf(footprint->name, sizeof(footprint->name), "proctor-selftest-%08x",
             (unsigned)get_u32le(dice));
    return true;
}

/* Run a command that prints a line; "" when it prints none. */
static bool ask(struct device *device, const char *command, struct deadline by,
                char *line, size_t size, struct err *err)
{
    struct shell_result result;

    if (!shell_run(device, command, ANSWER_LIMIT, by, &result, err))
        return false;
    snprintf(line, size, "%s", buf_cstr(&result.out));
    line[strcspn(line, "\r\n")] = '\0';
    shell_result_release(&result);
    return true;
}

/* Try to make it in parent; *made says how that went. */
static bool try_parent(struct footprint *footprint, const char *parent,
                       struct device *device, struct deadline by, bool *made,
                       struct err *err)
{
    struct buf command = BUF_INIT(4 * FOOTPRINT_PATH_MAX);
    char answer[8];
    bool done;

    snprintf(footprint->directory, sizeof(footprint->directory), "%s/%s",
             parent, footprint->name);
    /* Old shells tell no status, so success has a word. */
    buf_text(&command, "mkdir -m 700 ");
    shell_quote(&command, footprint->directory);
    buf_text(&command, " 2>/dev/null && echo made");
    done = ask(device, buf_cstr(&command), by, answer, sizeof(answer), err);
    buf_release(&command);
    *made = done && !strcmp(answer, "made");
    return done;
}

bool footprint_make_directory(struct footprint *footprint,
                              struct device *device, struct deadline by,
                              struct err *err)
{
    char own[FOOTPRINT_PATH_MAX / 2] = "";
    const char *const parents[] = {"/data/local/tmp", own, "/tmp"};
    bool made = false;

    if (!ask(device, "echo \"$TMPDIR\"", by, own, sizeof(own), err))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(parents) && !made; i++) {
        if (parents[i][0] == '/' &&
            !try_parent(footprint, parents[i], device, by, &made, err))
            return false;
    }
    if (made)
        return true;
    footprint->directory[0] = '\0';
    return err_set(err, ERR_REMOTE,
                   "no directory can be made in /data/local/tmp or /tmp");
}

const char *footprint_plan_socket(struct footprint *footprint)
{
    snprintf(footprint->socket, sizeof(footprint->socket), "localabstract:%s",
             footprint->name);
    return footprint->socket;
}

static bool is_there(struct device *device, const char *path,
                     struct deadline by, bool *there, struct err *err)
{
    struct sync_options options = {.compression = SYNC_NONE};
    struct sync_stat stat;
    struct sync *sync;
    bool done;

    if (!sync_open(device, &options, by, &sync, err))
        return false;
    done = sync_stat(sync, path, false, by, &stat, err);
    *there = done && stat.mode != 0;
    sync_close(sync);
    return done;
}

static bool erase_directory(struct footprint *footprint, struct device *device,
                            struct deadline by, struct err *err)
{
    struct buf command = BUF_INIT(4 * FOOTPRINT_PATH_MAX);
    char said[128] = "";
    bool there = true;
    bool done = true;

    if (!footprint->directory[0] || footprint->directory_removed)
        return true;
    buf_text(&command, "rm -rf ");
    shell_quote(&command, footprint->directory);
    buf_text(&command, " 2>&1");
    for (int i = 0; i < ERASE_TRIES && done && there; i++) {
        done = ask(device, buf_cstr(&command), by, said, sizeof(said), err);
        poll(NULL, 0, ERASE_PAUSE_MS);
        done = done && is_there(device, footprint->directory, by, &there, err);
    }
    buf_release(&command);
    if (!done)
        return err_wrap(err, "removing %s", footprint->directory);
    if (there)
        return err_set(err, ERR_REMOTE, "%s cannot be removed: %s",
                       footprint->directory, said);
    footprint->directory_removed = true;
    return true;
}

struct search {
    const char *remote;
    bool found;
};

static void compare_remote(void *context, const char *remote, const char *local)
{
    struct search *search = context;

    (void)local;
    search->found = search->found || !strcmp(remote, search->remote);
}

static bool is_listening(struct footprint *footprint, struct device *device,
                         struct deadline by, bool *listening, struct err *err)
{
    struct search search = {.remote = footprint->socket};

    if (!reverse_list(device, compare_remote, &search, by, err))
        return false;
    *listening = search.found;
    return true;
}

static bool end_listening(struct footprint *footprint, struct device *device,
                          struct deadline by, struct err *err)
{
    struct reverse *reverse;
    bool done;

    if (!reverse_start(device, NULL, &reverse, err))
        return false;
    done = reverse_remove(reverse, footprint->socket, by, err);
    reverse_stop(reverse);
    return done;
}

/* What listened for a direct connection has ended with it. */
static bool erase_socket(struct footprint *footprint, struct device *device,
                         struct deadline by, struct err *err)
{
    bool listening;

    if (!footprint->socket[0] || footprint->socket_removed)
        return true;
    if (!is_listening(footprint, device, by, &listening, err))
        return false;
    if (listening && (!end_listening(footprint, device, by, err) ||
                      !is_listening(footprint, device, by, &listening, err)))
        return false;
    if (listening)
        return err_set(err, ERR_REMOTE, "the phone goes on listening on %s",
                       footprint->socket);
    footprint->socket_removed = true;
    return true;
}

bool footprint_erase(struct footprint *footprint, struct device *device,
                     struct deadline by, struct err *err)
{
    struct err second;
    bool directory = erase_directory(footprint, device, by, err);
    bool socket =
        erase_socket(footprint, device, by, directory ? err : &second);

    return directory && socket;
}
