/* dd: copies bytes in blocks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/phone/toybox/cmd.h"

#define PIECE ((size_t)64 * 1024)
#define SIZE_MOST (INT64_C(1) << 40)

struct dd {
    struct command_call *call;
    const char *from; /* NULL: the input */
    const char *to;   /* NULL: the output */
    int64_t in_block;
    int64_t out_block;
    int64_t count; /* number of blocks; -1: all */
    int64_t skip;
    int64_t seek;
    bool keeps_rest; /* conv=notrunc */
    bool quiet;      /* status=none */
    int64_t bytes;   /* copied so far */
};

/* 10, 4k, 1m, 2G, 3b and so on. */
static bool read_size(struct command_call *call, const char *text,
                      int64_t *size)
{
    static const struct {
        char letter;
        int64_t factor;
    } units[] = {
        {'c', 1},
        {'w', 2},
        {'b', 512},
        {'k', 1024},
        {'m', INT64_C(1) << 20},
        {'g', INT64_C(1) << 30},
    };
    char *end;
    long long value;

    errno = 0;
    value = strtoll(text, &end, 10);
    for (size_t i = 0; end != text && *end && i < ARRAY_LEN(units); i++) {
        if ((*end | 0x20) != units[i].letter)
            continue;
        value = value < 0                              ? -1
                : value <= SIZE_MOST / units[i].factor ? value * units[i].factor
                                                       : SIZE_MOST + 1;
        end++;
        break;
    }
    if (errno || end == text || *end || value < 0 || value > SIZE_MOST) {
        call_fail(call, "bad size '%.100s'", text);
        return false;
    }
    *size = value;
    return true;
}

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);

    while (list) {
        if (!strncmp(list, word, length) &&
            (!list[length] || list[length] == ','))
            return true;
        list = strchr(list, ',');
        if (list)
            list++;
    }
    return false;
}

/* One operand NAME=VALUE. False, with a message, if it is invalid. */
static bool read_operand(struct dd *dd, const char *word)
{
    const char *value = strchr(word, '=');
    size_t length = value ? (size_t)(value - word) : 0;
    const struct {
        const char *name;
        int64_t *size;
    } sizes[] = {
        {"ibs", &dd->in_block}, {"obs", &dd->out_block}, {"count", &dd->count},
        {"skip", &dd->skip},    {"seek", &dd->seek},
    };

    if (!value) {
        call_fail(dd->call, "bad arg %.100s", word);
        return false;
    }
    value++;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        if (strlen(sizes[i].name) == length &&
            !strncmp(word, sizes[i].name, length))
            return read_size(dd->call, value, sizes[i].size);
    }
    if (length == 2 && !strncmp(word, "bs", 2)) {
        if (!read_size(dd->call, value, &dd->in_block))
            return false;
        dd->out_block = dd->in_block;
    } else if (length == 2 && !strncmp(word, "if", 2)) {
        dd->from = value;
    } else if (length == 2 && !strncmp(word, "of", 2)) {
        dd->to = value;
    } else if (length == 4 && !strncmp(word, "conv", 4)) {
        dd->keeps_rest = has_word(value, "notrunc");
    } else if (length == 6 && !strncmp(word, "status", 6)) {
        dd->quiet = has_word(value, "none");
    } else if (length != 5 || (strncmp(word, "iflag", 5) != 0 &&
                               strncmp(word, "oflag", 5) != 0)) {
        call_fail(dd->call, "bad arg %.100s", word);
        return false;
    }
    return true;
}

static bool write_to(struct dd *dd, struct sh_out *out, const void *data,
                     size_t size)
{
    if (out)
        return sh_out_write(out, data, size);
    call_write(dd->call, data, size);
    return !dd->call->ended;
}

/* Copy up to most bytes, or skip them. */
static bool move_bytes(struct dd *dd, struct sh_in *in, struct sh_out *out,
                       int64_t most, bool skipped)
{
    char data[PIECE];
    size_t got = 1;

    while (most && got) {
        size_t part =
            most < (int64_t)sizeof(data) ? (size_t)most : sizeof(data);

        if (!call_read(dd->call, in, data, part, &got))
            return false;
        most -= (int64_t)got;
        if (skipped)
            continue;
        dd->bytes += (int64_t)got;
        if (got && !write_to(dd, out, data, got))
            return false;
    }
    return true;
}

/* Keep the old file's bytes before the position where writing begins. */
static bool write_start(struct dd *dd, struct sh_out *out,
                        const struct shared_bytes *old)
{
    static const char zeros[4096];
    int64_t left = dd->seek * dd->out_block;
    size_t kept = old && (uint64_t)left > old->size ? old->size : (size_t)left;

    if (!old)
        kept = 0;
    if (kept && !sh_out_write(out, old->data, kept))
        return false;
    left -= (int64_t)kept;
    while (left) {
        size_t part =
            left < (int64_t)sizeof(zeros) ? (size_t)left : sizeof(zeros);

        if (!call_step(dd->call) || !sh_out_write(out, zeros, part))
            return false;
        left -= (int64_t)part;
    }
    return true;
}

static bool write_rest(struct dd *dd, struct sh_out *out,
                       const struct shared_bytes *old)
{
    uint64_t at = (uint64_t)(dd->seek * dd->out_block + dd->bytes);

    if (!dd->keeps_rest || !old || at >= old->size)
        return true;
    return sh_out_write(out, old->data + at, old->size - (size_t)at);
}

static struct shared_bytes *open_old(struct dd *dd)
{
    char *path = call_path(dd->call, dd->to);
    struct shared_bytes *old = NULL;
    int number;

    if (!path || !files_open(dd->call->files, path, &old, &number))
        old = NULL;
    free(path);
    return old;
}

static int copy(struct dd *dd, struct sh_in *in)
{
    int64_t most = INT64_MAX;
    struct sh_out *out = NULL;
    struct shared_bytes *old = NULL;
    bool done;

    if (dd->count >= 0)
        most = dd->count <= SIZE_MOST / dd->in_block ? dd->count * dd->in_block
                                                     : SIZE_MOST;
    if (dd->seek > SIZE_MOST / dd->out_block)
        return call_fail(dd->call, "bad seek");
    if (dd->to) {
        old = open_old(dd);
        if (!call_create(dd->call, dd->to, false, &out)) {
            shared_bytes_drop(old);
            return 1;
        }
    }
    done = (!out || write_start(dd, out, old)) &&
           move_bytes(dd, in, out, most, false) &&
           (!out || write_rest(dd, out, old));
    shared_bytes_drop(old);
    done = call_finish(dd->call, out) && done;
    return done ? 0 : 1;
}

static void print_records(struct dd *dd, int64_t block, const char *name)
{
    call_error(dd->call, "%lld+%d records %s\n", (long long)(dd->bytes / block),
               dd->bytes % block != 0, name);
}

static void print_status(struct dd *dd)
{
    print_records(dd, dd->in_block, "in");
    print_records(dd, dd->out_block, "out");
    call_error(dd->call, "%lld bytes (%lld K) copied, 0.001 s, %lld M/s\n",
               (long long)dd->bytes, (long long)(dd->bytes / 1024),
               (long long)(dd->bytes / 1024));
}

int do_dd(struct command_call *call)
{
    struct dd dd = {
        .call = call, .in_block = 512, .out_block = 512, .count = -1};
    struct sh_in *in = call->ports.in;
    int status = 1;

    for (size_t i = 1; i < call->argc; i++) {
        if (!read_operand(&dd, call->argv[i]))
            return 1;
    }
    if (!dd.in_block || !dd.out_block)
        return call_fail(call, "bad block size");
    if (dd.from && !call_open(call, dd.from, &in))
        return 1;
    if (move_bytes(&dd, in, NULL,
                   dd.skip <= SIZE_MOST / dd.in_block ? dd.skip * dd.in_block
                                                      : SIZE_MOST,
                   true))
        status = copy(&dd, in);
    call_close(call, in);
    if (!dd.quiet)
        print_status(&dd);
    return status;
}
