/*
 * A phone that does no work: it has its answers ready for whoever observes it
 * and acts on it, so that what is measured is proctor's part of a step.
 *
 * Each `input` opens or closes a sheet over an eighth of its screen.
 */
#ifndef TOOLS_BENCHMARK_CANNED_PHONE_H
#define TOOLS_BENCHMARK_CANNED_PHONE_H

#include "base/buf.h"
#include "base/err.h"

#define CANNED_NODES 150U

/* The phone's side of one connection, for socket_serve. */
void canned_phone_serve(int fd);

/* The picture that it shows first, as a PNG. */
MUST_USE bool canned_phone_picture(struct buf *png, struct err *err);

#endif
