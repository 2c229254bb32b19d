/*
 * The pixels of documents beside those that ImageMagick makes of the same
 * photo: shapes equal to the bit, colours and blend modes but for rounding, and
 * what has no exact definition (blur, scaling) alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/macros.h"
#include "base/picture/picture_file.h"
#include "tests/support/scratch_folder.h"
#include "tools/phone/pictures/picture_render.h"

#define SIZE(size) "{" size ",\"layers\":["
#define FULL SIZE("\"width\":384,\"height\":288")
#define PHOTO "{\"kind\":\"photo\",\"scene\":\"boat\",\"seed\":7"
#define OTHER "{\"kind\":\"photo\",\"scene\":\"cottage\",\"seed\":3"
#define STEP(step) PHOTO ",\"steps\":[{" step "}]}]}"
#define ADJUST(adjust) PHOTO "},{\"kind\":\"adjust\"," adjust "}]}"
#define BLEND(blend) PHOTO "}," OTHER ",\"blend\":\"" blend "\"}]}"
#define COMPOSE(compose) "photo.png other.png -compose " compose " -composite"

#define EXACT 200.0   /* PSNR of equal pictures is infinite */
#define ROUNDING 48.0 /* at most one step of 255, here and there */
#define ALIKE 36.0

static const struct {
    const char *document;
    const char *magick; /* arguments that make the same */
    double psnr;        /* at least */
} cases[] = {
    {FULL STEP("\"op\":\"flip\",\"way\":\"sides\""), "photo.png -flop", EXACT},
    {FULL STEP("\"op\":\"flip\",\"way\":\"ends\""), "photo.png -flip", EXACT},
    {SIZE("\"width\":288,\"height\":384")
         STEP("\"op\":\"rotate\",\"quarters\":1"),
     "photo.png -rotate 90", EXACT},
    {SIZE("\"width\":288,\"height\":288")
         STEP("\"op\":\"crop\",\"left\":48,\"top\":0,\"right\":336,"
              "\"bottom\":288"),
     "photo.png -crop 288x288+48+0 +repage", EXACT},
    {SIZE("\"width\":192,\"height\":144")
         STEP("\"op\":\"resize\",\"width\":192,\"height\":144"),
     "photo.png -filter Box -resize 192x144!", ALIKE},
    {FULL ADJUST("\"op\":\"invert\""), "photo.png -negate", EXACT},
    {FULL ADJUST("\"op\":\"gray\""), "photo.png -grayscale Rec601Luma",
     ROUNDING},
    {FULL ADJUST("\"op\":\"sepia\""),
     "photo.png -color-matrix '.393 .769 .189 .349 .686 .168 .272 .534 .131'",
     ROUNDING},
    {FULL ADJUST("\"op\":\"levels\",\"black\":51,\"white\":204,\"middle\":100"),
     "photo.png -level 20%,80%", ROUNDING},
    {FULL ADJUST("\"op\":\"levels\",\"black\":0,\"white\":255,\"middle\":200"),
     "photo.png -gamma 2", ROUNDING},
    {FULL ADJUST("\"op\":\"light\",\"brightness\":25"),
     "photo.png -evaluate Add 12.549%", ROUNDING},
    {FULL ADJUST("\"op\":\"hue\",\"saturation\":-100"),
     "photo.png -color-matrix '.213 .715 .072 .213 .715 .072 .213 .715 .072'",
     ROUNDING},
    {FULL STEP("\"op\":\"mosaic\",\"cell\":8"),
     "photo.png -scale 48x36! -scale 384x288!", ROUNDING},
    {FULL STEP("\"op\":\"blur\",\"radius\":6"),
     "photo.png -virtual-pixel edge -gaussian-blur 0x3.46", ALIKE},
    {FULL BLEND("multiply"), COMPOSE("Multiply"), ROUNDING},
    {FULL BLEND("screen"), COMPOSE("Screen"), ROUNDING},
    {FULL BLEND("overlay"), COMPOSE("Overlay"), ROUNDING},
    {FULL BLEND("darken"), COMPOSE("Darken"), ROUNDING},
    {FULL BLEND("lighten"), COMPOSE("Lighten"), ROUNDING},
    {FULL BLEND("difference"), COMPOSE("Difference"), ROUNDING},
    {FULL PHOTO "}," OTHER ",\"opacity\":40}]}",
     "photo.png other.png -compose Blend -define compose:args=40,60 -composite",
     ROUNDING},
};

static void save(const char *path, const char *text)
{
    struct picture_document document;
    struct picture picture = PICTURE_INIT;
    struct err err = ERR_INIT;

    if (!picture_document_parse(text, strlen(text), &document, &err) ||
        !picture_render(&document, &picture, &err) ||
        !picture_file_save(path, &picture, &err))
        fail_msg("%s: %s", text, err.text);
    picture_document_release(&document);
    picture_release(&picture);
}

static void run_shell(const char *command)
{
    pid_t pid = fork();
    int status;

    if (!pid) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
}

/* The PSNR of ours.png and what ImageMagick makes. */
static double compare_with(const char *magick)
{
    char command[512];
    struct buf printed = BUF_INIT(4096);
    struct err err;
    double psnr;

    snprintf(command, sizeof(command),
             ">psnr.txt; convert %s theirs.png && compare -alpha off -metric "
             "PSNR ours.png theirs.png null: 2>psnr.txt",
             magick);
    run_shell(command);
    if (!file_load("psnr.txt", &printed, &err) || !printed.length ||
        !strchr("0123456789i", *printed.data)) /* "inf" */
        fail_msg("%s: %s", command, buf_cstr(&printed));
    psnr = strtod(printed.data, NULL);
    buf_release(&printed);
    return psnr;
}

static void documents_look_as_imagemagick_has_them(void **state)
{
    size_t bad = 0;

    (void)state;
    if (access("/usr/bin/compare", X_OK) != 0)
        skip();
    assert_int_equal(chdir(scratch_folder_path()), 0);
    save("photo.png", FULL PHOTO "}]}");
    save("other.png", FULL OTHER "}]}");
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        double psnr;

        save("ours.png", cases[i].document);
        psnr = compare_with(cases[i].magick);
        if (psnr < cases[i].psnr) {
            print_error("%s: %.1f dB\n", cases[i].magick, psnr);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_look_as_imagemagick_has_them),
    };

    return cmocka_run_group_tests(tests, scratch_folder_enter,
                                  scratch_folder_leave);
}
