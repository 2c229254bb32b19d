/* The device side of adb's framebuffer service: the screen's raw pixels. */
#ifndef TOOLS_PHONE_ADBD_FRAMEBUFFER_SERVER_H
#define TOOLS_PHONE_ADBD_FRAMEBUFFER_SERVER_H

#include "adb/daemon/daemon.h"

/* A daemon_serve_fn for "framebuffer:", whose context is a
 * struct screen_context. */
daemon_serve_fn framebuffer_server_serve;

#endif
