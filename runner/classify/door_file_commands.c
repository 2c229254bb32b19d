/* Commands about the phone's files. */
#include <string.h>

#include "base/name_table.h"
#include "runner/classify/door_shell.h"

bool door_shell_is_temporary(const struct door_shell *shell, const char *path)
{
    char normal[DOOR_PATH_MAX];

    return door_files_normalise(shell->folder, path, normal) &&
           door_files_is_temporary(&shell->context.classifier->files, normal);
}

/* Options aside. */
static bool is_path(const char *word)
{
    return word[0] != '-' || !word[1];
}

/* The output is written to a file, which is no longer what it was. */
static bool writes_to(struct door_shell *shell)
{
    const char *file = shell->context.output;
    char normal[DOOR_PATH_MAX];

    if (!file)
        return false;
    if (door_shell_is_temporary(shell, file)) {
        if (door_files_normalise(shell->folder, file, normal))
            door_files_forget(&shell->context.classifier->files, normal);
        door_record_read(&shell->context);
    } else {
        door_record_raw(&shell->context, EFFECT_FILE);
    }
    return true;
}

/* Reading a screenshot or tree brings it; other files are just read. */
void door_cat_run(struct door_shell *shell, struct door_args args)
{
    const struct door_files *files = &shell->context.classifier->files;
    bool read = false;

    if (writes_to(shell))
        return;
    for (size_t i = 0; i < args.count; i++) {
        char normal[DOOR_PATH_MAX];
        const struct door_file *file = NULL;

        if (args.known[i] &&
            door_files_normalise(shell->folder, args.words[i], normal))
            file = door_files_find(files, normal);
        if (file)
            door_record_file_read(&shell->context, file);
        read = read || file;
    }
    if (!read)
        door_record_read(&shell->context);
}

static bool are_temporary(struct door_shell *shell, struct door_args args)
{
    for (size_t i = 0; i < args.count; i++) {
        if (is_path(args.words[i]) &&
            (!args.known[i] || !door_shell_is_temporary(shell, args.words[i])))
            return false;
    }
    return true;
}

/* Modes and owners stand before the paths. */
static struct door_args paths_of(struct door_shell *shell,
                                 struct door_args args)
{
    bool has_mode = !strncmp(shell->context.command, "chmod ", 6) ||
                    !strncmp(shell->context.command, "chown ", 6);

    while (has_mode && args.count && args.words[0][0] == '-')
        args = door_args_skip(args, 1);
    return has_mode ? door_args_skip(args, 1) : args;
}

void door_file_change_run(struct door_shell *shell, struct door_args args)
{
    struct door_files *files = &shell->context.classifier->files;
    bool temporary = are_temporary(shell, paths_of(shell, args));

    for (size_t i = 0; i < args.count; i++) {
        char normal[DOOR_PATH_MAX];

        if (args.known[i] &&
            door_files_normalise(shell->folder, args.words[i], normal))
            door_files_forget(files, normal);
    }
    if (temporary)
        door_record_read(&shell->context);
    else
        door_record_raw(&shell->context, EFFECT_FILE);
}

/* Folders that every phone has: programs make sure of them. */
void door_mkdir_run(struct door_shell *shell, struct door_args args)
{
    static const char *const folders[] = {"/", "/data", "/data/local",
                                          "/sdcard", "/storage/emulated/0"};

    for (size_t i = 0; i < args.count; i++) {
        char normal[DOOR_PATH_MAX];

        if (is_path(args.words[i]) &&
            !(args.known[i] &&
              door_files_normalise(shell->folder, args.words[i], normal) &&
              NAME_TABLE_HAS(folders, normal))) {
            door_file_change_run(shell, args);
            return;
        }
    }
    door_record_read(&shell->context);
}

/* A screenshot that is copied can be read from both places. */
void door_copy_run(struct door_shell *shell, struct door_args args)
{
    struct door_files *files = &shell->context.classifier->files;
    bool temporary = are_temporary(shell, args);
    const struct door_file *file = NULL;
    struct door_file copy;
    char from[DOOR_PATH_MAX];

    if (args.count >= 2 && door_args_all_known(args) &&
        door_files_normalise(shell->folder, args.words[args.count - 2], from))
        file = door_files_find(files, from);
    if (file) {
        copy = *file;
        if (door_files_normalise(shell->folder, args.words[args.count - 1],
                                 copy.path))
            door_files_put(files, &copy);
    }
    if (temporary || (file && door_shell_is_temporary(shell, copy.path)))
        door_record_read(&shell->context);
    else
        door_record_raw(&shell->context, EFFECT_FILE);
}

void door_cd_run(struct door_shell *shell, struct door_args args)
{
    const char *to = args.count ? door_args_at(args, 0) : "/";
    char normal[DOOR_PATH_MAX];

    if (to && door_files_normalise(shell->folder, to, normal))
        memcpy(shell->folder, normal, sizeof(normal));
    door_record_read(&shell->context);
}
