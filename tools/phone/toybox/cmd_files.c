/* Commands that change the file tree. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tools/phone/files/file_mode.h"
#include "tools/phone/system/handset.h"
#include "tools/phone/toybox/cmd.h"

/* Applied to one path. False, with an errno value, on failure. */
typedef bool change_fn(struct command_call *call,
                       const struct command_options *options, const char *path,
                       int *number);

/* Some of toybox's commands quote a name in messages. */
static int fail_on(struct command_call *call, const char *name, int number)
{
    const char *command = call->command->name;

    if (!strcmp(command, "mkdir") || !strcmp(command, "touch"))
        return call_fail(call, "'%.400s': %s", name, files_reason(number));
    return call_fail_path(call, name, number);
}

static int change_each(struct command_call *call,
                       const struct command_options *options, size_t first,
                       change_fn *change)
{
    int status = 0;

    if (options->count <= first)
        return call_needs(call, (unsigned)first + 1, 1);
    for (size_t i = first; i < options->count; i++) {
        char *path = call_path(call, options->operands[i]);
        int number = ENAMETOOLONG;

        if (!path || !change(call, options, path, &number))
            status = fail_on(call, options->operands[i], number);
        free(path);
    }
    return status;
}

/* ---- rm and rmdir ---- */

static bool remove_one(struct command_call *call,
                       const struct command_options *options, const char *path,
                       int *number)
{
    bool recursive = options->given['r'] || options->given['R'];
    struct files_stat stat;

    if (!files_stat(call->files, path, false, &stat, number))
        return options->given['f'] && (*number == ENOENT || *number == ENOTDIR);
    if (S_ISDIR(stat.mode) && !recursive) {
        *number = EISDIR;
        return false;
    }
    return files_remove(call->files, path, recursive, number);
}

static int run_rm(struct command_call *call)
{
    struct command_options options;
    int status;

    if (!call_options(call, "Rfirv", &options, &status))
        return status;
    if (options.count || !options.given['f'])
        status = change_each(call, &options, 0, remove_one);
    call_options_release(&options);
    return status;
}

static bool remove_directory(struct command_call *call,
                             const struct command_options *options,
                             const char *path, int *number)
{
    struct files_stat stat;

    (void)options;
    if (!files_stat(call->files, path, false, &stat, number))
        return false;
    *number = ENOTDIR;
    return S_ISDIR(stat.mode) && files_remove(call->files, path, false, number);
}

static int run_rmdir(struct command_call *call)
{
    struct command_options options;
    int status;

    if (!call_options(call, "", &options, &status))
        return status;
    status = change_each(call, &options, 0, remove_directory);
    call_options_release(&options);
    return status;
}

/* ---- mkdir, touch and chmod ---- */

static bool make_directory(struct command_call *call,
                           const struct command_options *options,
                           const char *path, int *number)
{
    uint32_t mode = 0777;

    if (options->values['m'] &&
        !file_mode_change(options->values['m'], &mode)) {
        *number = EINVAL;
        return false;
    }
    return files_make_directory(call->files, path, mode, options->given['p'],
                                number);
}

static int run_mkdir(struct command_call *call)
{
    struct command_options options;
    int status;

    if (!call_options(call, "m:pv", &options, &status))
        return status;
    status = change_each(call, &options, 0, make_directory);
    call_options_release(&options);
    return status;
}

static bool touch_one(struct command_call *call,
                      const struct command_options *options, const char *path,
                      int *number)
{
    struct handset *handset = call->context;
    struct files_stat stat;

    if (files_stat(call->files, path, true, &stat, number))
        return files_set_time(call->files, path, true,
                              virtual_clock_now(&handset->clock), number);
    if (*number != ENOENT || options->given['c'])
        return *number == ENOENT;
    return files_append(call->files, path, NULL, 0, 0666, number);
}

static int run_touch(struct command_call *call)
{
    struct command_options options;
    int status;

    if (!call_options(call, "acm", &options, &status))
        return status;
    status = change_each(call, &options, 0, touch_one);
    call_options_release(&options);
    return status;
}

static bool change_mode(struct command_call *call,
                        const struct command_options *options, const char *path,
                        int *number)
{
    struct files_stat stat;
    uint32_t mode;

    if (!files_stat(call->files, path, true, &stat, number))
        return false;
    mode = stat.mode;
    (void)!file_mode_change(options->operands[0],
                            &mode); /* valid: run_chmod checked it */
    return files_set_mode(call->files, path, mode & 07777U, number);
}

static int run_chmod(struct command_call *call)
{
    struct command_options options;
    uint32_t mode = 0;
    int status;

    if (!call_options(call, "Rfv", &options, &status))
        return status;
    if (options.count && !file_mode_change(options.operands[0], &mode))
        status = call_fail(call, "bad mode '%.100s'", options.operands[0]);
    else
        status = change_each(call, &options, 1, change_mode);
    call_options_release(&options);
    return status;
}

/* ---- cp, mv and ln ---- */

/* A source and a destination path. */
typedef bool transfer_fn(struct command_call *call,
                         const struct command_options *options,
                         const char *from, const char *to, int *number);

static const char *last_name(const char *path, size_t *length)
{
    size_t end = strlen(path);
    size_t begin;

    while (end > 1 && path[end - 1] == '/')
        end--;
    begin = end;
    while (begin && path[begin - 1] != '/')
        begin--;
    *length = end - begin;
    return path + begin;
}

/* The destination of name: in the directory to, or to itself. */
static char *landing(struct command_call *call, const char *name,
                     const char *to, bool into)
{
    size_t length;
    const char *last = last_name(name, &length);
    size_t size = strlen(to) + length + 2;
    char *joined;
    char *path;

    if (!into)
        return call_path(call, to);
    joined = mem_new(size, 1);
    snprintf(joined, size, "%s/%.*s", to, (int)length, last);
    path = call_path(call, joined);
    free(joined);
    return path;
}

static bool is_directory(struct command_call *call, const char *name)
{
    char *path = call_path(call, name);
    struct files_stat stat;
    int number;
    bool is = path && files_stat(call->files, path, true, &stat, &number) &&
              S_ISDIR(stat.mode);

    free(path);
    return is;
}

static int transfer_each(struct command_call *call,
                         const struct command_options *options,
                         transfer_fn *transfer)
{
    size_t count = options->count - 1;
    const char *to;
    bool into;
    int status = 0;

    if (options->count < 2)
        return call_needs(call, options->count ? 2 : 1, 1);
    to = options->operands[count];
    into = is_directory(call, to) && !options->given['T'];
    if (count > 1 && !into)
        return call_fail(call, "'%.400s' not directory", to);
    for (size_t i = 0; i < count; i++) {
        const char *name = options->operands[i];
        char *from = call_path(call, name);
        char *path = landing(call, name, to, into);
        int number = ENAMETOOLONG;

        if (!from || !path || !transfer(call, options, from, path, &number))
            status =
                call_fail(call, "bad '%.400s': %s", name, files_reason(number));
        free(from);
        free(path);
    }
    return status;
}

static bool copy_one(struct command_call *call,
                     const struct command_options *options, const char *from,
                     const char *to, int *number)
{
    const bool *given = options->given;
    const struct files_copying how = {
        .recursive = given['r'] || given['R'] || given['a'],
        .keep = given['p'] || given['a'],
    };

    return files_copy(call->files, from, to, how, number);
}

static int run_cp(struct command_call *call)
{
    struct command_options options;
    int status;

    if (!call_options(call, "RTafprv", &options, &status))
        return status;
    status = transfer_each(call, &options, copy_one);
    call_options_release(&options);
    return status;
}

static bool move_one(struct command_call *call,
                     const struct command_options *options, const char *from,
                     const char *to, int *number)
{
    (void)options;
    return files_rename(call->files, from, to, number);
}

static int run_mv(struct command_call *call)
{
    struct command_options options;
    int status;

    if (!call_options(call, "Tfinv", &options, &status))
        return status;
    status = transfer_each(call, &options, move_one);
    call_options_release(&options);
    return status;
}

/* The target is stored as typed; there are no hard links. */
static int run_ln(struct command_call *call)
{
    struct command_options options;
    char *path = NULL;
    int number = ENAMETOOLONG;
    int status;

    if (!call_options(call, "fnsv", &options, &status))
        return status;
    if (options.count < 1 || options.count > 2) {
        status = call_needs(call, 1, 1);
    } else if (!options.given['s']) {
        status = call_fail_path(call, options.operands[0], EPERM);
    } else {
        const char *to = options.count > 1 ? options.operands[1] : ".";

        path = landing(call, options.operands[0], to, is_directory(call, to));
        if (path && options.given['f'] &&
            !files_remove(call->files, path, false, &number))
            number = 0; /* there was none */
        status = !path ||
                 !files_link(call->files, options.operands[0], path, &number);
        if (status)
            call_fail_path(call, to, number);
    }
    free(path);
    call_options_release(&options);
    return status;
}

/* ---- names ---- */

static bool print_link(struct command_call *call,
                       const struct command_options *options, const char *path,
                       int *number)
{
    struct shared_bytes *target;
    char *real;

    if (options->given['f'] || options->given['e']) {
        if (!files_real_path(call->files, path, &real, number))
            return false;
        call_print(call, "%s\n", real);
        free(real);
        return true;
    }
    if (!files_read_link(call->files, path, &target, number))
        return false;
    call_write_line(call, (const char *)target->data, target->size);
    shared_bytes_drop(target);
    return true;
}

/* For a file that is no link only the status says so. */
static int run_readlink(struct command_call *call)
{
    struct command_options options;
    int status;

    if (!call_options(call, "efn", &options, &status))
        return status;
    for (size_t i = 0; i < options.count; i++) {
        char *path = call_path(call, options.operands[i]);
        int number;

        if (!path || !print_link(call, &options, path, &number))
            status = 1;
        free(path);
    }
    call_options_release(&options);
    return status;
}

static bool print_real_path(struct command_call *call,
                            const struct command_options *options,
                            const char *path, int *number)
{
    struct files_stat stat;
    char *real;

    (void)options;
    if (!files_stat(call->files, path, true, &stat, number) ||
        !files_real_path(call->files, path, &real, number))
        return false;
    call_print(call, "%s\n", real);
    free(real);
    return true;
}

static int run_realpath(struct command_call *call)
{
    struct command_options options;
    int status;

    if (!call_options(call, "", &options, &status))
        return status;
    status = change_each(call, &options, 0, print_real_path);
    call_options_release(&options);
    return status;
}

static int run_basename(struct command_call *call)
{
    const char *name;
    size_t length;
    size_t suffix;

    if (call->argc < 2)
        return call_needs(call, 1, 1);
    name = last_name(call->argv[1], &length);
    suffix = call->argc > 2 ? strlen(call->argv[2]) : 0;
    if (suffix && suffix < length &&
        !strncmp(name + length - suffix, call->argv[2], suffix))
        length -= suffix;
    call_write_line(call, name, length);
    return 0;
}

static int run_dirname(struct command_call *call)
{
    const char *name;
    size_t length;

    if (call->argc < 2)
        return call_needs(call, 1, 1);
    name = last_name(call->argv[1], &length);
    length = (size_t)(name - call->argv[1]);
    while (length > 1 && call->argv[1][length - 1] == '/')
        length--;
    if (length)
        call_write_line(call, call->argv[1], length);
    else
        call_print(call, ".\n");
    return 0;
}

static const struct phone_command commands[] = {
    {"basename", run_basename, "NAME [SUFFIX]"},
    {"chmod", run_chmod, "MODE FILE..."},
    {"cp", run_cp, "[-RTafpr] SOURCE... DEST"},
    {"dd", do_dd, "[if=FILE] [of=FILE] [bs=N] [count=N] [skip=N] [seek=N]"},
    {"df", do_df, "[-Hhk] [FILE]"},
    {"dirname", run_dirname, "NAME"},
    {"du", do_du, "[-Lachkms] [-d DEPTH] [FILE...]"},
    {"find", do_find,
     "[DIR...] [-name PATTERN] [-type fdl] [-maxdepth N] [-print0]"},
    {"ln", run_ln, "-s [-f] TARGET [NAME]"},
    {"ls", do_ls, "[-1AFLRSZadhilnprst] [FILE...]"},
    {"mkdir", run_mkdir, "[-p] [-m MODE] DIR..."},
    {"mv", run_mv, "[-Tfn] SOURCE... DEST"},
    {"readlink", run_readlink, "[-ef] FILE..."},
    {"realpath", run_realpath, "FILE..."},
    {"rm", run_rm, "[-Rfr] FILE..."},
    {"rmdir", run_rmdir, "DIR..."},
    {"stat", do_stat, "[-L] [-c FORMAT] FILE..."},
    {"touch", run_touch, "[-acm] FILE..."},
};

const struct command_set files_commands = {commands, ARRAY_LEN(commands)};
