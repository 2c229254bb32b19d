/* Commands on bytes: checksums, encodings, compression. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <zlib.h>

#include "base/base64.h"
#include "base/mem.h"
#include "tools/phone/toybox/cmd.h"

#define PIECE_SIZE ((size_t)64 * 1024)

/* ---- checksums ---- */

static void sum_input(struct command_call *call, const char *name,
                      struct sh_in *in, void *context)
{
    EVP_MD_CTX *sum = EVP_MD_CTX_new();
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    char *piece = mem_new(1, PIECE_SIZE);
    size_t got;

    if (!sum || !EVP_DigestInit_ex(sum, context, NULL))
        mem_out();
    while (call_read(call, in, piece, PIECE_SIZE, &got) && got)
        (void)EVP_DigestUpdate(sum, piece, got);
    (void)EVP_DigestFinal_ex(sum, digest, &size);
    for (unsigned i = 0; i < size; i++)
        call_print(call, "%02x", digest[i]);
    call_print(call, "  %s\n", name);
    EVP_MD_CTX_free(sum);
    free(piece);
}

static int print_sums(struct command_call *call, const EVP_MD *kind)
{
    struct command_options options;
    int status;

    if (!call_options(call, "b", &options, &status))
        return status;
    /* OpenSSL does not change the algorithm. */
    status = call_each_input(call, options.operands, options.count, sum_input,
                             (void *)(uintptr_t)kind);
    call_options_release(&options);
    return status;
}

static int run_md5sum(struct command_call *call)
{
    return print_sums(call, EVP_md5());
}

static int run_sha1sum(struct command_call *call)
{
    return print_sums(call, EVP_sha1());
}

static int run_sha256sum(struct command_call *call)
{
    return print_sums(call, EVP_sha256());
}

/* ---- base64 ---- */

struct base64 {
    long long width; /* length of a line; 0: no line breaks */
    bool ignore;     /* bytes that are no base64 digits */
};

static const char letters[] = BASE64_LETTERS;

/* Print digits, broken into lines. */
static void put_letter(struct command_call *call, struct buf *out,
                       long long width, long long *column, char letter)
{
    if (width && *column == width) {
        buf_byte(out, '\n');
        *column = 0;
    }
    buf_byte(out, letter);
    ++*column;
    if (out->length >= PIECE_SIZE / 2) {
        call_write(call, out->data, out->length);
        buf_clear(out);
    }
}

static void encode_input(struct command_call *call, const char *name,
                         struct sh_in *in, void *context)
{
    const struct base64 *base64 = context;
    struct buf out = BUF_INIT(PIECE_SIZE);
    unsigned char byte[4096];
    unsigned bits = 0;
    unsigned held = 0;
    unsigned long long letter_count = 0;
    long long column = 0;
    size_t got;

    (void)name;
    while (call_read(call, in, byte, sizeof(byte), &got) && got) {
        for (size_t i = 0; i < got; i++) {
            held = held << 8 | byte[i];
            for (bits += 8; bits >= 6; bits -= 6) {
                put_letter(call, &out, base64->width, &column,
                           letters[held >> (bits - 6) & 63]);
                letter_count++;
            }
            held &= (1U << bits) - 1;
        }
    }
    if (bits) {
        put_letter(call, &out, base64->width, &column,
                   letters[held << (6 - bits) & 63]);
        letter_count++;
    }
    for (; letter_count % 4; letter_count++)
        put_letter(call, &out, base64->width, &column, '=');
    if (column)
        buf_byte(&out, '\n');
    call_write(call, buf_cstr(&out), out.length);
    buf_release(&out);
}

static void decode_input(struct command_call *call, const char *name,
                         struct sh_in *in, void *context)
{
    const struct base64 *base64 = context;
    struct buf out = BUF_INIT(PIECE_SIZE);
    struct base64_decoder decoder = {0};
    char piece[4096];
    size_t got;

    (void)name;
    while (call_read(call, in, piece, sizeof(piece), &got) && got) {
        for (size_t i = 0; i < got; i++) {
            if (!base64_take(&decoder, piece[i], &out) &&
                !strchr("=\r\n", piece[i]) && !base64->ignore)
                call->ended = true;
        }
        call_write(call, buf_cstr(&out), out.length);
        buf_clear(&out);
    }
    buf_release(&out);
}

static int run_base64(struct command_call *call)
{
    struct command_options options;
    struct base64 base64 = {.width = 76};
    int status;

    if (!call_options(call, "diw:", &options, &status))
        return status;
    base64.ignore = options.given['i'];
    status = 1;
    if (!options.values['w'] ||
        call_number(call, options.values['w'], 0, INT_MAX, &base64.width))
        status = call_each_input(
            call, options.operands, options.count,
            options.given['d'] ? decode_input : encode_input, &base64);
    call_options_release(&options);
    return status;
}

/* ---- gzip ---- */

/* zlib's flag for a gzip frame, on top of the window's size. */
#define WINDOW_GZIP (15 + 16)

/* Run zlib over an input; step is deflate or inflate. */
struct flow {
    z_stream zlib;
    int (*step)(z_stream *zlib, int flush);
    struct sh_out *out;
    bool failed;
};

static bool flow_write(struct command_call *call, struct flow *flow,
                       const unsigned char *data, size_t size)
{
    if (sh_out_write(flow->out, data, size))
        return true;
    call->ended = true;
    return false;
}

/* Write everything that zlib has produced. */
static int flow_drain(struct command_call *call, struct flow *flow, int flush)
{
    unsigned char out[16384];
    int result;

    do {
        flow->zlib.next_out = out;
        flow->zlib.avail_out = sizeof(out);
        result = flow->step(&flow->zlib, flush);
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
            return result;
        if (!call_step(call) ||
            !flow_write(call, flow, out, sizeof(out) - flow->zlib.avail_out))
            return Z_ERRNO;
    } while (flow->zlib.avail_out == 0 && result != Z_STREAM_END);
    return result;
}

static void flow_input(struct command_call *call, struct sh_in *in,
                       struct flow *flow)
{
    unsigned char *piece = mem_new(1, PIECE_SIZE);
    bool packs = flow->step == deflate;
    int result = Z_OK;
    size_t got = 1;

    while (got && result != Z_STREAM_END &&
           call_read(call, in, piece, PIECE_SIZE, &got)) {
        if (!got && !packs)
            break;
        flow->zlib.next_in = piece;
        flow->zlib.avail_in = (unsigned)got;
        result = flow_drain(call, flow, got ? Z_NO_FLUSH : Z_FINISH);
        if (result != Z_OK && result != Z_BUF_ERROR)
            break;
    }
    flow->failed = result != Z_STREAM_END && !call->ended;
    free(piece);
}

bool gzip_pack(struct command_call *call, struct sh_in *in, struct sh_out *out,
               int level)
{
    struct flow flow = {.step = deflate, .out = out};

    if (deflateInit2(&flow.zlib, level, Z_DEFLATED, WINDOW_GZIP, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        mem_out();
    flow_input(call, in, &flow);
    deflateEnd(&flow.zlib);
    return !flow.failed;
}

bool gzip_unpack(struct command_call *call, struct sh_in *in,
                 struct sh_out *out)
{
    struct flow flow = {.step = inflate, .out = out};

    if (inflateInit2(&flow.zlib, WINDOW_GZIP) != Z_OK)
        mem_out();
    flow_input(call, in, &flow);
    inflateEnd(&flow.zlib);
    return !flow.failed;
}

struct gzip {
    bool unpacks;
    bool to_output;
    bool keeps;
    int level;
};

/* The name of the result, or NULL if the input's name does not fit. */
static char *other_name(const char *name, bool unpacks)
{
    size_t length = strlen(name);
    char *other;

    if (unpacks)
        return length > 3 && !strcmp(name + length - 3, ".gz")
                   ? mem_dup_n(name, length - 3)
                   : NULL;
    other = mem_new(length + 4, 1);
    memcpy(other, name, length);
    memcpy(other + length, ".gz", 3);
    return other;
}

static bool gzip_flow(struct command_call *call, const struct gzip *gzip,
                      struct sh_in *in, struct sh_out *out)
{
    if (gzip->unpacks ? gzip_unpack(call, in, out)
                      : gzip_pack(call, in, out, gzip->level))
        return true;
    call_fail(call, "not gzip");
    return false;
}

/* Replace one file by the other. */
static int gzip_file(struct command_call *call, const struct gzip *gzip,
                     const char *name)
{
    char *other = other_name(name, gzip->unpacks);
    char *path = call_path(call, name);
    struct sh_out *out = NULL;
    struct sh_in *in = NULL;
    int number;
    int status = 1;

    if (!other) {
        call_fail(call, "%s: bad suffix", name);
    } else if (path && call_open(call, name, &in) &&
               call_create(call, other, false, &out)) {
        status = !gzip_flow(call, gzip, in, out);
        status |= !call_finish(call, out);
        if (!status && !gzip->keeps &&
            !files_remove(call->files, path, false, &number))
            status = call_fail_path(call, name, number);
    }
    if (in)
        call_close(call, in);
    free(path);
    free(other);
    return status;
}

static int gzip_to_output(struct command_call *call, const struct gzip *gzip,
                          const char *name)
{
    struct sh_in *in;
    int status;

    if (!call_open(call, name, &in))
        return 1;
    status = !gzip_flow(call, gzip, in, call->ports.out);
    call_close(call, in);
    return status;
}

static int gzip_as(struct command_call *call, struct gzip gzip)
{
    struct command_options options;
    int status;

    if (!call_options(call, "cdfk123456789", &options, &status))
        return status;
    gzip.unpacks = gzip.unpacks || options.given['d'];
    gzip.to_output = gzip.to_output || options.given['c'];
    gzip.keeps = options.given['k'];
    gzip.level = 6;
    for (int level = 1; level <= 9; level++) {
        if (options.given['0' + level])
            gzip.level = level;
    }
    status = options.count ? 0 : gzip_to_output(call, &gzip, "-");
    for (size_t i = 0; i < options.count; i++) {
        if (gzip.to_output || !strcmp(options.operands[i], "-"))
            status |= gzip_to_output(call, &gzip, options.operands[i]);
        else
            status |= gzip_file(call, &gzip, options.operands[i]);
    }
    call_options_release(&options);
    return status;
}

static int run_gzip(struct command_call *call)
{
    return gzip_as(call, (struct gzip){.unpacks = false});
}

static int run_gunzip(struct command_call *call)
{
    return gzip_as(call, (struct gzip){.unpacks = true});
}

static int run_zcat(struct command_call *call)
{
    return gzip_as(call, (struct gzip){.unpacks = true, .to_output = true});
}

static const struct phone_command commands[] = {
    {"base64", run_base64, "[-di] [-w COLUMNS] [FILE...]"},
    {"gunzip", run_gunzip, "[-cfk] [FILE...]"},
    {"gzip", run_gzip, "[-19cdfk] [FILE...]"},
    {"md5sum", run_md5sum, "[-b] [FILE...]"},
    {"od", do_od, "[-bcdosvx] [-A oxdn] [-N BYTES] [-t TYPE] [FILE...]"},
    {"sha1sum", run_sha1sum, "[-b] [FILE...]"},
    {"sha256sum", run_sha256sum, "[-b] [FILE...]"},
    {"tar", do_tar, "-c|-t|-x [-Ovz] [-f FILE] [-C DIRECTORY] [FILE...]"},
    {"xxd", do_xxd, "[-p] [-c COLUMNS] [-l BYTES] [FILE]"},
    {"zcat", run_zcat, "[FILE...]"},
};

const struct command_set bytes_commands = {commands, ARRAY_LEN(commands)};
