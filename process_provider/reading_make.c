#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/deadline.h"
#include "base/luma.h"
#include "base/scale.h"
#include "process_provider/ink.h"
#include "process_provider/reading_private.h"

#define TIME_MS 10000
#define TABLE_MAX ((size_t)4 << 20)
#define PIXELS_MAX ((size_t)64 << 20)

/*
 * How many pixels the shorter side of a screen should have, so that its text
 * is as large as Tesseract's models know it.
 */
#define SCREEN_SIDE 1600
#define ENLARGED_MAX 4.0

#define PACKAGES "tesseract-ocr, tesseract-ocr-eng and tesseract-ocr-chi-sim"

/* ---- the picture ---- */

static bool clip(const struct picture *picture, struct box *part,
                 struct err *err)
{
    const struct box whole = {0, 0, (int)picture->width, (int)picture->height};

    *part = box_meet(*part, whole);
    return !box_is_empty(*part) ||
           err_set(err, ERR_INVALID, "there is no picture in that part");
}

double reading_scale(const struct picture *picture)
{
    double side =
        picture->width < picture->height ? picture->width : picture->height;

    return fmin(SCREEN_SIDE / side, ENLARGED_MAX);
}

/* As a binary PGM. */
static bool write_pgm(const struct picture *picture, struct buf *pgm,
                      struct err *err)
{
    char *to;

    buf_printf(pgm, "P5\n%u %u\n255\n", picture->width, picture->height);
    to = buf_reserve(pgm, (size_t)picture->width * picture->height);
    if (!to)
        return err_set(err, ERR_LIMIT, "the part to read is too large");
    for (uint32_t y = 0; y < picture->height; y++) {
        const uint8_t *row = picture_row(picture, y);

        for (uint32_t x = 0; x < picture->width; x++)
            *to++ = (char)luma(row + (size_t)x * PICTURE_PIXEL);
    }
    buf_commit(pgm, (size_t)picture->width * picture->height);
    return true;
}

static bool prepare(const struct picture *ink, double scale, struct buf *pgm,
                    struct err *err)
{
    struct picture larger = PICTURE_INIT;
    bool done =
        picture_scale(ink, (uint32_t)ceil(ink->width * scale),
                      (uint32_t)ceil(ink->height * scale), &larger, err) &&
        write_pgm(&larger, pgm, err);

    picture_release(&larger);
    return done;
}

/* ---- the program ---- */

static bool start(struct child *child, const char *layout, struct err *err)
{
    const char *const arguments[] = {
        "tesseract", "stdin", "stdout", "-l",  "eng+chi_sim", "--psm",
        layout,      "--dpi", "300",    "tsv", NULL,
    };
    /* More threads than one make it slower, not faster. */
    const struct child_command command = {.arguments = arguments,
                                          .setting = "OMP_THREAD_LIMIT=1"};

    if (child_start(child, &command, err))
        return true;
    if (err->code == ERR_NOT_FOUND)
        return err_set(
            err, ERR_UNSUPPORTED,
            "there is no tesseract to read screens with: install " PACKAGES);
    return false;
}

static bool talk(struct child *child, const struct buf *pgm, struct buf *table,
                 struct err *err)
{
    struct deadline by = deadline_in_ms(TIME_MS);
    struct err unheard = ERR_INIT;
    /* What it says tells more than that it does not listen. */
    bool heard = child_write(child, pgm->data, pgm->length, by, NULL, &unheard);

    child_end_input(child);
    if (!heard && unheard.code != ERR_CLOSED) {
        *err = unheard;
        return false;
    }
    return child_read_all(child, by, NULL, table, err);
}

/* Rows start with a number, so this is never what a screen says. */
static bool lacks_language(const struct buf *table)
{
    static const char complaint[] = "Failed loading language";
    const char *said = buf_cstr(table);

    return !strncmp(said, complaint, strlen(complaint)) ||
           strstr(said, "\nFailed loading language");
}

static bool run(const struct buf *pgm, const char *layout, struct buf *table,
                struct err *err)
{
    struct child child = CHILD_INIT;
    int status;
    bool done;

    if (!start(&child, layout, err))
        return false;
    done = talk(&child, pgm, table, err);
    status = child_stop(&child);
    if (!done)
        return err_wrap(err, "read with tesseract");
    if (lacks_language(table))
        return err_set(err, ERR_UNSUPPORTED,
                       "tesseract lacks a language: install " PACKAGES);
    return !status || err_set(err, ERR_IO,
                              "tesseract ended with status %d: "
                              "%.100s",
                              status, buf_cstr(table));
}

/* From the enlarged part's pixels to the picture's. */
static struct box placed(struct box box, struct box part, double scale)
{
    const struct box to = {
        part.left + (int)floor(box.left / scale),
        part.top + (int)floor(box.top / scale),
        part.left + (int)ceil(box.right / scale),
        part.top + (int)ceil(box.bottom / scale),
    };

    return box_meet(to, part);
}

static void place(struct reading *reading, struct box part, double scale)
{
    size_t kept = 0;

    for (size_t i = 0; i < reading->count; i++) {
        struct reading_word word = reading->words[i];

        word.box = placed(word.box, part, scale);
        if (!box_is_empty(word.box))
            reading->words[kept++] = word;
    }
    reading->count = kept;
}

bool reading_of_ink(const struct picture *ink, struct box part, double scale,
                    const char *layout, struct reading *reading,
                    struct err *err)
{
    struct buf pgm = BUF_INIT(PIXELS_MAX);
    struct buf table = BUF_INIT(TABLE_MAX);
    bool done =
        prepare(ink, scale, &pgm, err) && run(&pgm, layout, &table, err);

    if (done) {
        reading_parse(buf_cstr(&table), table.length, reading);
        place(reading, part, scale);
    }
    buf_release(&pgm);
    buf_release(&table);
    return done;
}

bool reading_make(const struct picture *picture, struct box part,
                  struct reading *reading, struct err *err)
{
    struct picture ink = PICTURE_INIT;
    bool done = clip(picture, &part, err) &&
                ink_take(picture, part, &ink, err) &&
                reading_of_ink(&ink, part, reading_scale(picture),
                               LAYOUT_SPARSE, reading, err);

    picture_release(&ink);
    return done;
}
