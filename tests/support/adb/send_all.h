#ifndef TESTS_SUPPORT_ADB_SEND_ALL_H
#define TESTS_SUPPORT_ADB_SEND_ALL_H

#include <stdbool.h>
#include <stddef.h>

/* Send all of data over a blocking socket; false if the other end is closed. */
bool send_all(int fd, const char *data, size_t size);

#endif
