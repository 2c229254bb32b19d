/* read. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tools/phone/shell/sh_builtins.h"

#define BYTES_IN_A_STEP 64U

/* Read byte n; false at the end, or when the command must end. */
static bool read_byte(struct command_call *call, size_t n, char *byte)
{
    size_t got;

    if (n % BYTES_IN_A_STEP == 0 && !call_step(call))
        return false;
    return sh_in_read(call->ports.in, byte, 1, &got) && got;
}

/* Read byte by byte: the next command reads what follows the line. */
static bool read_line(struct command_call *call, bool raw, size_t most,
                      struct buf *line)
{
    char byte = 0;

    for (size_t n = 1; n <= most; n++) {
        if (!read_byte(call, n, &byte))
            return false;
        if (byte == '\n')
            return true;
        if (byte == '\\' && !raw) {
            if (!read_byte(call, n, &byte))
                return false;
            if (byte == '\n')
                continue;
        }
        if (byte)
            buf_byte(line, byte);
    }
    return true;
}

static char *cut_blanks(char *text)
{
    size_t length;

    text += strspn(text, " \t");
    length = strlen(text);
    while (length && strchr(" \t", text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* One word per name; the last name gets the rest. */
static int share_out(struct command_call *call, char **names, size_t count,
                     char *text)
{
    char reply[] = "REPLY";
    char *none[] = {reply};
    int status = 0;

    if (!count) {
        names = none;
        count = 1;
    }
    text = cut_blanks(text);
    for (size_t i = 0; i < count; i++) {
        char *word = text;

        if (i + 1 < count) {
            text += strcspn(text, " \t");
            if (*text)
                *text++ = '\0';
            text += strspn(text, " \t");
        }
        if (sh_name_length(names[i], strlen(names[i])) != strlen(names[i]) ||
            !sh_vars_set(&call->shell->vars, names[i], word))
            status = sh_builtin_fail(call, names[i], "is not an identifier");
    }
    return status;
}

int sh_builtin_read(struct command_call *call)
{
    struct buf line = BUF_INIT(SH_VARS_BYTES_MAX);
    struct command_options options;
    long long most = LLONG_MAX;
    char *text;
    bool whole;
    int status;

    if (!call_options(call, "n:p:rsu:t:", &options, &status))
        return status;
    if (options.values['n'] &&
        !call_number(call, options.values['n'], 1, SH_VARS_BYTES_MAX, &most)) {
        call_options_release(&options);
        return 2;
    }
    whole = read_line(call, options.given['r'], (size_t)most, &line);
    text = mem_dup(buf_cstr(&line));
    status = share_out(call, options.operands, options.count, text);
    free(text);
    buf_release(&line);
    call_options_release(&options);
    return whole ? status : 1;
}
