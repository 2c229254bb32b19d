/* Changes by commands that can be restored by the name of what changed. */
#include <stdio.h>
#include <string.h>

#include "runner/classify/door_shell.h"

/* `settings [--user N] put NAMESPACE KEY VALUE`, `settings delete ...` */
static void note_setting(struct door_shell *shell, struct door_args args)
{
    char name[DOOR_PATH_MAX];
    const char *space = door_args_at(args, 1);
    const char *key = door_args_at(args, 2);
    int length =
        space && key ? snprintf(name, sizeof(name), "%s %s", space, key) : 0;

    if ((door_args_is(args, 0, "put") || door_args_is(args, 0, "delete")) &&
        length > 0 && (size_t)length < sizeof(name))
        door_record_change(&shell->context, DOOR_SETS, name);
}

/* `ime enable ID`, `ime set ID` */
static void note_keyboard(struct door_shell *shell, struct door_args args)
{
    const char *keyboard = door_args_at(args, 1);

    if (keyboard &&
        (door_args_is(args, 0, "enable") || door_args_is(args, 0, "set")))
        door_record_change(&shell->context, DOOR_USES_KEYBOARD, keyboard);
}

void door_note_change(struct door_shell *shell, const char *command,
                      struct door_args args)
{
    if (door_args_is(args, 0, "--user"))
        args = door_args_skip(args, 2);
    if (!strcmp(command, "settings"))
        note_setting(shell, args);
    else if (!strcmp(command, "ime"))
        note_keyboard(shell, args);
}
