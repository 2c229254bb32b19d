/*
 * The limit: what loopback TCP itself takes, without any protocol.
 *
 * A request has the size of an ADB header and says how many bytes it wants;
 * none means that it is to be sent back.
 */
#ifndef TOOLS_BENCHMARK_BARE_H
#define TOOLS_BENCHMARK_BARE_H

#include "tools/benchmark/socket.h"

#define BARE_FRAME_SIZE ((size_t)1080 * 2400 * 4)

/* The answering side, for socket_serve: with a piece that never leaves the
 * cache, or with a frame, as a phone has to. */
void bare_serve(int fd);
void bare_serve_frames(int fd);

/* The asking side. */
MUST_USE bool bare_ping(int fd, struct err *err);
MUST_USE bool bare_fetch(int fd, char *data, size_t size, struct err *err);
MUST_USE bool bare_fetch_file(int fd, size_t size, const char *path,
                              struct err *err);

#endif
