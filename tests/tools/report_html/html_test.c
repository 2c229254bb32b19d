/* Untrusted text in a page. */
#include "tools/report_html/html.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_write.h"
#include "base/macros.h"

static void text_is_escaped(void **state)
{
    static const struct {
        const char *text;
        const char *html;
    } cases[] = {
        {"a < b & c > d", "a &lt; b &amp; c &gt; d"},
        {"\"quoted\" 'twice'", "&quot;quoted&quot; &#39;twice&#39;"},
        {"&lt;", "&amp;lt;"},
        {"价格：低", "价格：低"},
        {"one\n\ttwo", "one\n\ttwo"},
        {"bell \a, escape \x1b[31m", "bell \uFFFD, escape \uFFFD[31m"},
        {"\x7f\xc2\x85", "\uFFFD\uFFFD"}, /* DEL, and NEL of C1 */
        {"a\u202Eb", "a\uFFFDb"},
        {"half \xe4\xbb", "half \uFFFD\uFFFD"},
        {"\xc0\xbcscript", "\uFFFD\uFFFDscript"}, /* an overlong "<" */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf html = BUF_INIT(1000);

        html_text(&html, cases[i].text);
        assert_string_equal(buf_cstr(&html), cases[i].html);
        buf_release(&html);
    }
}

/* Neither "</script" nor "<!--" occurs in it, and it reads back the same. */
static void data_cannot_leave_its_script(void **state)
{
    static const char hostile[] = "</script><!-- <SCRIPT> ]]> \\u003c";
    struct cJSON *tree = json_new_object(), *again;
    struct buf html = BUF_INIT(1000);

    (void)state;
    json_add_string(tree, hostile, hostile);
    html_json(&html, tree);
    assert_null(strchr(buf_cstr(&html), '<'));
    again = cJSON_Parse(buf_cstr(&html));
    assert_non_null(again);
    assert_string_equal(
        cJSON_GetObjectItemCaseSensitive(again, hostile)->valuestring, hostile);
    cJSON_Delete(again);
    cJSON_Delete(tree);
    buf_release(&html);
}

static void sources_are_named_by_their_hash(void **state)
{
    /* The example of the Content Security Policy's specification. */
    static const char script[] = "alert('Hello, world.');";
    struct buf html = BUF_INIT(1000);

    (void)state;
    html_source_hash(&html, script, strlen(script));
    assert_string_equal(
        buf_cstr(&html),
        "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='");
    buf_release(&html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(data_cannot_leave_its_script),
        cmocka_unit_test(sources_are_named_by_their_hash),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
