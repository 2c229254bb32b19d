/* The device side of adb's framebuffer: the screen's pixels, uncompressed. */
#ifndef PHONE_FRAMEBUFFER_SERVER_H
#define PHONE_FRAMEBUFFER_SERVER_H

#include "adb/daemon.h"

/* A daemon_serve_fn for "framebuffer:", whose context is a
 * struct screen_context. */
daemon_serve_fn framebuffer_server_serve;

#endif
