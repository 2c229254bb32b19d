/* A phone's output about an app: any text is parsed within bounds. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/device/app_info.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = mem_dup_n((const char *)data, size);
    struct app_info facts = {.installed = false};

    app_info_parse(text, "org.app", &facts);
    if (facts.asks.count < facts.granted.count ||
        (!facts.installed && facts.asks.count))
        abort();
    app_info_release(&facts);
    free(text);
    return 0;
}
