/* A phone's output about itself, its windows and its trees. */
#include "runner/observe/screen_signals.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runner/device/app_name.h"
#include "runner/device/device_info.h"
#include "runner/device/device_settings.h"
#include "runner/observe/ui_dump.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = mem_dup_n((const char *)data, size);
    char package[APP_NAME_MAX];
    struct screen_signals signals;
    struct device_info facts;
    struct err err;
    bool secure;
    size_t at;

    screen_signals_parse(text, &signals);
    assert(signals.status_bar >= 0 && strlen(signals.package) < 256);
    assert(screen_signals_equal(&signals, &signals));
    device_info_parse(text, &facts);
    assert(facts.density > 0 && facts.screen.width >= 0);
    (void)ui_dump_classify(text, strlen(text), &at);
    assert(at <= strlen(text));
    (void)device_settings_is_locked(text, &secure);
    if (app_name_choose(text, "clock", package, &err))
        assert(*package);
    free(text);
    return 0;
}
