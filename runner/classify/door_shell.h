/*
 * Command lines as Android's shell reads them, and the items of the commands in
 * them. Nothing is run: a variable or substitution whose value is not in the
 * line itself makes a word unknown, and a condition makes what depends on it
 * uncertain.
 */
#ifndef RUNNER_CLASSIFY_DOOR_SHELL_H
#define RUNNER_CLASSIFY_DOOR_SHELL_H

#include "base/shell/sh_parse.h"
#include "runner/classify/door_private.h"

#define DOOR_LINE_MAX SH_TEXT_MAX
#define DOOR_WORDS_MAX 4096
#define DOOR_VARIABLES_MAX 32
#define DOOR_VALUE_MAX 1024

struct door_variable {
    char name[32];
    bool known;
    char value[DOOR_VALUE_MAX];
};

struct door_shell {
    struct door_context context;
    char folder[DOOR_PATH_MAX];
    struct door_variable variables[DOOR_VARIABLES_MAX];
    size_t variable_count;
    unsigned depth;
    unsigned commands;   /* so far: loops are limited */
    struct sh_span here; /* of the command: the here-document; or empty */
    bool has_here;
    bool reads_commands; /* a shell without a script: its input is one */
};

/* The words of a command; those that are not known are as typed. */
struct door_words {
    char **items; /* owned, each of them too */
    bool *known;  /* owned */
    size_t count;
};

/* A part of the words of a command, borrowed. */
struct door_args {
    char *const *words;
    const bool *known;
    size_t count;
};

/* A shell for one line or a whole session; context is copied. */
void door_shell_init(struct door_shell *shell,
                     const struct door_context *context);

/* Add the items of a script. *incomplete (may be NULL): more could follow. */
void door_shell_run(struct door_shell *shell, const char *text, size_t length);

/* Is the text a complete script? Broken ones are. */
bool door_shell_is_complete(const char *text, size_t length);

/* ---- door_words.c ---- */

/* The expansions of words. Commands that are substituted add their items. */
void door_words_expand(struct door_shell *shell, const struct sh_word *words,
                       struct door_words *expanded);
void door_words_release(struct door_words *words);

/* One word; the caller frees it. */
char *door_words_expand_one(struct door_shell *shell, struct sh_span text,
                            bool *known);

/* NULL: its value is not known. */
const char *door_shell_variable(const struct door_shell *shell,
                                const char *name, size_t length);
/* value NULL: it is not known. */
void door_shell_set(struct door_shell *shell, const char *name, size_t length,
                    const char *value);

/* Is this a place for files of tools? See door_files_is_temporary. */
bool door_shell_is_temporary(const struct door_shell *shell, const char *path);

/* ---- door_args ---- */

/* Without the first ones. */
struct door_args door_args_skip(struct door_args args, size_t count);
bool door_args_all_known(struct door_args args);

/* The word at an index, if it is there and known; NULL otherwise. */
const char *door_args_at(struct door_args args, size_t index);
bool door_args_is(struct door_args args, size_t index, const char *text);

/* A number from min to max, perhaps with a fraction, which is cut off. */
MUST_USE bool door_args_number(struct door_args args, size_t index, int min,
                               int max, int *number);

/* ---- commands: each gets the words behind its name ---- */

typedef void door_command_fn(struct door_shell *shell, struct door_args args);

/* door_commands.c: any command, by its name. */
void door_command_run(struct door_shell *shell, struct door_args args);

/* The same, with its name apart. */
void door_command_run_named(struct door_shell *shell, const char *name,
                            struct door_args args);

/* May a command with this name fail in ordinary use, as a test does? */
bool door_command_is_test(struct sh_span name);

door_command_fn door_input_run;
door_command_fn door_sendevent_run;
door_command_fn door_am_run;
door_command_fn door_monkey_run;
door_command_fn door_cmd_run;
door_command_fn door_pm_run;
door_command_fn door_content_run;
door_command_fn door_app_process_run;
door_command_fn door_screencap_run;
door_command_fn door_uiautomator_run;

/*
 * door_changes.c: the newest item is that of a command, which may change
 * something that can be restored.
 */
void door_note_change(struct door_shell *shell, const char *command,
                      struct door_args args);

/* door_files_commands.c */
door_command_fn door_cat_run;
door_command_fn door_file_change_run; /* rm, touch, chmod */
door_command_fn door_mkdir_run;
door_command_fn door_copy_run; /* cp, mv */
door_command_fn door_cd_run;

#endif
