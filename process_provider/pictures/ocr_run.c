#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/deadline.h"
#include "base/file.h"
#include "base/picture/luma.h"
#include "base/picture/picture_scale.h"
#include "base/sha256.h"
#include "process_provider/pictures/ocr_binarize.h"
#include "process_provider/pictures/ocr_private.h"

#define TIME_MS 10000
#define TABLE_MAX ((size_t)4 << 20)
#define MODEL_MAX ((size_t)64 << 20)
#define MODEL_DIGITS 12 /* of the hash of a model */
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
           err_set(err, ERR_INVALID, "that part has no pixels of the picture");
}

double ocr_scale(const struct picture *picture)
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

static bool start(struct child *child, const char *const *arguments,
                  struct err *err)
{
    /* More threads than one make it slower, not faster. */
    const char *const settings[] = {"OMP_THREAD_LIMIT=1", NULL};
    const struct child_command command = {.arguments = arguments,
                                          .settings = settings};

    if (child_start(child, &command, err))
        return true;
    if (err->code == ERR_NOT_FOUND)
        return err_set(
            err, ERR_UNSUPPORTED,
            "tesseract, which reads text in pictures, is not installed: "
            "install " PACKAGES);
    return false;
}

/* Rows start with a number, so this is never text of a screen. */
static bool lacks_language(const struct buf *table)
{
    static const char complaint[] = "Failed loading language";
    const char *said = buf_cstr(table);

    return !strncmp(said, complaint, strlen(complaint)) ||
           strstr(said, "\nFailed loading language");
}

/* Give Tesseract its input, and collect what it prints. */
static bool exchange(struct child *child, const struct buf *input,
                     struct deadline by, const struct cancel *cancel,
                     struct buf *output, struct err *err)
{
    struct err failed = ERR_INIT;
    /* Its own message tells more than that it stopped reading. */
    bool wrote =
        child_write(child, input->data, input->length, by, cancel, &failed);

    child_end_input(child);
    if (!wrote && failed.code != ERR_CLOSED) {
        *err = failed;
        return false;
    }
    return child_read_all(child, by, cancel, output, err);
}

/* Run Tesseract to its end. */
static bool run(const char *const *arguments, const struct buf *input,
                struct deadline by, const struct cancel *cancel,
                struct buf *output, struct err *err)
{
    struct child child = CHILD_INIT;
    int status;
    bool done;

    if (!start(&child, arguments, err))
        return false;
    by = deadline_sooner(by, deadline_in_ms(TIME_MS));
    done = exchange(&child, input, by, cancel, output, err);
    status = child_stop(&child);
    if (!done)
        return err_wrap(err, "tesseract");
    return !status || lacks_language(output) ||
           err_set(err, ERR_IO, "tesseract ended with status %d: %.100s",
                   status, buf_cstr(output));
}

static bool find_words(const struct buf *pgm, const char *layout,
                       struct deadline by, const struct cancel *cancel,
                       struct buf *table, struct err *err)
{
    const char *const arguments[] = {
        "tesseract", "stdin", "stdout", "-l",  "eng+chi_sim", "--psm",
        layout,      "--dpi", "300",    "tsv", NULL,
    };

    return run(arguments, pgm, by, cancel, table, err) &&
           (!lacks_language(table) ||
            err_set(err, ERR_UNSUPPORTED,
                    "tesseract lacks a language: install " PACKAGES));
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

static void place(struct ocr_text *text, struct box part, double scale)
{
    size_t kept = 0;

    for (size_t i = 0; i < text->count; i++) {
        struct ocr_word word = text->words[i];

        word.box = placed(word.box, part, scale);
        if (!box_is_empty(word.box))
            text->words[kept++] = word;
    }
    text->count = kept;
}

/* Tesseract's table has a header; a file that was cut off by a crash may not.
 */
static bool is_table(const struct buf *table)
{
    return strncmp(buf_cstr(table), "level\t", 6) == 0;
}

bool ocr_read_binarized(const struct picture *ink, struct box part,
                        double scale, const char *layout,
                        const struct ocr_cache *cache, struct deadline by,
                        const struct cancel *cancel, struct ocr_text *text,
                        struct err *err)
{
    struct buf pgm = BUF_INIT(PIXELS_MAX);
    struct buf table = BUF_INIT(TABLE_MAX);
    char key[SHA256_HEX_SIZE];
    bool done = prepare(ink, scale, &pgm, err);

    if (done) {
        ocr_cache_key(cache, layout, &pgm, key);
        if (!ocr_cache_get(cache, key, &table) || !is_table(&table)) {
            buf_clear(&table);
            done = find_words(&pgm, layout, by, cancel, &table, err);
            if (done)
                ocr_cache_put(cache, key, &table);
        }
    }

    if (done) {
        ocr_parse(buf_cstr(&table), table.length, text);
        place(text, part, scale);
    }
    buf_release(&pgm);
    buf_release(&table);
    return done;
}

bool ocr_read(const struct picture *picture, struct box part,
              const struct ocr_cache *cache, struct deadline by,
              const struct cancel *cancel, struct ocr_text *text,
              struct err *err)
{
    struct picture ink = PICTURE_INIT;
    bool done =
        clip(picture, &part, err) && ocr_binarize(picture, part, &ink, err) &&
        ocr_read_binarized(&ink, part, ocr_scale(picture), OCR_LAYOUT_SPARSE,
                           cache, by, cancel, text, err);

    picture_release(&ink);
    return done;
}

/* ---- the version ---- */

/* The folder that "List of available languages in "/usr/…/" (3):" names. */
static bool find_models(const char *list, struct buf *folder)
{
    const char *begin = strchr(list, '"');
    const char *end = begin ? strchr(begin + 1, '"') : NULL;

    if (!end)
        return false;
    buf_append(folder, begin + 1, (size_t)(end - begin - 1));
    return !folder->overflow;
}

/* A model is named by its content: others of the same size read differently. */
static bool add_model(struct buf *version, const char *folder,
                      const char *language, struct err *err)
{
    struct buf path = BUF_INIT(PATH_MAX);
    struct buf model = BUF_INIT(MODEL_MAX);
    char hash[SHA256_HEX_SIZE];
    bool found;

    buf_printf(&path, "%s/%s.traineddata", folder, language);
    found = !path.overflow && file_load(buf_cstr(&path), &model, err);
    if (found) {
        sha256_hex(model.data, model.length, hash);
        buf_printf(version, ", %s %.*s", language, MODEL_DIGITS, hash);
    }
    buf_release(&path);
    buf_release(&model);
    return found || err_set(err, ERR_UNSUPPORTED,
                            "tesseract lacks a language: install " PACKAGES);
}

static bool add_models(struct buf *version, struct deadline by,
                       const struct cancel *cancel, struct err *err)
{
    static const char *const arguments[] = {"tesseract", "--list-langs", NULL};
    const struct buf nothing = BUF_INIT(0);
    struct buf list = BUF_INIT(TABLE_MAX);
    struct buf folder = BUF_INIT(PATH_MAX);
    bool done = run(arguments, &nothing, by, cancel, &list, err);

    if (done && !find_models(buf_cstr(&list), &folder))
        done = err_set(err, ERR_IO, "tesseract does not list its languages");
    done = done && add_model(version, buf_cstr(&folder), "eng", err) &&
           add_model(version, buf_cstr(&folder), "chi_sim", err);
    buf_release(&list);
    buf_release(&folder);
    return done;
}

bool ocr_version(struct deadline by, const struct cancel *cancel,
                 char version[OCR_VERSION_MAX], struct err *err)
{
    static const char *const arguments[] = {"tesseract", "--version", NULL};
    const struct buf nothing = BUF_INIT(0);
    struct buf printed = BUF_INIT(TABLE_MAX);
    struct buf text = BUF_INIT(OCR_VERSION_MAX - 1);
    bool done = run(arguments, &nothing, by, cancel, &printed, err);

    if (done) {
        buf_append(&text, buf_cstr(&printed),
                   strcspn(buf_cstr(&printed), "\r\n"));
        done = add_models(&text, by, cancel, err);
    }
    if (done && text.overflow)
        done = err_set(err, ERR_LIMIT, "tesseract's version is too long");
    if (done)
        memcpy(version, buf_cstr(&text), text.length + 1);
    buf_release(&printed);
    buf_release(&text);
    return done;
}
