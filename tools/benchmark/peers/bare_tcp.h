/*
 * The limit: loopback TCP without any protocol.
 *
 * A request has the size of an ADB header and contains the number of bytes to
 * send; 0 means to echo it.
 */
#ifndef TOOLS_BENCHMARK_PEERS_BARE_TCP_H
#define TOOLS_BENCHMARK_PEERS_BARE_TCP_H

#include "tools/benchmark/peers/loopback_socket.h"

#define BARE_TCP_FRAME_SIZE ((size_t)1080 * 2400 * 4)

/*
 * The answering side, for loopback_socket_serve: with a buffer that stays in
 * the cache, or with a frame, as a phone has to.
 */
void bare_tcp_serve(int fd);
void bare_tcp_serve_frames(int fd);

/* The requesting side. */
MUST_USE bool bare_tcp_ping(int fd, struct err *err);
MUST_USE bool bare_tcp_fetch(int fd, char *data, size_t size, struct err *err);
MUST_USE bool bare_tcp_fetch_file(int fd, size_t size, const char *path,
                                  struct err *err);

#endif
