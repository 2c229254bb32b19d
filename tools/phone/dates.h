/* The phone's times in words. Its zone is GMT. */
#ifndef PHONE_DATES_H
#define PHONE_DATES_H

#include <stdint.h>

#include "base/buf.h"

/*
 * Append time (nanoseconds since 1970) as date's format says: %Y %m %d and so
 * on, %s for seconds, %N for nanoseconds. What is unknown stays as it is.
 */
void dates_format(int64_t time, const char *format, struct buf *text);

#endif
