#include "tools/phone/pictures/picture_document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/macros.h"

static bool parse(const char *text, struct picture_document *document,
                  struct err *err)
{
    return picture_document_parse(text, strlen(text), document, err);
}

static void members_have_their_defaults(void **state)
{
    struct picture_document document;
    struct err err = ERR_INIT;
    const struct picture_layer *layer;

    (void)state;
    assert_true(parse("{\"width\":384,\"height\":288,\"name\":\"x\","
                      "\"layers\":[{\"kind\":\"adjust\",\"op\":\"levels\","
                      "\"black\":9}]}",
                      &document, &err));
    layer = &document.layers[0];
    assert_int_equal(document.count, 1);
    assert_int_equal(layer->opacity, 100);
    assert_int_equal(layer->blend, LAYER_BLEND_NORMAL);
    assert_int_equal(layer->mask.kind, LAYER_MASK_NONE);
    assert_int_equal(layer->adjust.values[0], 9);
    assert_int_equal(layer->adjust.values[1], 255);
    assert_int_equal(layer->adjust.values[2], 100);
    picture_document_release(&document);
}

static void hidden_filters_are_left_out(void **state)
{
    struct picture_document document;
    struct err err = ERR_INIT;

    (void)state;
    assert_true(parse("{\"width\":8,\"height\":8,\"layers\":[{\"kind\":"
                      "\"blank\",\"filters\":[{\"op\":\"gray\",\"hidden\":true"
                      "},{\"op\":\"blur\",\"radius\":3}]}]}",
                      &document, &err));
    assert_int_equal(document.layers[0].filter_count, 1);
    assert_int_equal(document.layers[0].filters[0].kind, PIXEL_FILTER_BLUR);
    picture_document_release(&document);
}

static void wrong_members_are_named(void **state)
{
    static const struct {
        const char *layers;
        const char *wanted;
    } wrong[] = {
        {"[{}]", "layers[0]"},
        {"[{\"kind\":\"cloud\"}]", "no kind \"cloud\""},
        {"[{\"kind\":\"photo\",\"scene\":\"unicorn\"}]", "no scene"},
        {"[{\"kind\":\"blank\",\"blend\":\"mud\"}]", "no blend"},
        {"[{\"kind\":\"blank\",\"opacity\":101}]", "opacity"},
        {"[{\"kind\":\"blank\",\"steps\":[{\"op\":\"melt\"}]}]", "no filter"},
        {"[{\"kind\":\"blank\",\"steps\":[{\"op\":\"blur\",\"radius\":99}]}]",
         "radius"},
        {"[{\"kind\":\"blank\",\"steps\":[{\"op\":\"flip\",\"way\":\"x\"}]}]",
         "no way"},
        {"[{\"kind\":\"blank\",\"mask\":{\"kind\":\"subject\"}}]", "scene"},
        {"[{\"kind\":\"text\"}]", "text"},
        {"7", "layers"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct picture_document document;
        struct err err = ERR_INIT;
        char text[300];

        snprintf(text, sizeof(text), "{\"width\":8,\"height\":8,\"layers\":%s}",
                 wrong[i].layers);
        assert_false(parse(text, &document, &err));
        assert_non_null(strstr(err.text, wrong[i].wanted));
    }
}

/* A document of the head, one item more than there may be, and the tail. */
static void is_one_too_many(const char *head, const char *item, int most,
                            const char *tail, const char *wanted)
{
    struct picture_document document;
    struct err err = ERR_INIT;
    struct buf text = BUF_INIT(4000);

    buf_text(&text, head);
    for (int i = 0; i <= most; i++)
        buf_printf(&text, "%s%s", i ? "," : "", item);
    buf_text(&text, tail);
    assert_false(text.overflow);
    assert_false(parse(buf_cstr(&text), &document, &err));
    assert_non_null(strstr(err.text, wanted));
    buf_release(&text);
}

static void there_is_a_most_of_layers_and_of_steps(void **state)
{
    (void)state;
    is_one_too_many("{\"width\":8,\"height\":8,\"layers\":[{\"kind\":"
                    "\"blank\",\"steps\":[",
                    "{\"op\":\"gray\"}", DOCUMENT_STEPS_MAX, "]}]}",
                    "more than 32 steps");
    is_one_too_many("{\"width\":8,\"height\":8,\"layers\":[",
                    "{\"kind\":\"blank\"}", DOCUMENT_LAYERS_MAX, "]}",
                    "more than 12 layers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_have_their_defaults),
        cmocka_unit_test(hidden_filters_are_left_out),
        cmocka_unit_test(wrong_members_are_named),
        cmocka_unit_test(there_is_a_most_of_layers_and_of_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
