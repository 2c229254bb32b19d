#include "runner/body.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/mem.h"
#include "base/utf8.h"

void body_release(struct body *body)
{
    buf_release(&body->text);
    free(body->pieces);
    *body = (struct body)BODY_INIT;
}

static size_t piece_size(const struct body_piece *piece)
{
    return piece->picture ? base64_size(piece->length) : piece->length;
}

size_t body_size(const struct body *body)
{
    size_t size = 0;

    for (size_t i = 0; i < body->count; i++)
        size += piece_size(&body->pieces[i]);
    return size;
}

static struct body_piece *add_piece(struct body *body)
{
    if (body->count == body->capacity) {
        body->capacity = body->capacity ? 2 * body->capacity : 8;
        body->pieces =
            mem_resize(body->pieces, body->capacity, sizeof(*body->pieces));
    }
    return &body->pieces[body->count++];
}

/* The text behind the last picture has grown: it is one piece. */
static void took_text(struct body *body, size_t before)
{
    size_t grown = body->text.length - before;

    if (body->count && !body->pieces[body->count - 1].picture)
        body->pieces[body->count - 1].length += grown;
    else if (grown)
        *add_piece(body) = (struct body_piece){.from = before, .length = grown};
}

void body_json(struct body *body, const char *json)
{
    size_t before = body->text.length;

    buf_text(&body->text, json);
    took_text(body, before);
}

void body_printf(struct body *body, const char *fmt, ...)
{
    char text[256];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    body_json(body, text);
}

void body_string_open(struct body *body)
{
    body_json(body, "\"");
}

void body_string_close(struct body *body)
{
    body_json(body, "\"");
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

void body_string_text(struct body *body, const char *text)
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

void body_string(struct body *body, const char *text)
{
    body_string_open(body);
    body_string_text(body, text);
    body_string_close(body);
}

void body_picture(struct body *body, const void *picture, size_t length)
{
    if (length)
        *add_piece(body) =
            (struct body_piece){.picture = picture, .length = length};
}

/* Letters from any place on, also from within a group of four. */
static size_t read_letters(const struct body_piece *piece, size_t at, char *to,
                           size_t size)
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

static size_t read_piece(const struct body_reader *reader, char *to,
                         size_t size)
{
    const struct body_piece *piece = &reader->body->pieces[reader->piece];
    size_t left = piece->length - reader->at;

    if (piece->picture)
        return read_letters(piece, reader->at, to, size);
    if (left > size)
        left = size;
    memcpy(to, reader->body->text.data + piece->from + reader->at, left);
    return left;
}

size_t body_read(struct body_reader *reader, char *to, size_t size)
{
    size_t done = 0;

    while (done < size && reader->piece < reader->body->count) {
        const struct body_piece *piece = &reader->body->pieces[reader->piece];
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

void body_show(const struct body *body, struct buf *text)
{
    for (size_t i = 0; i < body->count; i++) {
        const struct body_piece *piece = &body->pieces[i];

        if (piece->picture)
            buf_printf(text, "…%zu bytes…", piece->length);
        else
            buf_append(text, body->text.data + piece->from, piece->length);
    }
}

void body_hash(const struct body *body, char hex[SHA256_HEX_SIZE])
{
    struct buf all = BUF_INIT(2 * BODY_TEXT_MAX);

    for (size_t i = 0; i < body->count; i++) {
        const struct body_piece *piece = &body->pieces[i];
        char name[SHA256_HEX_SIZE];

        if (piece->picture) {
            sha256_hex(piece->picture, piece->length, name);
            buf_byte(&all, '\0'); /* which no JSON has */
            buf_text(&all, name);
        } else {
            buf_append(&all, body->text.data + piece->from, piece->length);
        }
    }
    sha256_hex(buf_cstr(&all), all.length, hex);
    buf_release(&all);
}
