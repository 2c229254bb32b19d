#include "tools/phone/toybox/cmd.h"

#include <stdio.h>
#include <string.h>

#include "tools/phone/shell/sh.h"
#include "tools/phone/toybox/toybox_names.h"

/* Content of the program files of commands. */
static const char elf[] = "\177ELF\2\1\1";

#define BIN "/system/bin"

void toybox_families(struct handset *handset,
                     struct command_family families[TOYBOX_FAMILIES])
{
    static const struct command_set none = {NULL, 0};
    const struct command_set *const sets[TOYBOX_FAMILIES] = {
        handset->android->toolbox ? &toolbox_commands : &none,
        &files_commands,
        &text_commands,
        &lines_commands,
        &filter_commands,
        &bytes_commands,
        &system_commands,
        &net_commands,
        &process_commands,
        &ip_commands,
        &toybox_commands,
        &awk_commands,
    };

    for (size_t i = 0; i < TOYBOX_FAMILIES; i++)
        families[i] = (struct command_family){sets[i], handset};
}

/* ---- /system/bin ---- */

struct installation {
    struct phone_files *root;
    const struct android_level *android;
    const struct command_family *families;
    size_t count;
};

/* Is it there already, or missing on this phone whatever families have it? */
static bool is_settled(const struct installation *installation,
                       const char *name, const char *path)
{
    struct files_stat ignored;
    int number;

    for (size_t i = 0; i < installation->count; i++) {
        const struct command_set *set = installation->families[i].set;

        for (size_t j = 0; j < set->count; j++) {
            if (strcmp(set->commands[j].name, name) != 0)
                continue;
            return !set->commands[j].run ||
                   files_stat(installation->root, path, false, &ignored,
                              &number);
        }
    }
    return false;
}

/* On old phones programs belong to the group of the shell. */
static bool add_program(const struct installation *installation,
                        const char *path, int *number)
{
    return files_append(installation->root, path, elf, sizeof(elf), 0755,
                        number) &&
           (!installation->android->toolbox ||
            files_set_owner(installation->root, path, 0, files_shell.gid,
                            number));
}

/* A program file, or a link to the program that is many commands at once. */
static bool install_one(const struct installation *installation,
                        const char *name, int *number)
{
    const char *all = installation->android->toolbox ? "toolbox" : "toybox";
    char path[128];

    snprintf(path, sizeof(path), BIN "/%.100s", name);
    if (is_settled(installation, name, path))
        return true;
    return toybox_has(name) ? files_link(installation->root, all, path, number)
                            : add_program(installation, path, number);
}

bool toybox_install(struct phone_files *root,
                    const struct android_level *android,
                    const struct command_family *families, size_t count,
                    int *number)
{
    const struct installation installation = {root, android, families, count};
    bool done = files_set_area(root, BIN, FILES_PLAIN, number);

    for (size_t i = 0; done && i < count; i++) {
        const struct command_set *set = families[i].set;

        for (size_t j = 0; done && j < set->count; j++)
            done = install_one(&installation, set->commands[j].name, number);
    }
    for (size_t i = 0; done && i < sh_file_count; i++)
        done = install_one(&installation, sh_files[i], number);
    return done && files_set_area(root, BIN, FILES_READ_ONLY, number);
}
