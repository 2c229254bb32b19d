#include "tools/phone/pictures/picture_render.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/picture/picture_transform.h"

#define PHOTO "{\"kind\":\"photo\",\"scene\":\"boat\",\"seed\":7"
#define DOCUMENT(layers)                                                       \
    "{\"width\":384,\"height\":288,\"layers\":[" layers "]}"

static void render(const char *text, struct picture *picture)
{
    struct picture_document document;
    struct err err = ERR_INIT;

    *picture = (struct picture)PICTURE_INIT;
    if (!picture_document_parse(text, strlen(text), &document, &err) ||
        !picture_render(&document, picture, &err))
        fail_msg("%s", err.text);
    picture_document_release(&document);
}

static const uint8_t *at(const struct picture *picture, uint32_t x, uint32_t y)
{
    return picture_row(picture, y) + (size_t)x * PICTURE_PIXEL;
}

/* The mean difference of two pictures of one size. */
static double difference(const struct picture *a, const struct picture *b)
{
    double sum = 0;

    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (uint32_t y = 0; y < a->height; y++) {
        for (uint32_t x = 0; x < a->width; x++) {
            for (int i = 0; i < 3; i++)
                sum += abs(at(a, x, y)[i] - at(b, x, y)[i]);
        }
    }
    return sum / (3.0 * a->width * a->height);
}

static double difference_of(const char *one, const char *other)
{
    struct picture a, b;
    double found;

    render(one, &a);
    render(other, &b);
    found = difference(&a, &b);
    picture_release(&a);
    picture_release(&b);
    return found;
}

static void two_flips_and_four_turns_are_none(void **state)
{
    (void)state;
    assert_true(
        difference_of(
            DOCUMENT(PHOTO "}"),
            DOCUMENT(PHOTO ",\"steps\":[{\"op\":\"flip\",\"way\":\"sides\"},"
                           "{\"op\":\"rotate\",\"quarters\":2},"
                           "{\"op\":\"flip\",\"way\":\"ends\"}]}")) == 0);
    assert_true(
        difference_of(DOCUMENT(PHOTO "}"),
                      DOCUMENT(PHOTO
                               ",\"steps\":[{\"op\":\"rotate\",\"quarters\":3},"
                               "{\"op\":\"rotate\",\"quarters\":1}]}")) == 0);
    assert_true(
        difference_of(DOCUMENT(PHOTO "}"),
                      DOCUMENT(PHOTO ",\"steps\":[{\"op\":\"flip\",\"way\":"
                                     "\"sides\"}]}")) > 5);
}

/* The same change gives the same pixels in the layer, above it, and smart. */
static void three_ways_of_one_change_look_the_same(void **state)
{
    const char *step =
        DOCUMENT(PHOTO ",\"steps\":[{\"op\":\"light\",\"brightness\":30}]}");

    (void)state;
    assert_true(
        difference_of(step, DOCUMENT(PHOTO ",\"filters\":[{\"op\":\"light\","
                                           "\"brightness\":30}]}")) == 0);
    assert_true(difference_of(
                    step, DOCUMENT(PHOTO "},{\"kind\":\"adjust\",\"op\":"
                                         "\"light\",\"brightness\":30}")) == 0);
}

static void mask_keeps_the_subject(void **state)
{
    struct picture plain, splash, mask = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    render(DOCUMENT(PHOTO "}"), &plain);
    render(DOCUMENT(PHOTO "},{\"kind\":\"adjust\",\"op\":\"gray\",\"mask\":{"
                          "\"kind\":\"subject\",\"scene\":\"boat\",\"seed\":7,"
                          "\"inverted\":true}}"),
           &splash);
    assert_true(scene_subject(scene_find("boat"), 7, &mask, &err));
    for (uint32_t y = 0; y < SCENE_HEIGHT; y++) {
        for (uint32_t x = 0; x < SCENE_WIDTH; x++) {
            const uint8_t *pixel = at(&splash, x, y);

            if (at(&mask, x, y)[0] == 255)
                assert_memory_equal(pixel, at(&plain, x, y), 3);
            else if (at(&mask, x, y)[0] == 0)
                assert_true(pixel[0] == pixel[1] && pixel[1] == pixel[2]);
        }
    }
    picture_release(&plain);
    picture_release(&splash);
    picture_release(&mask);
}

/* What was erased in a photo looks like what a mask hides, turned or not. */
static void erased_part_looks_like_a_masked_one(void **state)
{
    (void)state;
    assert_true(
        difference_of(
            DOCUMENT(PHOTO ",\"steps\":[{\"op\":\"flip\",\"way\":\"sides\"},"
                           "{\"op\":\"erase\",\"part\":\"background\"}]}"),
            DOCUMENT(PHOTO ",\"steps\":[{\"op\":\"flip\",\"way\":\"sides\"}],"
                           "\"mask\":{\"kind\":\"subject\",\"scene\":\"boat\","
                           "\"seed\":7,\"steps\":[{\"op\":\"flip\",\"way\":"
                           "\"sides\"}]}}")) < 0.1);
    assert_true(difference_of(
                    DOCUMENT(PHOTO ",\"steps\":[{\"op\":\"erase\",\"part\":"
                                   "\"subject\"}]}"),
                    DOCUMENT(PHOTO ",\"mask\":{\"kind\":\"subject\",\"scene\":"
                                   "\"boat\",\"seed\":7,\"inverted\":true}}")) <
                0.1);
    assert_true(
        difference_of(DOCUMENT(PHOTO "}"),
                      DOCUMENT(PHOTO ",\"steps\":[{\"op\":\"erase\",\"part\":"
                                     "\"subject\"}]}")) > 1);
}

static void healing_on_a_layer_of_its_own_is_the_same(void **state)
{
    struct scene_spot spot;
    char own[400];
    char apart[400];

    (void)state;
    scene_spots(7, 1, &spot);
    snprintf(own, sizeof(own),
             DOCUMENT(PHOTO ",\"spots\":1,\"steps\":[{\"op\":\"heal\",\"x\":%d,"
                            "\"y\":%d,\"radius\":14}]}"),
             spot.x, spot.y);
    snprintf(apart, sizeof(apart),
             DOCUMENT(PHOTO ",\"spots\":1},{\"kind\":\"blank\",\"steps\":[{"
                            "\"op\":\"heal\",\"x\":%d,\"y\":%d,\"radius\":14}]"
                            "}"),
             spot.x, spot.y);
    assert_true(difference_of(own, apart) == 0);
    assert_true(difference_of(own, DOCUMENT(PHOTO "}")) < 0.5);
    assert_true(difference_of(own, DOCUMENT(PHOTO ",\"spots\":1}")) > 0.1);
}

static void hidden_and_transparent_layers_are_not_seen(void **state)
{
    const char *plain = DOCUMENT(PHOTO "}");

    (void)state;
    assert_true(
        difference_of(plain, DOCUMENT(PHOTO "},{\"kind\":\"text\",\"text\":"
                                            "\"A\",\"hidden\":true}")) == 0);
    assert_true(difference_of(plain, DOCUMENT(PHOTO "},{\"kind\":\"text\","
                                                    "\"text\":\"A\",\"opacity\""
                                                    ":0}")) == 0);
    assert_true(difference_of(plain, DOCUMENT(PHOTO "},{\"kind\":\"text\","
                                                    "\"text\":\"A\"}")) > 0.05);
    assert_true(
        difference_of(plain, DOCUMENT(PHOTO "},{\"kind\":\"blank\"}")) == 0);
}

static void placed_layer_covers_only_its_place(void **state)
{
    struct picture plain, placed;

    (void)state;
    render(DOCUMENT(PHOTO "}"), &plain);
    render(DOCUMENT(PHOTO "},{\"kind\":\"photo\",\"scene\":\"tree\",\"seed\":3,"
                          "\"steps\":[{\"op\":\"place\",\"scale\":50,\"x\":25,"
                          "\"y\":25}]}"),
           &placed);
    assert_memory_equal(at(&plain, 300, 200), at(&placed, 300, 200), 4);
    assert_int_not_equal(memcmp(at(&plain, 60, 130), at(&placed, 60, 130), 3),
                         0);
    picture_release(&plain);
    picture_release(&placed);
}

/* A caption that was written before the picture was turned turns with it. */
static void text_turns_with_the_picture(void **state)
{
    struct picture level, turned, back = PICTURE_INIT;
    struct err err = ERR_INIT;

    (void)state;
    render(DOCUMENT("{\"kind\":\"text\",\"text\":\"A+B\",\"color\":255}"),
           &level);
    render("{\"width\":288,\"height\":384,\"layers\":[{\"kind\":\"text\","
           "\"text\":\"A+B\",\"color\":255,\"width\":384,\"height\":288,"
           "\"steps\":[{\"op\":\"rotate\",\"quarters\":1}]}]}",
           &turned);
    assert_true(picture_rotate(&turned, -1, &back, &err));
    assert_true(difference(&level, &back) == 0);
    picture_release(&level);
    picture_release(&turned);
    picture_release(&back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_flips_and_four_turns_are_none),
        cmocka_unit_test(three_ways_of_one_change_look_the_same),
        cmocka_unit_test(mask_keeps_the_subject),
        cmocka_unit_test(erased_part_looks_like_a_masked_one),
        cmocka_unit_test(healing_on_a_layer_of_its_own_is_the_same),
        cmocka_unit_test(hidden_and_transparent_layers_are_not_seen),
        cmocka_unit_test(placed_layer_covers_only_its_place),
        cmocka_unit_test(text_turns_with_the_picture),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
