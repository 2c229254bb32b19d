/* The options of commands that measure on built-in phones: meter and zoo. */
#ifndef TOOLS_CLI_JUDGE_METER_SETUP_H
#define TOOLS_CLI_JUDGE_METER_SETUP_H

#include "tools/cli/command_line/option.h"
#include "tools/meter/meter_cases.h"
#include "tools/meter/meter_config.h"

#define METER_CONFIGS_MAX 256
#define METER_PHONES_DEFAULT 4

/* Names for the option of a language: "both", "en", "zh". */
extern const char *const meter_setup_locales[];

/*
 * "16" or "16:4f7aeac1": so many tasks, and which, in hexadecimal. NULL: all.
 * Fails with ERR_INVALID.
 */
MUST_USE bool meter_setup_sample(const char *text,
                                 struct meter_cases_choice *choice,
                                 struct err *err);

/*
 * Every seed (none: 1) in every skin (none: 0) in the language, of
 * meter_setup_locales. Fails with ERR_INVALID, and with ERR_LIMIT for too many.
 */
MUST_USE bool meter_setup_configs(
    const struct option_texts *seeds, const struct option_texts *skins,
    int locale, struct meter_config configs[METER_CONFIGS_MAX], size_t *count,
    struct err *err);

/* Make the folder of that name, or a new one in /tmp (NULL). */
MUST_USE bool meter_setup_folder(const char *out, struct buf *folder,
                                 struct err *err);

#endif
