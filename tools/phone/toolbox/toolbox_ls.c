/* ls, as toolbox had it: no link is followed, and a size has no unit. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/phone/core/date_text.h"
#include "tools/phone/files/file_mode.h"
#include "tools/phone/toolbox/toolbox.h"

#define DEPTH_MAX 64U
#define BLOCK 512U

static const char known_letters[] = "FRZadilnps";

struct toolbox_ls {
    struct command_call *call;
    bool given[128];
    unsigned depth;
    int status;
};

static bool given(const struct toolbox_ls *ls, char letter)
{
    return ls->given[(unsigned char)letter];
}

/* ---- one file ---- */

/* Only files have a size here. */
static void size_text(const struct files_stat *stat, char text[static 32])
{
    if (S_ISREG(stat->mode))
        snprintf(text, 32, "%8llu", (unsigned long long)stat->size);
    else if (S_ISCHR(stat->mode))
        snprintf(text, 32, "%3u, %3u", stat->device >> 8, stat->device & 255U);
    else
        snprintf(text, 32, "%8s", "");
}

/* Of a path only the last name is shown. */
static void print_long(struct toolbox_ls *ls, const char *path,
                       const char *name, const struct files_stat *stat)
{
    const char *slash = strrchr(name, '/');
    struct buf time = BUF_INIT(64);
    char letters[FILE_MODE_SIZE];
    char user[USERS_NAME_SIZE];
    char group[USERS_NAME_SIZE];
    char size[32];

    file_mode_letters(stat->mode, letters);
    cmd_owner_text(stat->uid, given(ls, 'n'), user);
    cmd_owner_text(stat->gid, given(ls, 'n'), group);
    size_text(stat, size);
    date_text_format(stat->mtime, "%Y-%m-%d %H:%M", &time);
    call_print(ls->call, "%s %-8s %-8s %s %s %s", letters, user, group, size,
               buf_cstr(&time), slash && slash[1] ? slash + 1 : name);
    if (S_ISLNK(stat->mode))
        cmd_print_link_target(ls->call, path);
    call_print(ls->call, "\n");
    buf_release(&time);
}

static void print_file(struct toolbox_ls *ls, const char *path,
                       const char *name, const struct files_stat *stat)
{
    if (given(ls, 'l') || given(ls, 'n')) {
        print_long(ls, path, name, stat);
        return;
    }
    if (given(ls, 'Z')) { /* nothing is labelled */
        ls->status = 1;
        return;
    }
    if (given(ls, 'i'))
        call_print(ls->call, "%8llu ", (unsigned long long)stat->inode);
    if (given(ls, 's'))
        call_print(ls->call, "%llu ",
                   (unsigned long long)((stat->size + BLOCK - 1) / BLOCK));
    call_print(ls->call, "%s%s\n", name,
               S_ISDIR(stat->mode) && (given(ls, 'F') || given(ls, 'p')) ? "/"
                                                                         : "");
}

/* ---- directories ---- */

static void list_directory(struct toolbox_ls *ls, const char *path);

/* With -R: the directories in a directory. */
static void list_inner(struct toolbox_ls *ls, const char *path,
                       const struct files_list *list)
{
    if (ls->depth >= DEPTH_MAX)
        return;
    ls->depth++;
    for (size_t i = 0; i < list->count && !ls->call->ended; i++) {
        char *inner;

        if (!S_ISDIR(list->entries[i].stat.mode))
            continue;
        inner = cmd_join_path(path, list->entries[i].name);
        call_print(ls->call, "\n%s:\n", inner);
        list_directory(ls, inner);
        free(inner);
    }
    ls->depth--;
}

static void list_directory(struct toolbox_ls *ls, const char *path)
{
    struct files_list list = FILES_LIST_INIT;
    int number;

    if (!files_list(ls->call->files, path, &list, &number)) {
        call_error(ls->call, "opendir failed, %s\n", files_reason(number));
        ls->status = 1;
        return;
    }
    for (size_t i = 0; i < list.count && call_step(ls->call); i++) {
        const struct files_entry *entry = &list.entries[i];
        char *inner;

        if (entry->name[0] == '.' && !given(ls, 'a'))
            continue;
        inner = cmd_join_path(path, entry->name);
        print_file(ls, inner, entry->name, &entry->stat);
        free(inner);
    }
    if (given(ls, 'R'))
        list_inner(ls, path, &list);
    files_list_release(&list);
}

/* ---- operands ---- */

static void list_operand(struct toolbox_ls *ls, const char *name)
{
    size_t length = strlen(name);
    bool follow = length && name[length - 1] == '/';
    char *path = call_path(ls->call, name);
    struct files_stat stat;
    int number = ENAMETOOLONG;

    if (!path || !files_stat(ls->call->files, path, follow, &stat, &number)) {
        call_error(ls->call, "%.500s: %s\n", name, files_reason(number));
        ls->status = 1;
    } else if (S_ISDIR(stat.mode) && !given(ls, 'd')) {
        if (given(ls, 'R'))
            call_print(ls->call, "\n%s:\n", name);
        list_directory(ls, path);
    } else {
        print_file(ls, path, name, &stat);
    }
    free(path);
}

static bool take_letters(struct toolbox_ls *ls, const char *word)
{
    for (word++; *word; word++) {
        if (!strchr(known_letters, *word)) {
            call_error(ls->call, "ls: Unknown option '-%c'. Aborting.\n",
                       *word);
            return false;
        }
        ls->given[(unsigned char)*word] = true;
    }
    return true;
}

int toolbox_ls(struct command_call *call)
{
    struct toolbox_ls ls = {.call = call};
    bool named = false;

    for (size_t i = 1; i < call->argc; i++) {
        if (call->argv[i][0] != '-')
            named = true;
        else if (!take_letters(&ls, call->argv[i]))
            return 1;
    }
    if (!named)
        list_operand(&ls, ".");
    for (size_t i = 1; i < call->argc && !call->ended; i++) {
        if (call->argv[i][0] != '-')
            list_operand(&ls, call->argv[i]);
    }
    return ls.status;
}
