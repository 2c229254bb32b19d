/* Times as the phone displays them. Its time zone is UTC. */
#ifndef TOOLS_PHONE_SCREEN_CLOCK_TEXT_H
#define TOOLS_PHONE_SCREEN_CLOCK_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "tools/phone/screen/app.h"

/* "9:05" in English, "09:05" in Chinese. */
void clock_text_time(int64_t now, enum phone_locale locale, char *text,
                     size_t size);

/* "Mon, Jan 6" in English, "1月6日周一" in Chinese. */
void clock_text_date(int64_t now, enum phone_locale locale, char *text,
                     size_t size);

#endif
