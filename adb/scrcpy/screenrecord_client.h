/*
 * The screen of a phone as H.264 video by its own screenrecord (Android 4.4 and
 * later), for phones without scrcpy's server. There is no control, and nothing
 * arrives while the screen does not change.
 *
 * screenrecord ends after 180 s on Android before 14; it is then started again,
 * which begins with a configuration and a key frame. Its output has no
 * boundaries: a frame is complete when the next one begins, or when nothing has
 * arrived for 30 ms.
 */
#ifndef ADB_SCRCPY_SCREENRECORD_CLIENT_H
#define ADB_SCRCPY_SCREENRECORD_CLIENT_H

#include <stdbool.h>

#include "adb/device/device.h"
#include "adb/scrcpy/video_packet.h"

struct screenrecord_settings {
    struct extent size; /* of the video; 0 x 0: as the screen */
    int bit_rate;       /* bits per second; 0: 8 million */
};

struct screenrecord_client;

/*
 * Start screenrecord. Blocks until it has been started; whether it works shows
 * in the first packet. device is borrowed and must outlive the client. Fails as
 * device_open_service does.
 */
MUST_USE bool screenrecord_client_open(
    struct device *device, const struct screenrecord_settings *settings,
    struct deadline by, struct screenrecord_client **client, struct err *err);

/* NULL is fine. Does not block; no other call may be running. */
void screenrecord_client_close(struct screenrecord_client *client);

/*
 * Make all calls on client, now or later, fail with ERR_CANCELLED; one that
 * starts screenrecord again does so after 10 s at most.
 */
void screenrecord_client_interrupt(struct screenrecord_client *client);

/*
 * Wait for the next packet, from one thread at a time. Its data stays valid
 * until the next call. The time of a packet is that of its arrival.
 *
 * Fails with ERR_TIMEOUT (call again; nothing is lost), ERR_UNSUPPORTED (the
 * phone has no usable screenrecord: with its message), ERR_LOST, ERR_CANCELLED,
 * or ERR_LIMIT for a frame above VIDEO_PACKET_MAX.
 */
MUST_USE bool screenrecord_client_next(struct screenrecord_client *client,
                                       struct deadline by,
                                       struct video_packet *packet,
                                       struct err *err);

#endif
