#include "process_provider/pictures/icon_library.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/picture/canvas.h"
#include "process_provider/describe/describe.h"
#include "process_provider/pictures/icon_names.h"

#define FONT                                                                   \
    "/usr/share/fonts/truetype/material-design-icons-iconfont/"                \
    "MaterialIcons-Regular.ttf"
#define WIDTH 720
#define HEIGHT 400
#define X 300
#define Y 200

#define REFRESH 0xe5d5
#define STAR 0xe838

struct stage {
    struct picture_reader *reader;
    struct picture_access access;
    FT_Library freetype;
    FT_Face face;
    struct picture picture;
    struct canvas canvas;
};

static int set_up(void **state)
{
    static struct stage stage;
    struct err err = ERR_INIT;

    stage.reader = picture_reader_open();
    stage.access =
        (struct picture_access){.reader = stage.reader, .by = DEADLINE_NEVER};
    assert_true(
        icon_library_complete(picture_reader_icons(stage.reader), &err));
    assert_int_equal(FT_Init_FreeType(&stage.freetype), 0);
    assert_int_equal(FT_New_Face(stage.freetype, FONT, 0, &stage.face), 0);
    assert_true(picture_resize(&stage.picture, WIDTH, HEIGHT, &err));
    canvas_init(&stage.canvas, &stage.picture);
    *state = &stage;
    return 0;
}

static int tear_down(void **state)
{
    struct stage *stage = *state;

    picture_reader_close(stage->reader);
    FT_Done_Face(stage->face);
    FT_Done_FreeType(stage->freetype);
    picture_release(&stage->picture);
    return 0;
}

static void paint(struct stage *stage, uint32_t color)
{
    canvas_fill(&stage->canvas, (struct box){0, 0, WIDTH, HEIGHT}, color);
}

/* Draw an icon with its center at (X, Y). */
static void draw(struct stage *stage, uint32_t character, unsigned size,
                 uint32_t color)
{
    const FT_Bitmap *bitmap = &stage->face->glyph->bitmap;
    struct box box;

    assert_int_equal(FT_Set_Pixel_Sizes(stage->face, 0, size), 0);
    assert_int_equal(FT_Load_Char(stage->face, character, FT_LOAD_RENDER), 0);
    assert_int_equal(bitmap->pitch, bitmap->width);
    box.left = X - (int)bitmap->width / 2;
    box.top = Y - (int)bitmap->rows / 2;
    box.right = box.left + (int)bitmap->width;
    box.bottom = box.top + (int)bitmap->rows;
    canvas_mask(&stage->canvas, box, bitmap->buffer, color);
}

static void assert_icon(struct stage *stage, int x, int y, const char *name)
{
    struct icon_match icon = icon_library_find(
        picture_reader_icons(stage->reader), &stage->picture, x, y);

    if (!name) {
        assert_null(icon.name);
        return;
    }
    assert_non_null(icon.name);
    assert_string_equal(icon.name, name);
    assert_true(box_holds(icon.box, X, Y));
}

static void icons_are_recognized_by_their_shape(void **state)
{
    static const struct {
        unsigned size;
        uint32_t ground;
        uint32_t ink;
    } looks[] = {
        {24, 0xffffffff, 0xff000000}, {36, 0xff202020, 0xffe0e0e0},
        {48, 0xff6200ee, 0xffffffff}, {64, 0xfff5f5f5, 0xffc0c0c0},
        {90, 0xff00897b, 0xffffd600},
    };
    struct stage *stage = *state;

    for (size_t i = 0; i < ARRAY_LEN(looks); i++) {
        paint(stage, looks[i].ground);
        draw(stage, REFRESH, looks[i].size, looks[i].ink);
        assert_icon(stage, X, Y, "refresh");
    }
}

/* A few have such similar shapes that they are confused. */
static void nearly_all_icons_are_distinguished(void **state)
{
    struct stage *stage = *state;
    unsigned drawn = 0;
    unsigned known = 0;

    for (size_t i = 0; i < icon_name_count; i++) {
        struct icon_match icon;

        paint(stage, 0xfffafafa);
        draw(stage, icon_names[i].looks[ICON_FONT_GOOGLE][0], 44, 0xff3c4043);
        icon = icon_library_find(picture_reader_icons(stage->reader),
                                 &stage->picture, X, Y);
        drawn++;
        if (icon.name && !strcmp(icon.name, icon_names[i].name))
            known++;
        else
            printf("%s was taken for %s\n", icon_names[i].name,
                   icon.name ? icon.name : "none");
    }
    printf("%u of %u known\n", known, drawn);
    assert_true(known * 100 >= drawn * 97);
}

static void tap_beside_an_icon_finds_it(void **state)
{
    struct stage *stage = *state;

    paint(stage, 0xffffffff);
    draw(stage, REFRESH, 44, 0xff000000);
    assert_icon(stage, X + 30, Y, "refresh");
    assert_icon(stage, X + 80, Y, NULL);
}

static void background_of_an_icon_is_ignored(void **state)
{
    struct stage *stage = *state;

    paint(stage, 0xffffffff);
    canvas_round(&stage->canvas, (struct box){X - 45, Y - 45, X + 45, Y + 45},
                 45, 0xff1a73e8);
    draw(stage, STAR, 44, 0xffffffff);
    assert_icon(stage, X, Y, "star");
}

static void empty_place_is_no_icon(void **state)
{
    struct stage *stage = *state;

    paint(stage, 0xffffffff);
    assert_icon(stage, X, Y, NULL);
    assert_icon(stage, -1, Y, NULL);
    assert_icon(stage, X, HEIGHT, NULL);
    canvas_round(&stage->canvas, (struct box){X - 45, Y - 20, X + 45, Y + 20},
                 8, 0xff1a73e8);
    assert_icon(stage, X, Y, NULL);
}

static void noise_is_no_icon(void **state)
{
    struct stage *stage = *state;
    uint32_t seed = 1;

    for (size_t i = 0; i < stage->picture.stride * HEIGHT; i++) {
        seed = seed * 1664525U + 1013904223U;
        stage->picture.pixels[i] = (uint8_t)(seed >> 24);
    }
    for (int x = 0; x < WIDTH; x += 40)
        assert_icon(stage, x, Y, NULL);
}

/* ---- descriptions ---- */

static const struct picture *show(void *stage)
{
    return &((struct stage *)stage)->picture;
}

static const struct picture *show_nobody(void *stage)
{
    (void)stage;
    fail_msg("there is a name, and still the picture was looked at");
    return NULL;
}

#define SCREEN(attributes)                                                     \
    "<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" "    \
    "package=\"com.app\" bounds=\"[0,0][720,400]\">"                           \
    "<node class=\"android.widget.ImageButton\" "                              \
    "clickable=\"true\" " attributes                                           \
    " package=\"com.app\" bounds=\"[260,160][340,240]\"/></node></hierarchy>"

static void assert_says(const char *xml, struct scene scene, const char *says)
{
    struct tree tree = TREE_INIT;
    struct description description;
    struct err err = ERR_INIT;

    if (xml) {
        assert_true(tree_read(&tree, xml, strlen(xml), &err));
        scene.tree = &tree;
    }
    describe_tap(&scene, X, Y, &description);
    assert_string_equal(description.text, says);
    tree_release(&tree);
}

static void picture_is_used_if_the_tree_has_no_name(void **state)
{
    struct stage *stage = *state;
    const struct scene seen = {
        .picture = show, .from = stage, .access = &stage->access};
    const struct scene unseen = {.picture = show_nobody,
                                 .access = &stage->access};

    paint(stage, 0xffffffff);
    draw(stage, REFRESH, 44, 0xff000000);
    assert_says(NULL, seen,
                "tapped the icon 'refresh', which only the picture shows, at "
                "300,200");
    assert_says(SCREEN(""), seen,
                "tapped button without a name where the picture shows the icon "
                "'refresh'");
    assert_says(SCREEN("content-desc=\"Image\""), seen,
                "tapped button 'Image' where the picture shows the icon "
                "'refresh'");
    assert_says(SCREEN("content-desc=\"Reload\""), unseen,
                "tapped button 'Reload'");
    paint(stage, 0xffffffff);
    assert_says(NULL, seen, "tapped nothing: an empty place at 300,200");
}

/* The description of a picture that cannot be used, and the reason. */
static void assert_doubts(const char *xml, const struct scene *with,
                          enum err_code code, const char *says)
{
    struct scene scene = *with;
    struct tree tree = TREE_INIT;
    struct description description;
    struct err err = ERR_INIT;

    assert_true(tree_read(&tree, xml, strlen(xml), &err));
    scene.tree = &tree;
    describe_tap(&scene, X, Y, &description);
    assert_string_equal(description.text, "tapped button without a name");
    assert_int_equal(description.doubt.code, code);
    if (!strstr(description.doubt.text, says))
        fail_msg("\"%s\"\n  does not say \"%s\"", description.doubt.text, says);
    tree_release(&tree);
}

static void a_picture_of_another_size_than_its_tree_is_refused(void **state)
{
    static const char half[] =
        "<node class=\"android.widget.FrameLayout\" package=\"com.app\" "
        "bounds=\"[0,0][1440,800]\"><node "
        "class=\"android.widget.ImageButton\" clickable=\"true\" "
        "package=\"com.app\" bounds=\"[260,160][340,240]\"/></node>";
    static const char twice[] =
        "<node class=\"android.widget.FrameLayout\" package=\"com.app\" "
        "bounds=\"[0,0][360,250]\"><node "
        "class=\"android.widget.ImageButton\" clickable=\"true\" "
        "package=\"com.app\" bounds=\"[260,160][340,240]\"/></node>";
    struct stage *stage = *state;
    const struct scene seen = {
        .picture = show, .from = stage, .access = &stage->access};

    paint(stage, 0xffffffff);
    draw(stage, REFRESH, 44, 0xff000000);
    assert_doubts(half, &seen, ERR_INVALID,
                  "720 x 400 pixels and its tree 1440 x 800");
    assert_doubts(twice, &seen, ERR_INVALID, "its tree 360 x 250");
}

static void ocr_that_fails_is_a_doubt(void **state)
{
    struct stage *stage = *state;
    const struct picture_access late = {.reader = stage->reader,
                                        .by = deadline_in_ms(-1)};
    const struct scene seen = {.picture = show, .from = stage, .access = &late};

    paint(stage, 0xffffffff);
    canvas_fill(&stage->canvas, (struct box){285, 195, 318, 207}, 0xff000000);
    assert_doubts(SCREEN(""), &seen, ERR_TIMEOUT, "tesseract");
}

static void keys_of_a_password_are_not_described(void **state)
{
    static const char xml[] =
        "<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" "
        "package=\"com.app\" bounds=\"[0,0][720,400]\">"
        "<node class=\"android.widget.EditText\" password=\"true\" "
        "focused=\"true\" clickable=\"true\" package=\"com.app\" "
        "bounds=\"[0,0][720,80]\"/></node></hierarchy>";
    struct stage *stage = *state;
    const struct scene unseen = {.picture = show_nobody,
                                 .access = &stage->access};

    assert_says(xml, unseen, "tapped nothing: an empty place at 300,200");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(icons_are_recognized_by_their_shape),
        cmocka_unit_test(nearly_all_icons_are_distinguished),
        cmocka_unit_test(tap_beside_an_icon_finds_it),
        cmocka_unit_test(background_of_an_icon_is_ignored),
        cmocka_unit_test(empty_place_is_no_icon),
        cmocka_unit_test(noise_is_no_icon),
        cmocka_unit_test(picture_is_used_if_the_tree_has_no_name),
        cmocka_unit_test(a_picture_of_another_size_than_its_tree_is_refused),
        cmocka_unit_test(ocr_that_fails_is_a_doubt),
        cmocka_unit_test(keys_of_a_password_are_not_described),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
