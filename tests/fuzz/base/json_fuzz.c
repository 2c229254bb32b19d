/* JSON text: a parsed text parses to the same after formatting. */
#include "base/json.h"

#include <stdlib.h>

#include "base/json_write.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf text = BUF_INIT(16 * JSON_SIZE_MAX);
    struct cJSON *again = NULL;
    struct cJSON *tree = NULL;
    struct err err;

    if (!json_parse((const char *)data, size, &tree, &err))
        return 0;
    json_format(tree, &text);
    if (!json_parse(text.data, text.length, &again, &err))
        abort();
    buf_release(&text);
    cJSON_Delete(again);
    cJSON_Delete(tree);
    return 0;
}
