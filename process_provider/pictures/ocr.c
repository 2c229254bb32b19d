#include "process_provider/pictures/ocr.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

#define CONFIDENT 50U
/* For one or two characters, since OCR reads icons as such words. */
#define CONFIDENT_SHORT 80U

#define TEXT_MAX 4096 /* more than phrases take, before they are cut */

/* Columns of the table; the words are in the last. */
enum tsv_column {
    COLUMN_LEVEL,
    COLUMN_PAGE,
    COLUMN_BLOCK,
    COLUMN_PARAGRAPH,
    COLUMN_LINE,
    COLUMN_WORD,
    COLUMN_LEFT,
    COLUMN_TOP,
    COLUMN_WIDTH,
    COLUMN_HEIGHT,
    COLUMN_CONFIDENCE,
    NUMBERS,
};

#define LEVEL_WORD 5
#define NUMBER_MAX 65535

void ocr_text_release(struct ocr_text *text)
{
    free(text->words);
    *text = (struct ocr_text)OCR_TEXT_INIT;
}

/* ---- the table ---- */

/*
 * A number up to a tab, of which digits after a point do not count. Moves text
 * behind that tab.
 */
static bool take_number(const char **text, const char *end, int *number)
{
    const char *at = *text;
    int value = 0;

    while (at < end && *at >= '0' && *at <= '9' && value <= NUMBER_MAX)
        value = value * 10 + (*at++ - '0');
    if (at == *text || value > NUMBER_MAX)
        return false;
    if (at < end && *at == '.') {
        at++;
        while (at < end && *at >= '0' && *at <= '9')
            at++;
    }
    if (at == end || *at != '\t')
        return false;
    *text = at + 1;
    *number = value;
    return true;
}

/*
 * For a single letter, as on a key, Tesseract cannot tell upper from lower case
 * and reads it as "Ww".
 */
static bool is_letter_twice(const char *text)
{
    return isalpha((unsigned char)text[0]) && text[0] != text[1] &&
           tolower((unsigned char)text[0]) == tolower((unsigned char)text[1]) &&
           !text[2];
}

static bool take_text(const char *text, size_t length, struct phrase *phrase)
{
    struct buf valid = BUF_INIT(TEXT_MAX);
    bool shows;

    utf8_repair(text, length, &valid);
    shows = phrase_clean(buf_cstr(&valid), phrase) &&
            phrase_has_words(phrase->text);
    buf_release(&valid);
    if (shows && is_letter_twice(phrase->text)) {
        phrase->text[0] = (char)tolower((unsigned char)phrase->text[0]);
        phrase->text[1] = '\0';
    }
    return shows;
}

/* Is a row about a word? Leaves its numbers, too. */
static bool take_row(const char *row, const char *end, int numbers[NUMBERS],
                     struct ocr_word *word)
{
    for (int i = 0; i < NUMBERS; i++) {
        if (!take_number(&row, end, &numbers[i]))
            return false;
    }
    word->box = (struct box){
        numbers[COLUMN_LEFT],
        numbers[COLUMN_TOP],
        numbers[COLUMN_LEFT] + numbers[COLUMN_WIDTH],
        numbers[COLUMN_TOP] + numbers[COLUMN_HEIGHT],
    };
    word->confidence = (unsigned)numbers[COLUMN_CONFIDENCE];
    return numbers[COLUMN_LEVEL] == LEVEL_WORD && !box_is_empty(word->box) &&
           word->confidence <= 100 &&
           take_text(row, (size_t)(end - row), &word->text);
}

static bool same_line(const int a[NUMBERS], const int b[NUMBERS])
{
    return !memcmp(&a[COLUMN_PAGE], &b[COLUMN_PAGE],
                   (COLUMN_WORD - COLUMN_PAGE) * sizeof(*a));
}

static void append(struct ocr_text *text, const struct ocr_word *word)
{
    /* Powers of two are when it is full. */
    if (!(text->count & (text->count - 1)))
        text->words = mem_resize(text->words, text->count ? text->count * 2 : 1,
                                 sizeof(*text->words));
    text->words[text->count++] = *word;
}

void ocr_parse(const char *table, size_t length, struct ocr_text *text)
{
    const char *end = table + length;
    int last[NUMBERS] = {0};
    unsigned line = 0;

    *text = (struct ocr_text)OCR_TEXT_INIT;
    while (table < end && text->count < OCR_WORDS_MAX) {
        const char *stop = memchr(table, '\n', (size_t)(end - table));
        struct ocr_word word;
        int numbers[NUMBERS];

        if (!stop)
            stop = end;
        if (take_row(table, stop, numbers, &word)) {
            line += text->count && !same_line(numbers, last);
            word.line = line;
            memcpy(last, numbers, sizeof(last));
            append(text, &word);
        }
        table = stop == end ? end : stop + 1;
    }
}

/* ---- under a finger ---- */

/* How far a point is from a box; 0 inside. */
static int distance(struct box box, int x, int y)
{
    int across = x < box.left     ? box.left - x
                 : x >= box.right ? x - box.right + 1
                                  : 0;
    int down = y < box.top       ? box.top - y
               : y >= box.bottom ? y - box.bottom + 1
                                 : 0;

    return across > down ? across : down;
}

static bool is_sure(const struct ocr_word *word)
{
    bool is_short = utf8_count(word->text.text) <= 2;

    return word->confidence >= (is_short ? CONFIDENT_SHORT : CONFIDENT);
}

/* The word nearest to a point, within half of its height. */
static const struct ocr_word *word_at(const struct ocr_text *text, int x, int y)
{
    const struct ocr_word *nearest = NULL;

    for (size_t i = 0; i < text->count; i++) {
        const struct ocr_word *word = &text->words[i];
        int far = distance(word->box, x, y);

        if (is_sure(word) && far <= box_height(word->box) / 2 &&
            (!nearest || far < distance(nearest->box, x, y)))
            nearest = word;
    }
    return nearest;
}

static int gap_between(struct box left, struct box right)
{
    return right.left - left.right;
}

/*
 * Do they belong together? Between words of one text there is clearly less
 * space than its letters are high; days of a month and keys are further apart.
 */
static bool joins(const struct ocr_word *left, const struct ocr_word *right)
{
    int a = box_height(left->box);
    int b = box_height(right->box);

    return left->confidence >= CONFIDENT && right->confidence >= CONFIDENT &&
           left->line == right->line &&
           gap_between(left->box, right->box) <= (a > b ? a : b) * 3 / 4;
}

/* Characters that OCR reads for icons and for lines between texts. */
static bool is_icon(const struct ocr_word *word)
{
    const char *text = word->text.text;

    return !text[strspn(text, "@|=~*()<>[]{}\\/_")] || !strcmp(text, "©") ||
           !strcmp(text, "®");
}

/* Chinese and Japanese, their punctuation and wide forms. */
static bool is_wide(uint32_t character)
{
    return (character >= 0x2e80 && character <= 0x9fff) ||
           (character >= 0xf900 && character <= 0xfaff) ||
           (character >= 0xff00 && character <= 0xffef) ||
           (character >= 0x20000 && character <= 0x3ffff);
}

static bool starts_wide(const char *text)
{
    size_t bytes;

    return is_wide(utf8_decode(text, strlen(text), &bytes));
}

static bool ends_wide(const char *text)
{
    size_t length = strlen(text);
    size_t start = length - 1;
    size_t bytes;

    while (start && ((unsigned char)text[start] & 0xc0) == 0x80)
        start--;
    return is_wide(utf8_decode(text + start, length - start, &bytes));
}

/* Chinese is written without spaces; next to a Latin word, the gap decides. */
static bool has_space(const struct ocr_word *left, const struct ocr_word *right)
{
    bool a = ends_wide(left->text.text);
    bool b = starts_wide(right->text.text);

    if (a != b)
        return gap_between(left->box, right->box) > box_height(left->box) / 3;
    return !a;
}

bool ocr_text_at(const struct ocr_text *text, int x, int y,
                 struct phrase *words, struct box *box)
{
    const struct ocr_word *first = word_at(text, x, y);
    const struct ocr_word *end = text->words + text->count;
    struct buf joined = BUF_INIT(TEXT_MAX);
    const struct ocr_word *last = first;
    struct box around;

    if (!first)
        return false;
    while (first > text->words && joins(first - 1, first))
        first--;
    while (last + 1 < end && joins(last, last + 1))
        last++;
    while (first < last && is_icon(first))
        first++;
    while (first < last && is_icon(last))
        last--;
    around = first->box;
    buf_text(&joined, first->text.text);
    while (first < last) {
        if (has_space(first, first + 1))
            buf_byte(&joined, ' ');
        first++;
        buf_text(&joined, first->text.text);
        around = box_join(around, first->box);
    }
    phrase_clean(buf_cstr(&joined), words);
    buf_release(&joined);
    *box = around;
    return true;
}
