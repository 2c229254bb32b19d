/* ls: lists a directory, in toybox's layout. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tools/phone/core/date_text.h"
#include "tools/phone/files/file_mode.h"
#include "tools/phone/files/users.h"
#include "tools/phone/toybox/cmd.h"

#define DEPTH_MAX 64U
#define BLOCK 4096U

struct toybox_ls {
    struct command_call *call;
    const struct command_options *options;
    bool later;  /* print an empty line before the next title */
    bool titles; /* print the name of each directory */
    unsigned depth;
    int status;
};

/* Widths of the columns of ls -l. */
struct widths {
    int inode, links, user, group, size;
};

static bool given(const struct toybox_ls *ls, char letter)
{
    return ls->options->given[(unsigned char)letter];
}

/* ---- one line ---- */

/* A size in bytes, or a device's numbers, or with -h a short size. */
static void size_text(const struct toybox_ls *ls, const struct files_stat *stat,
                      char text[static 32])
{
    static const char units[] = "KMGT";
    double size = (double)stat->size;
    size_t unit = 0;

    if (S_ISCHR(stat->mode)) {
        snprintf(text, 32, "%u,%4u", stat->device >> 8, stat->device & 255U);
    } else if (given(ls, 'h') && stat->size >= 1024) {
        size /= 1024;
        while (size >= 1000 && unit < 3) {
            size /= 1024;
            unit++;
        }
        snprintf(text, 32, "%.*f%c", size < 10, size, units[unit]);
    } else {
        snprintf(text, 32, "%llu", (unsigned long long)stat->size);
    }
}

static int wider(int width, int length)
{
    return length > width ? length : width;
}

void cmd_owner_text(uint32_t id, bool numeric,
                    char text[static USERS_NAME_SIZE])
{
    if (numeric)
        snprintf(text, USERS_NAME_SIZE, "%u", (unsigned)id);
    else
        users_name(id, text);
}

static void measure(const struct toybox_ls *ls, const struct files_stat *stat,
                    struct widths *widths)
{
    char name[USERS_NAME_SIZE];
    char text[32];

    cmd_owner_text(stat->uid, given(ls, 'n'), name);
    widths->user = wider(widths->user, (int)strlen(name));
    cmd_owner_text(stat->gid, given(ls, 'n'), name);
    widths->group = wider(widths->group, (int)strlen(name));
    size_text(ls, stat, text);
    widths->size = wider(widths->size, (int)strlen(text));
    widths->links = wider(widths->links, snprintf(text, sizeof(text), "%u",
                                                  (unsigned)stat->links));
    widths->inode =
        wider(widths->inode, snprintf(text, sizeof(text), "%llu",
                                      (unsigned long long)stat->inode));
}

static void print_facts(struct toybox_ls *ls, const struct files_stat *stat,
                        const struct widths *widths)
{
    struct buf time = BUF_INIT(64);
    char letters[FILE_MODE_SIZE];
    char user[USERS_NAME_SIZE];
    char group[USERS_NAME_SIZE];
    char size[32];

    file_mode_letters(stat->mode, letters);
    cmd_owner_text(stat->uid, given(ls, 'n'), user);
    cmd_owner_text(stat->gid, given(ls, 'n'), group);
    size_text(ls, stat, size);
    date_text_format(stat->mtime, "%Y-%m-%d %H:%M", &time);
    call_print(ls->call, "%s %*u %-*s %-*s %*s %s ", letters, widths->links,
               (unsigned)stat->links, widths->user, user, widths->group, group,
               widths->size, size, buf_cstr(&time));
    buf_release(&time);
}

void cmd_print_link_target(struct command_call *call, const char *path)
{
    struct shared_bytes *target;
    int number;

    if (!files_read_link(call->files, path, &target, &number))
        return;
    call_print(call, " -> %.*s", (int)target->size, (const char *)target->data);
    shared_bytes_drop(target);
}

static char mark_of(const struct toybox_ls *ls, uint32_t mode)
{
    if (S_ISDIR(mode) && (given(ls, 'F') || given(ls, 'p')))
        return '/';
    if (!given(ls, 'F'))
        return '\0';
    if (S_ISLNK(mode))
        return '@';
    return mode & 0111 ? '*' : '\0';
}

static void print_entry(struct toybox_ls *ls, const char *path,
                        const char *name, const struct files_stat *stat,
                        const struct widths *widths)
{
    char mark = mark_of(ls, stat->mode);

    if (given(ls, 'i'))
        call_print(ls->call, "%*llu ", widths->inode,
                   (unsigned long long)stat->inode);
    if (given(ls, 's'))
        call_print(ls->call, "%llu ",
                   (unsigned long long)(stat->size + 1023) / 1024);
    if (given(ls, 'l'))
        print_facts(ls, stat, widths);
    if (given(ls, 'Z'))
        call_print(ls->call, "? "); /* no file has a security label */
    call_write(ls->call, name, strlen(name));
    if (mark && !(mark == '@' && given(ls, 'l')))
        call_write(ls->call, &mark, 1);
    if (given(ls, 'l') && S_ISLNK(stat->mode))
        cmd_print_link_target(ls->call, path);
    call_write(ls->call, "\n", 1);
}

/* ---- directories ---- */

char *cmd_join_path(const char *directory, const char *name)
{
    size_t length = strlen(directory);
    size_t size = length + strlen(name) + 2;
    char *path = mem_new(size, 1);

    snprintf(path, size, "%s%s%s", directory,
             length && directory[length - 1] == '/' ? "" : "/", name);
    return path;
}

/* "." and "..", which the file tree does not list. */
static void add_dots(struct toybox_ls *ls, const char *path,
                     struct files_list *list)
{
    static const char *const dots[] = {".", ".."};
    size_t old = list->count;

    list->entries = mem_resize(list->entries, old + 2, sizeof(*list->entries));
    memmove(list->entries + 2, list->entries, old * sizeof(*list->entries));
    for (size_t i = 0; i < 2; i++) {
        struct files_entry *entry = &list->entries[i];
        char *dot = cmd_join_path(path, dots[i]);
        int number;

        *entry = (struct files_entry){.name = mem_dup(dots[i])};
        (void)!files_stat(ls->call->files, dot, true, &entry->stat, &number);
        free(dot);
    }
    list->count += 2;
}

static bool is_shown(const struct toybox_ls *ls, const char *name)
{
    return *name != '.' || given(ls, 'a') || given(ls, 'A');
}

static int by_time(const void *a, const void *b)
{
    int64_t x = ((const struct files_entry *)a)->stat.mtime;
    int64_t y = ((const struct files_entry *)b)->stat.mtime;

    return x > y ? -1 : x < y;
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = ((const struct files_entry *)a)->stat.size;
    uint64_t y = ((const struct files_entry *)b)->stat.size;

    return x > y ? -1 : x < y;
}

static void arrange(struct toybox_ls *ls, struct files_list *list)
{
    if (list->count && given(ls, 't'))
        qsort(list->entries, list->count, sizeof(*list->entries), by_time);
    else if (list->count && given(ls, 'S'))
        qsort(list->entries, list->count, sizeof(*list->entries), by_size);
    for (size_t i = 0; given(ls, 'r') && i < list->count / 2; i++) {
        struct files_entry swapped = list->entries[i];

        list->entries[i] = list->entries[list->count - 1 - i];
        list->entries[list->count - 1 - i] = swapped;
    }
}

static void print_list(struct toybox_ls *ls, const char *path,
                       const struct files_list *list)
{
    struct widths widths = {0};
    uint64_t blocks = 0;

    for (size_t i = 0; i < list->count; i++) {
        if (!is_shown(ls, list->entries[i].name))
            continue;
        measure(ls, &list->entries[i].stat, &widths);
        blocks += (list->entries[i].stat.size + BLOCK - 1) / BLOCK;
    }
    if (given(ls, 'l') || given(ls, 's'))
        call_print(ls->call, "total %llu\n",
                   (unsigned long long)(blocks * BLOCK / 1024));
    for (size_t i = 0; i < list->count && call_step(ls->call); i++) {
        const struct files_entry *entry = &list->entries[i];
        char *inner;

        if (!is_shown(ls, entry->name))
            continue;
        inner = cmd_join_path(path, entry->name);
        print_entry(ls, inner, entry->name, &entry->stat, &widths);
        free(inner);
    }
}

/* path is absolute, title as it was typed. */
static void list_directory(struct toybox_ls *ls, const char *path,
                           const char *title)
{
    struct files_list list = FILES_LIST_INIT;
    int number;

    if (ls->titles)
        call_print(ls->call, "%s%s:\n", ls->later ? "\n" : "", title);
    ls->later = true;
    if (!files_list(ls->call->files, path, &list, &number)) {
        ls->status = call_fail_path(ls->call, title, number);
        return;
    }
    if (given(ls, 'a'))
        add_dots(ls, path, &list);
    arrange(ls, &list);
    print_list(ls, path, &list);
    ls->depth++;
    for (size_t i = 0; given(ls, 'R') && i < list.count && !ls->call->ended;
         i++) {
        const char *name = list.entries[i].name;
        char *inner;
        char *inner_title;

        if (!S_ISDIR(list.entries[i].stat.mode) || !is_shown(ls, name) ||
            !strcmp(name, ".") || !strcmp(name, "..") || ls->depth > DEPTH_MAX)
            continue;
        inner = cmd_join_path(path, name);
        inner_title = cmd_join_path(title, name);
        list_directory(ls, inner, inner_title);
        free(inner);
        free(inner_title);
    }
    ls->depth--;
    files_list_release(&list);
}

/* ---- operands ---- */

struct ls_operand {
    char *path; /* owned */
    const char *name;
    struct files_stat stat;
    bool found;
};

static void find_operand(struct toybox_ls *ls, const char *name,
                         struct ls_operand *operand)
{
    /* A link to a directory counts as one, unless links are not followed. */
    bool follow = !given(ls, 'l') && !given(ls, 'd') && !given(ls, 'F');
    int number = ENAMETOOLONG;

    if (given(ls, 'L') || name[strlen(name) - (*name != 0)] == '/')
        follow = true;
    operand->name = name;
    operand->path = call_path(ls->call, name);
    operand->found = operand->path &&
                     (files_stat(ls->call->files, operand->path, follow,
                                 &operand->stat, &number) ||
                      (follow && files_stat(ls->call->files, operand->path,
                                            false, &operand->stat, &number)));
    if (!operand->found)
        ls->status = call_fail_path(ls->call, name, number);
}

static bool is_listed(const struct toybox_ls *ls,
                      const struct ls_operand *operand)
{
    return operand->found && S_ISDIR(operand->stat.mode) && !given(ls, 'd');
}

/* Files first, then the contents of directories. */
static void list_operands(struct toybox_ls *ls, struct ls_operand *operands,
                          size_t count)
{
    struct widths widths = {0};

    for (size_t i = 0; i < count; i++) {
        if (operands[i].found && !is_listed(ls, &operands[i]))
            measure(ls, &operands[i].stat, &widths);
    }
    for (size_t i = 0; i < count; i++) {
        if (!operands[i].found || is_listed(ls, &operands[i]))
            continue;
        print_entry(ls, operands[i].path, operands[i].name, &operands[i].stat,
                    &widths);
        ls->later = true;
    }
    for (size_t i = 0; i < count; i++) {
        if (is_listed(ls, &operands[i]))
            list_directory(ls, operands[i].path, operands[i].name);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct ls_operand *)a)->name,
                  ((const struct ls_operand *)b)->name);
}

int do_ls(struct command_call *call)
{
    char here[] = ".";
    char *none[] = {here};
    struct command_options options;
    struct toybox_ls ls = {.call = call, .options = &options};
    struct ls_operand *operands;
    size_t count;
    int status;

    if (!call_options(call, "1ACFHLRSZabcdfghiklmnopqrstuwx", &options,
                      &status))
        return status;
    options.given['l'] = options.given['l'] || options.given['n'];
    count = options.count ? options.count : 1;
    ls.titles = count > 1 || options.given['R'];
    operands = mem_new(count, sizeof(*operands));
    for (size_t i = 0; i < count; i++)
        find_operand(&ls, options.count ? options.operands[i] : none[0],
                     &operands[i]);
    qsort(operands, count, sizeof(*operands), by_name);
    list_operands(&ls, operands, count);
    for (size_t i = 0; i < count; i++)
        free(operands[i].path);
    free(operands);
    call_options_release(&options);
    return ls.status;
}
