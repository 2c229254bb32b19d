#include "tools/phone/files/file_mode.h"

#include <string.h>
#include <sys/stat.h>

#define ALL_BITS 07777U

static char type_letter(uint32_t mode)
{
    if (S_ISDIR(mode))
        return 'd';
    if (S_ISLNK(mode))
        return 'l';
    if (S_ISCHR(mode))
        return 'c';
    return '-';
}

void file_mode_letters(uint32_t mode, char letters[static FILE_MODE_SIZE])
{
    static const char rights[] = "rwxrwxrwx";

    letters[0] = type_letter(mode);
    for (unsigned i = 0; i < 9; i++)
        letters[i + 1] = (char)(mode >> (8 - i) & 1U ? rights[i] : '-');
    if (mode & S_ISUID)
        letters[3] = mode & S_IXUSR ? 's' : 'S';
    if (mode & S_ISGID)
        letters[6] = mode & S_IXGRP ? 's' : 'S';
    if (mode & S_ISVTX)
        letters[9] = mode & S_IXOTH ? 't' : 'T';
    letters[10] = '\0';
}

static bool change_to_number(const char *text, uint32_t *mode)
{
    uint32_t value = 0;

    for (; *text; text++) {
        if (*text < '0' || *text > '7' || value > ALL_BITS)
            return false;
        value = value * 8 + (uint32_t)(*text - '0');
    }
    if (value > ALL_BITS)
        return false;
    *mode = value;
    return true;
}

/* The bits of "ugoa"; none means all. */
static uint32_t take_who(const char **text)
{
    uint32_t who = 0;

    for (; **text && strchr("ugoa", **text); (*text)++) {
        who |= **text == 'u'   ? 04700U
               : **text == 'g' ? 02070U
               : **text == 'o' ? 01007U
                               : ALL_BITS;
    }
    return who ? who : ALL_BITS;
}

static uint32_t take_rights(const char **text, uint32_t mode)
{
    uint32_t rights = 0;

    for (; **text && strchr("rwxXst", **text); (*text)++) {
        switch (**text) {
        case 'r':
            rights |= 0444;
            break;
        case 'w':
            rights |= 0222;
            break;
        case 's':
            rights |= 06000;
            break;
        case 't':
            rights |= 01000;
            break;
        case 'X':
            rights |= S_ISDIR(mode) || mode & 0111 ? 0111 : 0;
            break;
        default:
            rights |= 0111;
            break;
        }
    }
    return rights;
}

/* One clause such as "go-w". */
static bool change_clause(const char **text, uint32_t *mode)
{
    uint32_t who = take_who(text);
    char sign = **text;
    uint32_t rights;

    if (!sign || !strchr("+-=", sign))
        return false;
    (*text)++;
    rights = take_rights(text, *mode) & who;
    if (sign == '=')
        *mode &= ~(who & ALL_BITS);
    if (sign == '-')
        *mode &= ~rights;
    else
        *mode |= rights;
    return true;
}

bool file_mode_change(const char *text, uint32_t *mode)
{
    uint32_t changed = *mode;

    if (*text >= '0' && *text <= '7')
        return change_to_number(text, mode);
    for (;;) {
        if (!change_clause(&text, &changed))
            return false;
        if (*text != ',')
            break;
        text++;
    }
    if (*text)
        return false;
    *mode = changed & ALL_BITS;
    return true;
}
