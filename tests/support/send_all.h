#ifndef TESTS_SUPPORT_SEND_ALL_H
#define TESTS_SUPPORT_SEND_ALL_H

#include <stdbool.h>
#include <stddef.h>

/* Send all of data over a blocking socket; false: its other end is gone. */
bool send_all(int fd, const char *data, size_t size);

#endif
