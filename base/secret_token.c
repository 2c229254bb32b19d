#include "base/secret_token.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define BLANKS " \t\r\n"
#define LETTERS 16

bool secret_token_make(struct secret_token *token, struct err *err)
{
    /* They need no quoting in an address, a header or a cookie. */
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz0123456789-_";
    unsigned char random[LETTERS];

    if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
        return err_errno(err, errno, "making a token");
    *token = (struct secret_token){.text = ""};
    for (size_t i = 0; i < sizeof(random); i++)
        token->text[i] = letters[random[i] % 64];
    return true;
}

/* Another process may do the same: the first one's token is everyone's. */
static bool put_there(const struct secret_token *token, const char *path,
                      struct err *err)
{
    struct file file = FILE_INIT;
    bool done;

    if (!file_begin(&file, path, 0600, err))
        return false;
    done = file_write(file.fd, token->text, strlen(token->text), err) &&
           (!link(file.part, path) || errno == EEXIST ||
            err_errno(err, errno, "make %.200s", path));
    file_abandon(&file);
    return done;
}

bool secret_token_load(struct secret_token *token, const char *path,
                       struct err *err)
{
    struct buf text = BUF_INIT(SECRET_TOKEN_SIZE - 1);
    struct stat facts;

    if (stat(path, &facts) && errno == ENOENT &&
        (!secret_token_make(token, err) || !put_there(token, path, err)))
        return false;
    if (stat(path, &facts))
        return err_errno(err, errno, "the token in %.200s", path);
    if (facts.st_mode & 077)
        return err_set(
            err, ERR_INVALID,
            "others may read the token in %.150s; run chmod 600 on it", path);
    if (!file_load(path, &text, err)) {
        buf_release(&text);
        return false;
    }
    *token = (struct secret_token){.text = ""};
    snprintf(token->text, sizeof(token->text), "%.*s",
             (int)strcspn(buf_cstr(&text), BLANKS), buf_cstr(&text));
    buf_release(&text);
    return true;
}

bool secret_token_equal(const struct secret_token *token, const char *given)
{
    char padded[SECRET_TOKEN_SIZE] = {0};
    unsigned differ = strlen(given) >= sizeof(padded);

    snprintf(padded, sizeof(padded), "%s", given);
    for (size_t i = 0; i < sizeof(padded); i++)
        differ |= (unsigned char)padded[i] ^ (unsigned char)token->text[i];
    return !differ;
}
