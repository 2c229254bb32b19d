/* What a phone prints of an app: any text is read, within bounds. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/app_facts.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = mem_dup_n((const char *)data, size);
    struct app_facts facts = {.installed = false};

    app_facts_parse(text, "org.app", &facts);
    if (facts.asks.count < facts.granted.count ||
        (!facts.installed && facts.asks.count))
        abort();
    app_facts_release(&facts);
    free(text);
    return 0;
}
