#include "tools/device_checks/cleanup_list.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "adb/services/reverse.h"
#include "adb/services/shell.h"
#include "base/bytes.h"
#include "base/macros.h"

#define ANSWER_LIMIT ((size_t)4096)

/*
 * A request that was sent when we were interrupted may still be carried out,
 * and pushing makes the directories it needs. So gone means: still gone a
 * moment later.
 */
#define ERASE_TRIES 5
#define ERASE_PAUSE_MS 100

bool cleanup_list_init(struct cleanup_list *cleanup_list, struct err *err)
{
    uint8_t dice[4];

    if (getentropy(dice, sizeof(dice)) < 0)
        return err_errno(err, errno, "random numbers");
    *cleanup_list = (struct cleanup_list){0};
    snprintf(cleanup_list->name, sizeof(cleanup_list->name),
             "proctor-selftest-%08x", (unsigned)get_u32le(dice));
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

/* Run a shell command on a path; *status is its exit status. */
static bool run_on_path(struct device *device, const char *before,
                        const char *path, const char *after, struct deadline by,
                        int *status, struct err *err)
{
    struct buf command = BUF_INIT(4 * CLEANUP_LIST_PATH_MAX);
    struct shell_result result;
    bool done;

    buf_text(&command, before);
    shell_quote(&command, path);
    buf_text(&command, after);
    done =
        shell_run(device, buf_cstr(&command), ANSWER_LIMIT, by, &result, err);
    buf_release(&command);
    if (!done)
        return false;
    *status = result.status;
    shell_result_release(&result);
    return *status >= 0 ||
           err_set(err, ERR_REMOTE, "the phone's shell reports no exit status");
}

/*
 * Try to make it in parent; *made says how that went. The mkdir of old phones
 * has no -m.
 */
static bool try_parent(struct cleanup_list *cleanup_list, const char *parent,
                       struct device *device, struct deadline by, bool *made,
                       struct err *err)
{
    int status;

    snprintf(cleanup_list->directory, sizeof(cleanup_list->directory), "%s/%s",
             parent, cleanup_list->name);
    if (!run_on_path(device, "umask 077; mkdir ", cleanup_list->directory,
                     " 2>/dev/null", by, &status, err))
        return false;
    *made = status == 0;
    return true;
}

bool cleanup_list_make_directory(struct cleanup_list *cleanup_list,
                                 struct device *device, struct deadline by,
                                 struct err *err)
{
    char own[CLEANUP_LIST_PATH_MAX / 2] = "";
    const char *const parents[] = {"/data/local/tmp", own, "/tmp"};
    bool made = false;

    if (!ask(device, "echo \"$TMPDIR\"", by, own, sizeof(own), err))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(parents) && !made; i++) {
        if (parents[i][0] == '/' &&
            !try_parent(cleanup_list, parents[i], device, by, &made, err))
            return false;
    }
    if (made)
        return true;
    cleanup_list->directory[0] = '\0';
    return err_set(err, ERR_REMOTE,
                   "no directory can be made in /data/local/tmp or /tmp");
}

const char *cleanup_list_plan_socket(struct cleanup_list *cleanup_list)
{
    snprintf(cleanup_list->socket, sizeof(cleanup_list->socket),
             "localabstract:%s", cleanup_list->name);
    return cleanup_list->socket;
}

static bool is_there(struct device *device, const char *path,
                     struct deadline by, bool *there, struct err *err)
{
    int status;

    if (!run_on_path(device, "[ -e ", path, " ]", by, &status, err))
        return false;
    *there = status == 0;
    return true;
}

static bool erase_directory(struct cleanup_list *cleanup_list,
                            struct device *device, struct deadline by,
                            struct err *err)
{
    struct buf command = BUF_INIT(4 * CLEANUP_LIST_PATH_MAX);
    char said[128] = "";
    bool there = true;
    bool done = true;

    if (!cleanup_list->directory[0] || cleanup_list->directory_removed)
        return true;
    buf_text(&command, "rm -rf ");
    shell_quote(&command, cleanup_list->directory);
    buf_text(&command, " 2>&1");
    for (int i = 0; i < ERASE_TRIES && done && there; i++) {
        done = ask(device, buf_cstr(&command), by, said, sizeof(said), err);
        poll(NULL, 0, ERASE_PAUSE_MS);
        done =
            done && is_there(device, cleanup_list->directory, by, &there, err);
    }
    buf_release(&command);
    if (!done)
        return err_wrap(err, "removing %s", cleanup_list->directory);
    if (there)
        return err_set(err, ERR_REMOTE, "%s cannot be removed: %s",
                       cleanup_list->directory, said);
    cleanup_list->directory_removed = true;
    return true;
}

struct remote_search {
    const char *remote;
    bool found;
};

static void compare_remote(void *context, const char *remote, const char *local)
{
    struct remote_search *search = context;

    (void)local;
    search->found = search->found || !strcmp(remote, search->remote);
}

static bool is_listening(struct cleanup_list *cleanup_list,
                         struct device *device, struct deadline by,
                         bool *listening, struct err *err)
{
    struct remote_search search = {.remote = cleanup_list->socket};

    if (!reverse_list(device, compare_remote, &search, by, err))
        return false;
    *listening = search.found;
    return true;
}

static bool end_listening(struct cleanup_list *cleanup_list,
                          struct device *device, struct deadline by,
                          struct err *err)
{
    struct reverse *reverse;
    bool done;

    if (!reverse_start(device, NULL, &reverse, err))
        return false;
    done = reverse_remove(reverse, cleanup_list->socket, by, err);
    reverse_stop(reverse);
    return done;
}

/*
 * What listened for a direct connection has ended with it. On a phone without
 * reverse forwards (Android before 5) nothing was made.
 */
static bool erase_socket(struct cleanup_list *cleanup_list,
                         struct device *device, struct deadline by,
                         struct err *err)
{
    bool listening;

    if (!cleanup_list->socket[0] || cleanup_list->socket_removed)
        return true;
    if (!is_listening(cleanup_list, device, by, &listening, err)) {
        if (err->code != ERR_REFUSED)
            return false;
        cleanup_list->socket[0] = '\0';
        return true;
    }
    if (listening && (!end_listening(cleanup_list, device, by, err) ||
                      !is_listening(cleanup_list, device, by, &listening, err)))
        return false;
    if (listening)
        return err_set(err, ERR_REMOTE, "the phone still listens on %s",
                       cleanup_list->socket);
    cleanup_list->socket_removed = true;
    return true;
}

bool cleanup_list_erase(struct cleanup_list *cleanup_list,
                        struct device *device, struct deadline by,
                        struct err *err)
{
    struct err second;
    bool directory = erase_directory(cleanup_list, device, by, err);
    bool socket =
        erase_socket(cleanup_list, device, by, directory ? err : &second);

    return directory && socket;
}
