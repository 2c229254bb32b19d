/* Words on real screens that are in no UI tree, read from screenshots. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/macros.h"
#include "base/picture/picture_file.h"
#include "process_provider/pictures/ocr.h"

#define NO_FIXTURES 77
#define GOAL 12U
#define KEYS_GOAL 24U

#define CALENDAR                                                               \
    "trajectories/mobilegptsys+MobileGPT__SimpleCalendar_createEvent/"         \
    "screenshots/"
#define KEYBOARD                                                               \
    "dumps/mobilegptsys+MobileGPT__Server__memory__log__Simple_Calendar__"     \
    "searchEvent__2024_08_02_16_30_32__xmls__2.jpg"
#define MUSIC "dumps/DeepEyeCrypto+DeepEyeMusic__diagnostics__"
#define BROWSER                                                                \
    "dumps/SageSELab+MotorEase__Data__RealData__Acr.Browser.Lightning__"       \
    "acr.browser.lightning_Bottom_Up_37.png"
#define CAR "dumps/MunkiJeon+IVI_OS_Auto_var00__quick_settings_bottom.png"

struct spot {
    const char *file;
    int x;
    int y;
    const char *words;
};

static const struct spot spots[] = {
    {CALENDAR "0.jpg", 231, 535, "29"},
    {CALENDAR "0.jpg", 540, 850, "7"},
    {CALENDAR "0.jpg", 231, 1143, "12"},
    {CALENDAR "3.jpg", 231, 535, "29"},
    {CALENDAR "3.jpg", 540, 850, "7"},
    {CALENDAR "3.jpg", 231, 1143, "12"},
    {CALENDAR "3.jpg", 845, 575, "laundry"},
    {CALENDAR "1.jpg", 593, 2147, "English"},
    {KEYBOARD, 59, 1686, "q"},
    {KEYBOARD, 537, 1545, "laundry's"},
    {MUSIC "after_video_tap.png", 560, 916, "Watch video on YouTube"},
    {MUSIC "final2_after_video_tap.png", 537, 1080, "1.0x"},
    {BROWSER, 500, 270, "TestTest Test - Google Search"},
    {CAR, 1440, 905, "II"},
};

/* The rows of a keyboard: the first key, and from key to key. */
struct screen_row {
    const char *keys;
    int x;
    int y;
};

static const struct screen_row rows[] = {
    {"qwertyuiop", 59, 1686},
    {"asdfghjkl", 112, 1840},
    {"zxcvbnm", 219, 1995},
};

#define KEY_STEP 107
#define KEYS 26U

static bool read_key(const struct picture *picture, int x, int y, char key)
{
    struct ocr_text reading = OCR_TEXT_INIT;
    struct phrase words = {.text = ""};
    struct err err = ERR_INIT;
    struct box ignored;

    if (!ocr_read_key(picture, x, y, NULL, DEADLINE_NEVER, NULL, &reading,
                      &err))
        fprintf(stderr, "%s\n", err.text);
    ocr_text_at(&reading, x, y, &words, &ignored);
    ocr_text_release(&reading);
    if (tolower((unsigned char)words.text[0]) == key && !words.text[1])
        return true;
    printf("missed: key %c: \"%s\"\n", key, words.text);
    return false;
}

static unsigned read_keyboard(void)
{
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;
    unsigned right = 0;

    if (!picture_file_load(TEST_FIXTURES "/" KEYBOARD, &picture, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 0;
    }
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        for (int k = 0; rows[i].keys[k]; k++)
            right += read_key(&picture, rows[i].x + k * KEY_STEP, rows[i].y,
                              rows[i].keys[k]);
    }
    picture_release(&picture);
    printf("%u of %u keys right\n", right, KEYS);
    return right;
}

/* As the converter does: a strip around the tap. */
static bool read_spot(const struct spot *spot, struct phrase *words,
                      struct err *err)
{
    struct picture picture = PICTURE_INIT;
    struct ocr_text reading = OCR_TEXT_INIT;
    struct box ignored;
    char path[1024];
    int reach;
    bool done;

    snprintf(path, sizeof(path), "%s/%s", TEST_FIXTURES, spot->file);
    if (!picture_file_load(path, &picture, err))
        return false;
    reach = (int)picture.width / 12;
    done = ocr_read(
        &picture,
        (struct box){0, spot->y - reach, (int)picture.width, spot->y + reach},
        NULL, DEADLINE_NEVER, NULL, &reading, err);
    if (!ocr_text_at(&reading, spot->x, spot->y, words, &ignored))
        *words = (struct phrase){.text = ""};
    ocr_text_release(&reading);
    picture_release(&picture);
    return done;
}

int main(void)
{
    int64_t start = clock_ns();
    unsigned right = 0;

    if (access(TEST_FIXTURES, R_OK))
        return NO_FIXTURES;
    for (size_t i = 0; i < ARRAY_LEN(spots); i++) {
        struct err err = ERR_INIT;
        struct phrase words;

        if (!read_spot(&spots[i], &words, &err)) {
            fprintf(stderr, "%s: %s\n", spots[i].file, err.text);
            return 1;
        }
        right += !strcmp(words.text, spots[i].words);
        if (strcmp(words.text, spots[i].words) != 0)
            printf("missed: \"%s\" at %d,%d of %s: \"%s\"\n", spots[i].words,
                   spots[i].x, spots[i].y, spots[i].file, words.text);
    }
    printf("%u of %zu right, %lld ms each\n", right, ARRAY_LEN(spots),
           (long long)((clock_ns() - start) / 1000000 /
                       (int64_t)ARRAY_LEN(spots)));
    return right >= GOAL && read_keyboard() >= KEYS_GOAL ? 0 : 1;
}
