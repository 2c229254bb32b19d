/* Verdict files: a parsed verdict reads back the same after writing. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json_write.h"
#include "judge/verdict/verdict.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct verdict read;
    struct verdict again;
    struct buf text = BUF_INIT((size_t)64 << 20);
    struct cJSON *tree;
    struct err err;

    if (!verdict_parse((const char *)data, size, &read, &err))
        return 0;
    tree = verdict_to_json(&read);
    json_format(tree, &text);
    cJSON_Delete(tree);
    if (!verdict_parse(buf_cstr(&text), text.length, &again, &err) ||
        again.outcome != read.outcome || again.need_count != read.need_count ||
        again.met != read.met || strcmp(again.judge, read.judge) != 0)
        abort();
    buf_release(&text);
    verdict_release(&read);
    verdict_release(&again);
    return 0;
}
