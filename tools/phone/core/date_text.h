/* The phone's times as text. Its time zone is GMT. */
#ifndef TOOLS_PHONE_CORE_DATE_TEXT_H
#define TOOLS_PHONE_CORE_DATE_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/macros.h"
#include "tools/phone/core/clock.h"

/*
 * Append time (nanoseconds since 1970) in the format of the date command: %Y %m
 * %d and so on, %s for seconds, %N for nanoseconds, %3N for milliseconds.
 * Unknown conversions are copied.
 */
void date_text_format(int64_t time, const char *format, struct buf *text);

/*
 * A duration in toybox's syntax: a number with a fraction and a unit (s, m, h,
 * d), in nanoseconds. At most a century.
 */
MUST_USE bool dates_duration(const char *text, int64_t *nanoseconds);

#define DATES_DURATION_MAX (INT64_C(3155760000) * PHONE_SECOND)

#endif
