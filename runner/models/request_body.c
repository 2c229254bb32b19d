#include "runner/models/request_body.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/mem.h"
#include "base/utf8.h"

void request_body_release(struct request_body *body)
{
    buf_release(&body->text);
    free(body->pieces);
    *body = (struct request_body)REQUEST_BODY_INIT;
}

static size_t piece_size(const struct request_body_piece *piece)
{
    return piece->picture ? base64_size(piece->length) : piece->length;
}

size_t request_body_size(const struct request_body *body)
{
    size_t size = 0;

    for (size_t i = 0; i < body->count; i++)
        size += piece_size(&body->pieces[i]);
    return size;
}

static struct request_body_piece *add_piece(struct request_body *body)
{
    if (body->count == body->capacity) {
        body->capacity = body->capacity ? 2 * body->capacity : 8;
        body->pieces =
            mem_resize(body->pieces, body->capacity, sizeof(*body->pieces));
    }
    return &body->pieces[body->count++];
}

/* Text after the last picture belongs to one piece. */
static void took_text(struct request_body *body, size_t before)
{
    size_t grown = body->text.length - before;

    if (body->count && !body->pieces[body->count - 1].picture)
        body->pieces[body->count - 1].length += grown;
    else if (grown)
        *add_piece(body) =
            (struct request_body_piece){.from = before, .length = grown};
}

void request_body_json(struct request_body *body, const char *json)
{
    size_t before = body->text.length;

    buf_text(&body->text, json);
    took_text(body, before);
}

void request_body_printf(struct request_body *body, const char *fmt, ...)
{
    char text[256];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    request_body_json(body, text);
}

void request_body_string_open(struct request_body *body)
{
    request_body_json(body, "\"");
}

void request_body_string_close(struct request_body *body)
{
    request_body_json(body, "\"");
}

static void escape(struct buf *text, char byte)
{
    switch (byte) {
    case '"':
        buf_text(text, "\\\"");
        return;
    case '\\':
        buf_text(text, "\\\\");
        return;
    case '\n':
        buf_text(text, "\\n");
        return;
    default:
        buf_printf(text, "\\u%04x", (unsigned)(unsigned char)byte);
    }
}

void request_body_string_text(struct request_body *body, const char *text)
{
    size_t before = body->text.length;
    size_t length = strlen(text);
    size_t at = 0;

    while (at < length) {
        size_t plain = at;

        while (plain < length && (unsigned char)text[plain] >= ' ' &&
               text[plain] != '"' && text[plain] != '\\')
            plain++;
        utf8_repair(text + at, plain - at, &body->text);
        at = plain;
        if (at < length)
            escape(&body->text, text[at++]);
    }
    took_text(body, before);
}

void request_body_string(struct request_body *body, const char *text)
{
    request_body_string_open(body);
    request_body_string_text(body, text);
    request_body_string_close(body);
}

void request_body_picture(struct request_body *body, const void *picture,
                          size_t length)
{
    if (length)
        *add_piece(body) =
            (struct request_body_piece){.picture = picture, .length = length};
}

/* Encode from any offset, also within a group of four characters. */
static size_t read_letters(const struct request_body_piece *piece, size_t at,
                           char *to, size_t size)
{
    const unsigned char *picture = piece->picture;
    size_t from = at / 4 * 3;
    size_t skip = at % 4;
    size_t room = size / 4 * 3;
    size_t left = piece->length - from;
    char group[4];

    if (!skip && room) {
        size_t taken = left < room ? left : room;

        base64_encode(picture + from, taken, to);
        return base64_size(taken);
    }
    base64_encode(picture + from, left < 3 ? left : 3, group);
    if (size > 4 - skip)
        size = 4 - skip;
    memcpy(to, group + skip, size);
    return size;
}

static size_t read_piece(const struct request_body_reader *reader, char *to,
                         size_t size)
{
    const struct request_body_piece *piece =
        &reader->body->pieces[reader->piece];
    size_t left = piece->length - reader->at;

    if (piece->picture)
        return read_letters(piece, reader->at, to, size);
    if (left > size)
        left = size;
    memcpy(to, reader->body->text.data + piece->from + reader->at, left);
    return left;
}

size_t request_body_read(struct request_body_reader *reader, char *to,
                         size_t size)
{
    size_t done = 0;

    while (done < size && reader->piece < reader->body->count) {
        const struct request_body_piece *piece =
            &reader->body->pieces[reader->piece];
        size_t got;

        if (reader->at == piece_size(piece)) {
            reader->piece++;
            reader->at = 0;
            continue;
        }
        got = read_piece(reader, to + done, size - done);
        reader->at += got;
        done += got;
    }
    return done;
}

void request_body_show(const struct request_body *body, struct buf *text)
{
    for (size_t i = 0; i < body->count; i++) {
        const struct request_body_piece *piece = &body->pieces[i];

        if (piece->picture)
            buf_printf(text, "…%zu bytes…", piece->length);
        else
            buf_append(text, body->text.data + piece->from, piece->length);
    }
}

void request_body_hash(const struct request_body *body,
                       char hex[SHA256_HEX_SIZE])
{
    struct buf all = BUF_INIT(2 * REQUEST_BODY_TEXT_MAX);

    for (size_t i = 0; i < body->count; i++) {
        const struct request_body_piece *piece = &body->pieces[i];
        char name[SHA256_HEX_SIZE];

        if (piece->picture) {
            sha256_hex(piece->picture, piece->length, name);
            buf_byte(&all, '\0'); /* which JSON does not allow */
            buf_text(&all, name);
        } else {
            buf_append(&all, body->text.data + piece->from, piece->length);
        }
    }
    sha256_hex(buf_cstr(&all), all.length, hex);
    buf_release(&all);
}
