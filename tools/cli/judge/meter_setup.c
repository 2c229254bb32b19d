#include "tools/cli/judge/meter_setup.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "tools/cli/run/run_phones.h"

#define SEED_DEFAULT 1

const char *const meter_setup_locales[] = {"both", "en", "zh", NULL};

bool meter_setup_sample(const char *text, struct meter_cases_choice *choice,
                        struct err *err)
{
    unsigned long long count;
    unsigned long long number = 0;
    char *end;

    if (!text)
        return true;
    errno = 0;
    count = strtoull(text, &end, 10);
    if (*end == ':' && isxdigit((unsigned char)end[1]))
        number = strtoull(end + 1, &end, 16);
    if (!isdigit((unsigned char)*text) || *end || errno || !count)
        return err_set(err, ERR_INVALID,
                       "--sample %.60s: expected how many tasks, as in 16, or "
                       "also which, in hexadecimal, as in 16:4f7aeac1",
                       text);
    choice->sample = (size_t)count;
    choice->sample_number = number;
    return true;
}

bool meter_setup_configs(const struct option_texts *seeds,
                         const struct option_texts *skins, int locale,
                         struct meter_config configs[METER_CONFIGS_MAX],
                         size_t *count, struct err *err)
{
    size_t seed_count = seeds->count ? seeds->count : 1;
    size_t skin_count = skins->count ? skins->count : 1;

    *count = 0;
    for (size_t i = 0; i < seed_count * skin_count * 2; i++) {
        const char *language = i % 2 ? "zh" : "en";
        int64_t seed = SEED_DEFAULT;
        int64_t skin = 0;

        if (locale && strcmp(language, meter_setup_locales[locale]) != 0)
            continue;
        if ((seeds->count &&
             !run_phones_number("seed", seeds->items[i / 2 % seed_count], 0,
                                JSON_INT_MAX, &seed, err)) ||
            (skins->count &&
             !run_phones_number("skin", skins->items[i / 2 / seed_count], 0,
                                INT_MAX, &skin, err)))
            return false;
        if (*count == METER_CONFIGS_MAX)
            return err_set(err, ERR_LIMIT,
                           "more than %d seeds, skins and languages",
                           METER_CONFIGS_MAX);
        configs[(*count)++] = (struct meter_config){
            .seed = seed, .skin = (int)skin, .locale = language};
    }
    return true;
}

bool meter_setup_folder(const char *out, struct buf *folder, struct err *err)
{
    char unique[] = "/tmp/proctor-meter-XXXXXX";

    if (out) {
        buf_text(folder, out);
        return file_make_folder(out, 0777, err);
    }
    if (!mkdtemp(unique))
        return err_errno(err, errno, "make a folder in /tmp");
    buf_text(folder, unique);
    return true;
}
