#include "judge/model/prompt_quote.h"

#include <string.h>

#include "base/json_write.h"
#include "base/sha256.h"

#define TEXT_MAX ((size_t)16 << 20)

struct prompt_quote_mark prompt_quote_mark(const char *const *texts,
                                           size_t count)
{
    struct buf all = BUF_INIT(TEXT_MAX);
    struct prompt_quote_mark mark;
    char hex[SHA256_HEX_SIZE];

    buf_text(&all, "proctor judge");
    for (size_t i = 0; i < count; i++) {
        /*
         * Includes the NUL, so that different lists never have the same bytes.
         */
        if (texts[i])
            buf_append(&all, texts[i], strlen(texts[i]) + 1);
    }
    sha256_hex(buf_cstr(&all), all.length, hex);
    buf_release(&all);
    memcpy(mark.text, hex, PROMPT_QUOTE_MARK_SIZE - 1);
    mark.text[PROMPT_QUOTE_MARK_SIZE - 1] = '\0';
    return mark;
}

static void add_string(struct buf *out, const char *text)
{
    struct cJSON *array = json_new_array();
    struct buf json = BUF_INIT(TEXT_MAX);

    json_add_string(array, NULL, text);
    json_format(array, &json);
    cJSON_Delete(array);
    /* Without the brackets of the array. */
    for (size_t i = 1; i + 1 < json.length; i++) {
        if (json.data[i] == '<')
            buf_text(out, "\\u003c");
        else if (json.data[i] == '>')
            buf_text(out, "\\u003e");
        else
            buf_byte(out, json.data[i]);
    }
    buf_release(&json);
}

void prompt_quote_block(struct buf *out, const struct prompt_quote_mark *mark,
                        const char *const *texts, size_t count, bool numbered)
{
    buf_printf(out, "[data %s]\n", mark->text);
    for (size_t i = 0; i < count; i++) {
        if (!texts[i])
            continue;
        if (numbered)
            buf_printf(out, "%zu. ", i + 1);
        add_string(out, texts[i]);
        buf_byte(out, '\n');
    }
    buf_printf(out, "[end %s]", mark->text);
}
