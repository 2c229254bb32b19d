/* What a phone prints about itself, its windows and its trees. */
#include "runner/signals.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/app_name.h"
#include "runner/dump.h"
#include "runner/facts.h"
#include "runner/prepare.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = mem_dup_n((const char *)data, size);
    char package[APP_NAME_MAX];
    struct signals signals;
    struct facts facts;
    struct err err;
    bool secure;
    size_t at;

    signals_parse(text, &signals);
    assert(signals.status_bar >= 0 && strlen(signals.package) < 256);
    assert(signals_equal(&signals, &signals));
    facts_parse(text, &facts);
    assert(facts.density > 0 && facts.screen.width >= 0);
    (void)dump_judge(text, strlen(text), &at);
    assert(at <= strlen(text));
    (void)prepare_is_locked(text, &secure);
    if (app_name_choose(text, "clock", package, &err))
        assert(*package);
    free(text);
    return 0;
}
