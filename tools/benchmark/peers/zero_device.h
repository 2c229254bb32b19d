/*
 * A device that does no work, so that what is measured is the way to it.
 *
 *   exec:…         sends a frame of ZERO_FRAME_SIZE bytes and ends
 *   anything else  sends ZERO_ANSWER and ends
 */
#ifndef TOOLS_BENCHMARK_PEERS_ZERO_DEVICE_H
#define TOOLS_BENCHMARK_PEERS_ZERO_DEVICE_H

#include <stddef.h>

#define ZERO_ANSWER "zero work\n"

/* One picture of 1080 by 2400 pixels, 4 bytes each. */
#define ZERO_FRAME_SIZE ((size_t)1080 * 2400 * 4)

/* The device's side of one connection, for loopback_socket_serve. */
void zero_device_serve(int fd);

#endif
