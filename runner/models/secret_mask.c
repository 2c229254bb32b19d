#include "runner/models/secret_mask.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"

void secret_mask_init(struct secret_mask *mask)
{
    *mask = (struct secret_mask){.count = 0};
    pthread_mutex_init(&mask->lock, NULL);
}

void secret_mask_release(struct secret_mask *mask)
{
    for (size_t i = 0; i < mask->count; i++) {
        explicit_bzero(mask->secrets[i], strlen(mask->secrets[i]));
        free(mask->secrets[i]);
    }
    mask->count = 0;
    pthread_mutex_destroy(&mask->lock);
}

static bool has(const struct secret_mask *mask, const char *secret)
{
    for (size_t i = 0; i < mask->count; i++) {
        if (!strcmp(mask->secrets[i], secret))
            return true;
    }
    return false;
}

/* Longest first, so that no rest of a longer secret stays. */
static void insert(struct secret_mask *mask, const char *secret)
{
    size_t at = mask->count++;

    while (at > 0 && strlen(mask->secrets[at - 1]) < strlen(secret)) {
        mask->secrets[at] = mask->secrets[at - 1];
        at--;
    }
    mask->secrets[at] = mem_dup(secret);
}

void secret_mask_add(struct secret_mask *mask, const char *secret)
{
    pthread_mutex_lock(&mask->lock);
    if (secret && strlen(secret) >= SECRET_MASK_SHORTEST &&
        !has(mask, secret) && mask->count < SECRET_MASK_SECRETS_MAX)
        insert(mask, secret);
    pthread_mutex_unlock(&mask->lock);
}

/* ---- the environment ---- */

static bool sounds_secret(const char *name, size_t length)
{
    static const char *const words[] = {"KEY",      "TOKEN",  "SECRET",
                                        "PASSWORD", "PASSWD", "CREDENTIAL"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        const char *found = strcasestr(name, words[i]);

        if (found && (size_t)(found - name) < length)
            return true;
    }
    return false;
}

void secret_mask_add_environment(struct secret_mask *mask)
{
    for (size_t i = 0; environ[i]; i++) {
        size_t length = strcspn(environ[i], "=");

        if (environ[i][length] && sounds_secret(environ[i], length))
            secret_mask_add(mask, environ[i] + length + 1);
    }
}

/* ---- escaped characters ---- */

struct text {
    const char *bytes;
    size_t length;
};

/*
 * The value of this many hexadecimal digits at at; false: they are not there.
 */
static bool read_hex(struct text text, size_t at, size_t digits,
                     uint32_t *value)
{
    uint32_t sum = 0;

    if (at + digits > text.length)
        return false;
    for (size_t i = 0; i < digits; i++) {
        unsigned char digit = (unsigned char)text.bytes[at + i];

        if (!isxdigit(digit))
            return false;
        sum = sum * 16 + (uint32_t)(isdigit(digit) ? digit - '0'
                                                   : tolower(digit) - 'a' + 10);
    }
    *value = sum;
    return true;
}

/* The second half of a pair such as "\ud83d\ude00", for the first one. */
static size_t read_low_half(struct text text, size_t at, uint32_t *character)
{
    size_t letter = at;
    uint32_t low;

    while (letter < text.length && text.bytes[letter] == '\\')
        letter++;
    if (letter == at || letter == text.length || text.bytes[letter] != 'u' ||
        !read_hex(text, letter + 1, 4, &low) || low < 0xdc00 || low > 0xdfff)
        return 0;
    *character = 0x10000 + ((*character - 0xd800) << 10) + (low - 0xdc00);
    return letter + 5 - at;
}

/* "%41", and all bytes of a character as in "%C3%A9". */
static size_t read_percent(struct text text, size_t at, uint32_t *character)
{
    char bytes[4];
    size_t count = 0;
    size_t used = 1;
    uint32_t byte;

    while (count < sizeof(bytes) && at + 3 * count < text.length &&
           text.bytes[at + 3 * count] == '%' &&
           read_hex(text, at + 3 * count + 1, 2, &byte))
        bytes[count++] = (char)byte;
    if (!count)
        return 0;
    *character = utf8_decode(bytes, count, &used);
    return 3 * used;
}

/* "\u0041", "\x41" and "\/", with any number of backslashes. */
static size_t read_escape(struct text text, size_t at, uint32_t *character)
{
    size_t letter = at;

    while (letter < text.length && text.bytes[letter] == '\\')
        letter++;
    if (letter == at || letter == text.length)
        return 0;
    if (text.bytes[letter] == 'u' && read_hex(text, letter + 1, 4, character)) {
        size_t end = letter + 5;

        if (*character >= 0xd800 && *character <= 0xdbff)
            end += read_low_half(text, end, character);
        return end - at;
    }
    if (text.bytes[letter] == 'x' && read_hex(text, letter + 1, 2, character))
        return letter + 3 - at;
    *character = (unsigned char)text.bytes[letter];
    return *character == '/' ? letter + 1 - at : 0;
}

/*
 * The character at at, and how many bytes it takes: as it is, escaped as in
 * JSON, or as in a URL.
 */
static size_t read_character(struct text text, size_t at, uint32_t *character)
{
    size_t bytes = read_escape(text, at, character);

    if (!bytes)
        bytes = read_percent(text, at, character);
    if (bytes)
        return bytes;
    *character = utf8_decode(text.bytes + at, text.length - at, &bytes);
    return bytes;
}

/* Invisible characters, which may be between those of a secret. */
static bool is_invisible(uint32_t character)
{
    return character == 0xad || character == 0x34f || character == 0x61c ||
           (character >= 0x180b && character <= 0x180f) ||
           (character >= 0x200b && character <= 0x200f) ||
           (character >= 0x202a && character <= 0x202e) ||
           (character >= 0x2060 && character <= 0x206f) ||
           (character >= 0xfe00 && character <= 0xfe0f) || character == 0xfeff;
}

/* Compare without decoding: a secret may itself look like an escape. */
static bool is_verbatim(struct text text, size_t at, const char *secret)
{
    size_t length = strlen(secret);

    return length <= text.length - at &&
           !memcmp(text.bytes + at, secret, length);
}

/*
 * Is it between two other backslashes? Escapes are read from the first one, and
 * reading them from each would take quadratic time.
 */
static bool is_inside_backslashes(struct text text, size_t at)
{
    return at > 0 && at + 1 < text.length &&
           !memcmp(text.bytes + at - 1, "\\\\\\", 3);
}

/* How many bytes at at spell the secret; 0: they do not. */
static size_t spelled(struct text text, size_t at, const char *secret)
{
    size_t start = at;
    size_t left = strlen(secret);

    if (is_verbatim(text, at, secret))
        return left;
    if (is_inside_backslashes(text, at))
        return 0;
    while (left) {
        uint32_t character;
        size_t bytes, wanted;

        if (at >= text.length)
            return 0;
        bytes = read_character(text, at, &character);
        at += bytes;
        if (character == utf8_decode(secret, left, &wanted)) {
            secret += wanted;
            left -= wanted;
        } else if (at - bytes == start || !is_invisible(character)) {
            return 0;
        }
    }
    return at - start;
}

/* ---- masking ---- */

static bool may_begin(char byte, char secret)
{
    return byte == secret || byte == '\\' || byte == '%';
}

static bool mask_one(char *text, size_t length, const char *secret)
{
    const struct text all = {text, length};
    bool found = false;

    for (size_t at = 0; at < length; at++) {
        size_t bytes =
            may_begin(text[at], secret[0]) ? spelled(all, at, secret) : 0;

        if (!bytes)
            continue;
        memset(text + at, '*', bytes);
        at += bytes - 1;
        found = true;
    }
    return found;
}

bool secret_mask_text(struct secret_mask *mask, char *text, size_t length)
{
    bool found = false;

    pthread_mutex_lock(&mask->lock);
    for (size_t i = 0; i < mask->count; i++) {
        if (mask_one(text, length, mask->secrets[i]))
            found = true;
    }
    pthread_mutex_unlock(&mask->lock);
    return found;
}

bool secret_mask_buf(struct secret_mask *mask, struct buf *text)
{
    return text->length && secret_mask_text(mask, text->data, text->length);
}

bool secret_mask_json(struct secret_mask *mask, struct cJSON *tree)
{
    struct cJSON *item = NULL;
    bool found = false;

    if (tree->string &&
        secret_mask_text(mask, tree->string, strlen(tree->string)))
        found = true;
    if (tree->valuestring &&
        secret_mask_text(mask, tree->valuestring, strlen(tree->valuestring)))
        found = true;
    cJSON_ArrayForEach(item, tree)
    {
        if (secret_mask_json(mask, item))
            found = true;
    }
    return found;
}

void secret_mask_err(struct secret_mask *mask, struct err *err)
{
    (void)secret_mask_text(mask, err->text, strlen(err->text));
}
