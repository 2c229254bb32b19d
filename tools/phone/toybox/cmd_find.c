/* find: files below a directory that pass all tests. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tools/phone/files/glob.h"
#include "tools/phone/toybox/cmd.h"

struct find {
    struct command_call *call;
    const char *name; /* a file name pattern; NULL: any */
    bool ignore_case;
    char type; /* 'f', 'd', 'l'; 0: any */
    long long least;
    long long most;
    char end; /* the end of each line */
    int status;
};

static char *lowered(const char *text)
{
    char *copy = mem_dup(text);

    for (char *at = copy; *at; at++) {
        if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at | 0x20);
    }
    return copy;
}

static bool name_fits(const struct find *find, const char *title)
{
    const char *slash = strrchr(title, '/');
    const char *name = slash && slash[1] ? slash + 1 : title;
    char *low_name;
    char *low_pattern;
    bool fits;

    if (!find->name)
        return true;
    if (!find->ignore_case)
        return glob_match(find->name, name);
    low_name = lowered(name);
    low_pattern = lowered(find->name);
    fits = glob_match(low_pattern, low_name);
    free(low_name);
    free(low_pattern);
    return fits;
}

static bool type_fits(const struct find *find, uint32_t mode)
{
    switch (find->type) {
    case 'f':
        return S_ISREG(mode);
    case 'd':
        return S_ISDIR(mode);
    case 'l':
        return S_ISLNK(mode);
    default:
        return true;
    }
}

/* path is absolute, title as it was typed. */
static void visit(struct find *find, const char *path, const char *title,
                  const struct files_stat *stat, long long depth)
{
    struct files_list list = FILES_LIST_INIT;
    int number;

    if (!call_step(find->call))
        return;
    if (depth >= find->least && type_fits(find, stat->mode) &&
        name_fits(find, title)) {
        call_write(find->call, title, strlen(title));
        call_write(find->call, &find->end, 1);
    }
    if (!S_ISDIR(stat->mode) || depth >= find->most)
        return;
    if (!files_list(find->call->files, path, &list, &number)) {
        find->status = call_fail_path(find->call, title, number);
        return;
    }
    for (size_t i = 0; i < list.count && !find->call->ended; i++) {
        char *inner = cmd_join_path(path, list.entries[i].name);
        char *inner_title = cmd_join_path(title, list.entries[i].name);

        visit(find, inner, inner_title, &list.entries[i].stat, depth + 1);
        free(inner);
        free(inner_title);
    }
    files_list_release(&list);
}

static void visit_operand(struct find *find, const char *name)
{
    char *path = call_path(find->call, name);
    struct files_stat stat;
    int number = ENAMETOOLONG;

    if (path && files_stat(find->call->files, path, false, &stat, &number))
        visit(find, path, name, &stat, 0);
    else
        find->status = call_fail_path(find->call, name, number);
    free(path);
}

/*
 * Parse one test and move *at to its last argument. False, with a message, on
 * failure.
 */
static bool read_test(struct find *find, size_t *at)
{
    struct command_call *call = find->call;
    const char *word = call->argv[*at];
    const char *value = call->argv[*at + 1];

    if (!strcmp(word, "-print"))
        return true;
    if (!strcmp(word, "-print0")) {
        find->end = '\0';
        return true;
    }
    if (!value) {
        call_fail(call, "'%.100s' needs 1 arg", word);
        return false;
    }
    ++*at;
    if (!strcmp(word, "-name") || !strcmp(word, "-iname")) {
        find->name = value;
        find->ignore_case = word[1] == 'i';
        return true;
    }
    if (!strcmp(word, "-type") && *value && strchr("fdl", *value)) {
        find->type = *value;
        return true;
    }
    if (!strcmp(word, "-maxdepth"))
        return call_number(call, value, 0, FILES_DEPTH_MAX, &find->most);
    if (!strcmp(word, "-mindepth"))
        return call_number(call, value, 0, FILES_DEPTH_MAX, &find->least);
    call_fail(call, "bad arg '%.100s'", word);
    return false;
}

int do_find(struct command_call *call)
{
    struct find find = {.call = call, .most = FILES_DEPTH_MAX, .end = '\n'};
    size_t tests = 1;

    while (tests < call->argc && call->argv[tests][0] != '-')
        tests++;
    for (size_t i = tests; i < call->argc; i++) {
        if (!read_test(&find, &i))
            return 1;
    }
    if (tests == 1)
        visit_operand(&find, ".");
    for (size_t i = 1; i < tests && !call->ended; i++)
        visit_operand(&find, call->argv[i]);
    return find.status;
}
