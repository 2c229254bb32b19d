/*
 * Data that flows in one direction through a forward: a client sends it and
 * closes its socket at once, and a slow server reads it.
 */
#ifndef TESTS_SUPPORT_ADB_ONE_WAY_H
#define TESTS_SUPPORT_ADB_ONE_WAY_H

#include <stdbool.h>
#include <stddef.h>

struct one_way {
    int listener;
    char endpoint[32]; /* the server's address, such as "tcp:40123" */
};

/* Fails the running test on errors. */
void one_way_start(struct one_way *server);
void one_way_stop(struct one_way *server);

/*
 * Send size bytes to entry, which is forwarded to the server. Returns how many
 * arrived unchanged and in order, up to the first error.
 */
size_t one_way_send(const struct one_way *server, const char *entry,
                    size_t size);

#endif
