/* Points in time as a phone shows them. Its time zone is UTC. */
#ifndef PHONE_MOMENT_H
#define PHONE_MOMENT_H

#include <stddef.h>
#include <stdint.h>

#include "tools/phone/app.h"

/* "9:05" in English, "09:05" in Chinese. */
void moment_time(int64_t now, enum locale locale, char *text, size_t size);

/* "Mon, Jan 6" in English, "1月6日周一" in Chinese. */
void moment_date(int64_t now, enum locale locale, char *text, size_t size);

#endif
