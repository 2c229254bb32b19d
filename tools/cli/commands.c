/* All commands there are. */
#include "tools/cli/cmd.h"

/* clang-format off */
const struct command *const commands[] = {
    &cmd_doctor,
    &cmd_selftest,
    &cmd_devices,
    &cmd_connect,
    &cmd_disconnect,
    &cmd_pair,
    &cmd_shell,
    &cmd_push,
    &cmd_pull,
    &cmd_ls,
    &cmd_install,
    &cmd_shot,
    &cmd_raw,
    &cmd_forward,
    &cmd_reverse,
    &cmd_reboot,
    &cmd_root,
    &cmd_unroot,
    &cmd_tcpip,
    &cmd_parse,
    &cmd_tree,
    &cmd_describe,
    &cmd_screendiff,
    &cmd_process,
    &cmd_judge,
    &cmd_check,
    &cmd_phone,
    &cmd_help,
    &cmd_completion,
    &cmd_man,
    NULL,
};
/* clang-format on */
