/* du: disk usage of files, in KiB. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/phone/toybox/cmd.h"

#define BLOCK 4096U

struct du {
    struct command_call *call;
    const struct command_options *options;
    long long depth_most;
    int status;
};

static void print_size(struct du *du, uint64_t kib, const char *name)
{
    static const char units[] = "KMGT";
    double size = (double)kib;
    size_t unit = 0;

    if (du->options->given['h']) {
        while (size >= 1000 && unit < 3) {
            size /= 1024;
            unit++;
        }
        call_print(du->call, "%.*f%c\t%s\n", size < 10, size, units[unit],
                   name);
    } else if (du->options->given['m']) {
        call_print(du->call, "%llu\t%s\n",
                   (unsigned long long)((kib + 1023) / 1024), name);
    } else {
        call_print(du->call, "%llu\t%s\n", (unsigned long long)kib, name);
    }
}

/* path is absolute, title as it was typed. */
static uint64_t visit(struct du *du, const char *path, const char *title,
                      const struct files_stat *stat, long long depth)
{
    const bool *given = du->options->given;
    struct files_list list = FILES_LIST_INIT;
    uint64_t kib = S_ISDIR(stat->mode)
                       ? BLOCK / 1024
                       : (stat->size + BLOCK - 1) / BLOCK * (BLOCK / 1024);
    int number;

    if (!call_step(du->call))
        return 0;
    if (S_ISDIR(stat->mode) &&
        !files_list(du->call->files, path, &list, &number))
        du->status = call_fail_path(du->call, title, number);
    for (size_t i = 0; i < list.count && !du->call->ended; i++) {
        char *inner = cmd_join_path(path, list.entries[i].name);
        char *inner_title = cmd_join_path(title, list.entries[i].name);

        kib += visit(du, inner, inner_title, &list.entries[i].stat, depth + 1);
        free(inner);
        free(inner_title);
    }
    files_list_release(&list);
    if (depth <= du->depth_most && !(given['s'] && depth) &&
        (S_ISDIR(stat->mode) || given['a'] || !depth))
        print_size(du, kib, title);
    return kib;
}

static uint64_t visit_operand(struct du *du, const char *name)
{
    char *path = call_path(du->call, name);
    struct files_stat stat;
    int number = ENAMETOOLONG;
    uint64_t kib = 0;

    if (path && (files_stat(du->call->files, path, du->options->given['L'],
                            &stat, &number)))
        kib = visit(du, path, name, &stat, 0);
    else
        du->status = call_fail_path(du->call, name, number);
    free(path);
    return kib;
}

int do_du(struct command_call *call)
{
    struct command_options options;
    struct du du = {.call = call, .options = &options};
    uint64_t total = 0;
    int status;

    if (!call_options(call, "HKLabcd:hkmsx", &options, &status))
        return status;
    du.depth_most = FILES_DEPTH_MAX;
    if (options.values['d'] && !call_number(call, options.values['d'], 0,
                                            FILES_DEPTH_MAX, &du.depth_most)) {
        call_options_release(&options);
        return 1;
    }
    if (!options.count)
        total = visit_operand(&du, ".");
    for (size_t i = 0; i < options.count && !call->ended; i++)
        total += visit_operand(&du, options.operands[i]);
    if (options.given['c'])
        print_size(&du, total, "total");
    call_options_release(&options);
    return du.status;
}
