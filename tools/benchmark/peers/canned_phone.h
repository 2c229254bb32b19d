/*
 * A phone without work: its answers to observing and acting are prepared, so
 * that only proctor's part of a step is measured.
 *
 * Each `input` opens or closes a sheet over an eighth of its screen.
 */
#ifndef TOOLS_BENCHMARK_PEERS_CANNED_PHONE_H
#define TOOLS_BENCHMARK_PEERS_CANNED_PHONE_H

#include "base/buf.h"
#include "base/err.h"

#define CANNED_NODES 150U

/* The phone's side of one connection, for loopback_socket_serve. */
void canned_phone_serve(int fd);

/* The picture that it shows first, as a PNG. */
MUST_USE bool canned_phone_picture(struct buf *png, struct err *err);

#endif
