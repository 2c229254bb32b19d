/* Tesseract's table: words are bounded, clean and have a position. */
#include <string.h>

#include "base/utf8.h"
#include "process_provider/pictures/ocr.h"
#include "tests/fuzz/fuzz.h"

static void expect_sane(const struct ocr_text *reading, size_t i)
{
    const struct ocr_word *word = &reading->words[i];
    const char *text = word->text.text;
    size_t left = strlen(text);

    fuzz_expect(!box_is_empty(word->box) && word->box.left >= 0 &&
                word->box.top >= 0);
    fuzz_expect(word->confidence <= 100);
    fuzz_expect(left > 0 && left < PHRASE_MAX);
    fuzz_expect(i == 0 ? word->line == 0
                       : word->line - reading->words[i - 1].line <= 1);
    while (left) {
        size_t bytes = utf8_first(text, left);

        fuzz_expect(bytes > 0);
        text += bytes;
        left -= bytes;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ocr_text reading;

    ocr_parse((const char *)data, size, &reading);
    fuzz_expect(reading.count <= OCR_WORDS_MAX);
    for (size_t i = 0; i < reading.count; i++) {
        struct box box = reading.words[i].box;
        struct phrase words = {.text = ""};
        struct box around = box;
        bool found;

        expect_sane(&reading, i);
        found = ocr_text_at(&reading, box.left, box.top, &words, &around);
        fuzz_expect(found == (words.text[0] != '\0'));
        fuzz_expect(!box_is_empty(around));
    }
    ocr_text_release(&reading);
    return 0;
}
