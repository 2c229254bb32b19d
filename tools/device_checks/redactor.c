#include "tools/device_checks/redactor.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "adb/transport/tcp.h"
#include "base/macros.h"
#include "base/mem.h"

#define HEX_MIN 12    /* Android IDs have 16 digits, IMEIs 15 */
#define BASE64_MIN 40 /* a SHA-256 has 44 */

static const char *const kind_names[] = {
    [SECRET_SERIAL] = "serial", [SECRET_ADDRESS] = "address",
    [SECRET_MAC] = "mac",       [SECRET_HOST] = "host",
    [SECRET_USER] = "user",     [SECRET_ID] = "id",
    [SECRET_KEY] = "key",
};

void redactor_release(struct redactor *redactor)
{
    for (size_t i = 0; i < redactor->count; i++)
        free(redactor->secrets[i].text);
    *redactor = (struct redactor)REDACTOR_INIT;
}

static bool is_same(const struct secret *secret, const char *text,
                    size_t length)
{
    return secret->length == length && !strncasecmp(secret->text, text, length);
}

/* The secret with this text, whatever kind it was first taken for. */
static struct secret *find(struct redactor *redactor, const char *text,
                           size_t length)
{
    for (size_t i = 0; i < redactor->count; i++) {
        if (is_same(&redactor->secrets[i], text, length))
            return &redactor->secrets[i];
    }
    return NULL;
}

/* The same, added where it is new; NULL when there are too many. */
static struct secret *learn(struct redactor *redactor, enum secret_kind kind,
                            const char *text, size_t length)
{
    struct secret *secret = find(redactor, text, length);

    if (secret || redactor->count == REDACTOR_SECRETS_MAX)
        return secret;
    secret = &redactor->secrets[redactor->count++];
    *secret = (struct secret){.kind = kind,
                              .number = ++redactor->counts[kind],
                              .text = mem_dup_n(text, length),
                              .length = length};
    return secret;
}

static bool is_everybodys(const char *text)
{
    static const char *const names[] = {"android", "localhost", "root", "shell",
                                        "unknown"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (!strcasecmp(names[i], text))
            return true;
    }
    return false;
}

void redactor_know(struct redactor *redactor, enum secret_kind kind,
                   const char *text)
{
    struct secret *secret;

    if (!text || !*text || is_everybodys(text))
        return;
    secret = learn(redactor, kind, text, strlen(text));
    if (secret)
        secret->by_name = true;
}

void redactor_know_this_computer(struct redactor *redactor)
{
    const struct passwd *user = getpwuid(getuid());
    char host[256] = "";

    redactor_know(redactor, SECRET_USER, user ? user->pw_name : NULL);
    redactor_know(redactor, SECRET_USER, getenv("USER"));
    redactor_know(redactor, SECRET_USER, getenv("LOGNAME"));
    redactor_know(redactor, SECRET_USER, getenv("SUDO_USER"));
    if (gethostname(host, sizeof(host) - 1))
        return;
    redactor_know(redactor, SECRET_HOST, host);
    host[strcspn(host, ".")] = '\0';
    redactor_know(redactor, SECRET_HOST, host);
}

void redactor_know_serial(struct redactor *redactor, const char *serial)
{
    const char *colon = strrchr(serial, ':');
    uint16_t port;
    char *host;

    redactor_know(redactor, SECRET_SERIAL, serial);
    if (!colon || !tcp_parse_port(colon + 1, &port) ||
        !strncmp(serial, "usb:", 4))
        return;
    host = mem_dup_n(serial, (size_t)(colon - serial));
    redactor_know(redactor, SECRET_ADDRESS, host);
    free(host);
}

/* ---- what secrets look like ---- */

/*
 * A place in the text that is being cleaned. Each of the functions below
 * returns how many bytes from there on are a secret of its kind; 0: none.
 */
struct text_place {
    const char *text;
    size_t at;
    size_t length; /* of the whole text */
};

typedef size_t match_fn(const struct text_place *place);

/* The byte so far from the place; NUL beyond both ends. */
static unsigned char byte_at(const struct text_place *place, ptrdiff_t offset)
{
    size_t at = place->at + (size_t)offset; /* wraps below 0: beyond the end */

    return at < place->length ? (unsigned char)place->text[at] : '\0';
}

static bool is_word(unsigned char byte)
{
    return isalnum(byte) || byte >= 0x80;
}

static bool is_name(unsigned char byte)
{
    return is_word(byte) || (byte && strchr("._-", byte));
}

static bool is_hex(unsigned char byte)
{
    return isxdigit(byte);
}

static bool is_digit(unsigned char byte)
{
    return isdigit(byte);
}

static bool is_base64(unsigned char byte)
{
    return isalnum(byte) || byte == '+' || byte == '/' || byte == '=';
}

static bool is_ipv6(unsigned char byte)
{
    return isxdigit(byte) || byte == ':' || byte == '.';
}

typedef bool among_fn(unsigned char byte);

/* As many bytes, from offset on, as are among those. */
static size_t span(const struct text_place *place, size_t offset,
                   among_fn *among)
{
    size_t length = 0;

    while (among(byte_at(place, (ptrdiff_t)(offset + length))))
        length++;
    return length;
}

/* How many of the next length bytes are among those? */
static size_t count(const struct text_place *place, size_t length,
                    among_fn *among)
{
    size_t found = 0;

    for (size_t i = 0; i < length; i++)
        found += among(byte_at(place, (ptrdiff_t)i));
    return found;
}

static bool begins(const struct text_place *place, among_fn *among)
{
    return !among(byte_at(place, -1));
}

/* Do the next bytes look like shape, in which x is any hexadecimal digit? */
static bool has_shape(const struct text_place *place, const char *shape)
{
    size_t i = 0;

    for (; shape[i]; i++) {
        unsigned char byte = byte_at(place, (ptrdiff_t)i);

        if (shape[i] == 'x' ? !is_hex(byte) : byte != (unsigned char)shape[i])
            return false;
    }
    return begins(place, is_hex) && !is_hex(byte_at(place, (ptrdiff_t)i));
}

static size_t match_mac(const struct text_place *place)
{
    static const char colons[] = "xx:xx:xx:xx:xx:xx";

    return has_shape(place, colons) || has_shape(place, "xx-xx-xx-xx-xx-xx")
               ? sizeof(colons) - 1
               : 0;
}

static size_t match_uuid(const struct text_place *place)
{
    static const char shape[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

    return has_shape(place, shape) ? sizeof(shape) - 1 : 0;
}

/* Four numbers with dots in between, or more of them. */
static size_t match_ipv4(const struct text_place *place)
{
    size_t length = 0;
    size_t numbers = 0;
    size_t digits;

    if (!begins(place, is_digit))
        return 0;
    while ((digits = span(place, length ? length + 1 : 0, is_digit)) &&
           digits <= 3) {
        length += digits + (length != 0);
        numbers++;
        if (byte_at(place, (ptrdiff_t)length) != '.')
            break;
    }
    return numbers >= 4 ? length : 0;
}

static bool is_colon(unsigned char byte)
{
    return byte == ':';
}

static bool parses_as_ipv6(const struct text_place *place, size_t length)
{
    char text[INET6_ADDRSTRLEN];
    struct in6_addr address;

    if (length >= sizeof(text))
        return false;
    memcpy(text, place->text + place->at, length);
    text[length] = '\0';
    return inet_pton(AF_INET6, text, &address) == 1;
}

/*
 * The longest address that begins here, with its zone. What has four colons
 * and more counts even if it is none: it may have been cut.
 */
static size_t match_ipv6(const struct text_place *place)
{
    size_t length;

    if (!begins(place, is_ipv6) || !begins(place, is_word))
        return 0;
    length = span(place, 0, is_ipv6);
    if (count(place, length, is_colon) < 2)
        return 0;
    if (count(place, length, is_colon) < 4) {
        while (length > 2 && !parses_as_ipv6(place, length))
            length--;
    }
    if (length <= 2 || is_word(byte_at(place, (ptrdiff_t)length)))
        return 0;
    if (byte_at(place, (ptrdiff_t)length) != '%')
        return length;
    return length + 1 + span(place, length + 1, is_name);
}

static bool ends_with(const struct text_place *place, size_t length,
                      const char *suffix)
{
    size_t tail = strlen(suffix);

    return length > tail &&
           !strncasecmp(place->text + place->at + length - tail, suffix, tail);
}

/* What phones call themselves: adb-SERIAL-a1b2c3, perhaps with the service. */
static bool is_mdns(const struct text_place *place, size_t length)
{
    const char *name = place->text + place->at;

    if (memmem(name, length, "._adb", 5))
        return true;
    return length > 4 && !strncasecmp(name, "adb-", 4) &&
           strncasecmp(name, "adb-tls", 7) != 0 &&
           memchr(name + 4, '-', length - 4);
}

static size_t match_local_name(const struct text_place *place)
{
    static const char *const suffixes[] = {
        ".local",       ".local.",   ".lan",       ".home",
        ".localdomain", ".internal", ".fritz.box", ".home.arpa",
    };
    size_t length;

    if (!begins(place, is_name))
        return 0;
    length = span(place, 0, is_name);
    if (is_mdns(place, length))
        return length;
    for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
        if (ends_with(place, length, suffixes[i]))
            return length;
    }
    return 0;
}

static size_t match_user_at_host(const struct text_place *place)
{
    size_t user;
    size_t host;

    if (!begins(place, is_name))
        return 0;
    user = span(place, 0, is_name);
    if (!user || byte_at(place, (ptrdiff_t)user) != '@')
        return 0;
    host = span(place, user + 1, is_name);
    return host ? user + 1 + host : 0;
}

static size_t match_number(const struct text_place *place)
{
    size_t length;

    if (!begins(place, is_hex))
        return 0;
    length = span(place, 0, is_hex);
    return length >= HEX_MIN && count(place, length, is_digit) ? length : 0;
}

static bool is_upper(unsigned char byte)
{
    return isupper(byte);
}

static bool is_lower(unsigned char byte)
{
    return islower(byte);
}

static size_t match_key(const struct text_place *place)
{
    size_t length;

    if (!begins(place, is_base64))
        return 0;
    length = span(place, 0, is_base64);
    return length >= BASE64_MIN && count(place, length, is_digit) &&
                   count(place, length, is_upper) &&
                   count(place, length, is_lower)
               ? length
               : 0;
}

/* Those that take more come first. */
static const struct {
    match_fn *match;
    enum secret_kind kind;
} looks[] = {
    {match_key, SECRET_KEY},         {match_user_at_host, SECRET_USER},
    {match_local_name, SECRET_HOST}, {match_uuid, SECRET_ID},
    {match_mac, SECRET_MAC},         {match_ipv6, SECRET_ADDRESS},
    {match_ipv4, SECRET_ADDRESS},    {match_number, SECRET_ID},
};

/* ---- taking them out ---- */

static void put_word(struct buf *clean, enum secret_kind kind,
                     const struct secret *secret)
{
    if (secret)
        buf_printf(clean, "%s-%u", kind_names[secret->kind], secret->number);
    else
        buf_printf(clean, "%s-?", kind_names[kind]);
}

/*
 * How many bytes of the secret stand here; 0: it does not. A short one must be
 * a whole word. A long one may be cut where the line ends: messages have a
 * limit.
 */
static size_t measure(const struct secret *secret,
                      const struct text_place *place)
{
    const char *here = place->text + place->at;
    size_t left = place->length - place->at;
    const char *end = memchr(here, '\n', left);
    size_t length = secret->length;

    if (end)
        left = (size_t)(end - here);
    if (left < length && left >= REDACTOR_INSIDE_MIN)
        length = left;
    if (!secret->by_name || left < length ||
        strncasecmp(here, secret->text, length) != 0)
        return 0;
    if (length < REDACTOR_INSIDE_MIN &&
        (!begins(place, is_word) || is_word(byte_at(place, (ptrdiff_t)length))))
        return 0;
    return length;
}

/* Replace the longest known secret at this place, preferably a whole one. */
static size_t replace_by_name(const struct redactor *redactor,
                              const struct text_place *place, struct buf *clean)
{
    const struct secret *best = NULL;
    size_t best_length = 0;

    for (size_t i = 0; i < redactor->count; i++) {
        size_t length = measure(&redactor->secrets[i], place);

        if (length > best_length ||
            (length && length == redactor->secrets[i].length &&
             length == best_length)) {
            best = &redactor->secrets[i];
            best_length = length;
        }
    }
    if (best)
        put_word(clean, best->kind, best);
    return best_length;
}

/* Replace the secret that looks like one; returns its length, or 0. */
static size_t replace_by_looks(struct redactor *redactor,
                               const struct text_place *place,
                               struct buf *clean)
{
    for (size_t i = 0; i < ARRAY_LEN(looks); i++) {
        size_t length = looks[i].match(place);

        if (!length)
            continue;
        put_word(
            clean, looks[i].kind,
            learn(redactor, looks[i].kind, place->text + place->at, length));
        return length;
    }
    return 0;
}

void redactor_apply(struct redactor *redactor, const char *text, size_t length,
                    struct buf *clean)
{
    struct text_place place = {.text = text, .length = length};

    while (place.at < length) {
        size_t taken = replace_by_name(redactor, &place, clean);

        if (!taken)
            taken = replace_by_looks(redactor, &place, clean);
        if (!taken)
            buf_byte(clean, text[place.at++]);
        place.at += taken;
    }
}
