#include "runner/device/input_command.h"

#include "adb/services/input_permission.h"
#include "adb/services/shell.h"

#define ANSWER_MAX ((size_t)1 << 20)

bool input_command_run(struct device *device, const char *command,
                       struct deadline by, struct err *err)
{
    struct shell_result result;
    enum input_permission answer;
    char words[120];

    if (!shell_run(device, command, ANSWER_MAX, by, &result, err))
        return false;
    answer = input_permission_parse(&result);
    shell_result_words(&result, words, sizeof(words));
    shell_result_release(&result);
    switch (answer) {
    case INPUT_PERMISSION_ALLOWED:
        return true;
    case INPUT_PERMISSION_FORBIDDEN:
        return err_set(err, ERR_DENIED,
                       "the phone does not allow input over ADB: %s",
                       input_permission_advice);
    case INPUT_PERMISSION_MISSING:
        return err_set(err, ERR_UNSUPPORTED, "the phone has no `input`");
    case INPUT_PERMISSION_FAILED:
        break;
    }
    return err_set(err, ERR_REMOTE, "the phone rejected the input: %s", words);
}
