/*
 * The screen of a phone as H.264 video, and control of the phone, by scrcpy's
 * server (2.1 or later). Its file is not part of proctor: it is found on this
 * computer and pushed for each client; the server deletes it when it ends.
 *
 * Nothing arrives while the screen does not change. For a viewer that comes
 * later, keep the last configuration, the last key frame and what followed it,
 * or ask for a new key frame (scrcpy_client_send, RESET_VIDEO).
 */
#ifndef ADB_SCRCPY_SCRCPY_CLIENT_H
#define ADB_SCRCPY_SCRCPY_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "adb/device/device.h"
#include "adb/scrcpy/scrcpy_server.h"
#include "adb/scrcpy/scrcpy_wire.h"
#include "adb/scrcpy/video_packet.h"
#include "base/buf.h"

struct scrcpy_settings {
    const char *server_path; /* as given for scrcpy_server_find */
    const char *version;  /* the server's; NULL: asked from it, which starts it
                             once more */
    int max_size;         /* longer side of the video; 0: as the screen */
    int max_fps;          /* 0: as the screen changes */
    int bit_rate;         /* bits per second; 0: 8 million */
    bool no_video;        /* control only */
    bool no_control;      /* video only */
    bool keep_screen_off; /* otherwise a screen that is off is turned on */
};

struct scrcpy_client;

/*
 * Push the server, start it and open its sockets. Blocks, typically for one
 * second on a phone. device is borrowed and must outlive the client.
 *
 * Fails with ERR_NOT_FOUND (no server file), ERR_UNSUPPORTED (Android before 5,
 * or a server before 2.1), ERR_REMOTE (the server does not start: with its
 * message), ERR_TIMEOUT, ERR_CANCELLED or ERR_LOST.
 */
MUST_USE bool scrcpy_client_open(struct device *device,
                                 const struct scrcpy_settings *settings,
                                 struct deadline by,
                                 struct scrcpy_client **client,
                                 struct err *err);

/* NULL is fine. Ends the server. Does not block; no other call may be running.
 */
void scrcpy_client_close(struct scrcpy_client *client);

/* Make all calls on client, now or later, fail with ERR_CANCELLED. */
void scrcpy_client_interrupt(struct scrcpy_client *client);

/* The server's version, such as "3.3.4"; borrowed. */
const char *scrcpy_client_version(const struct scrcpy_client *client);

/* The phone's name, such as "Pixel 8"; borrowed, UTF-8. */
const char *scrcpy_client_device_name(const struct scrcpy_client *client);

/*
 * Wait for the next packet of the video, from one thread at a time. Its data
 * stays valid until the next call. A changed size shows in a CONFIG packet. The
 * first packets are CONFIG and KEY.
 *
 * Fails with ERR_TIMEOUT (call again; nothing is lost), ERR_REMOTE (the server
 * has ended, with its message), ERR_LOST, ERR_CANCELLED or ERR_PROTOCOL.
 */
MUST_USE bool scrcpy_client_next(struct scrcpy_client *client,
                                 struct deadline by,
                                 struct video_packet *packet, struct err *err);

/*
 * The functions below act on the phone. They may be called from any thread and
 * block only until the message is sent, but for those that wait for an answer.
 * They fail with ERR_UNSUPPORTED for a client without control; ERR_TIMEOUT,
 * ERR_CLOSED, ERR_LOST and ERR_CANCELLED end the control.
 */

/*
 * Move one finger. position.width and height are the size of the video_packet
 * that the user saw: the phone ignores a touch for another size. pressure is
 * 0 to 1.
 */
MUST_USE bool scrcpy_client_touch(struct scrcpy_client *client,
                                  enum scrcpy_action action, uint64_t pointer,
                                  struct scrcpy_position position,
                                  float pressure, struct deadline by,
                                  struct err *err);

/* Turn the wheel of a mouse: positive is right and up, 1 is one notch. */
MUST_USE bool scrcpy_client_scroll(struct scrcpy_client *client,
                                   struct scrcpy_position position, float right,
                                   float up, struct deadline by,
                                   struct err *err);

/* Press or release a key, by Android's key code; meta: SCRCPY_META_... */
MUST_USE bool scrcpy_client_key(struct scrcpy_client *client,
                                enum scrcpy_action action, int code,
                                uint32_t meta, struct deadline by,
                                struct err *err);

/* Press and release a key. */
MUST_USE bool scrcpy_client_press(struct scrcpy_client *client, int code,
                                  struct deadline by, struct err *err);

/*
 * Type text in any script: printable ASCII as key presses, everything else by
 * the clipboard, as scrcpy_client_set_clipboard does. text is UTF-8 of any
 * length up to SCRCPY_CLIPBOARD_MAX (ERR_LIMIT).
 */
MUST_USE bool scrcpy_client_text(struct scrcpy_client *client, const char *text,
                                 struct deadline by, struct err *err);

/*
 * Put text into the phone's clipboard; with paste, also press the paste key
 * (Android 7 and later). Waits for the acknowledgement.
 */
MUST_USE bool scrcpy_client_set_clipboard(struct scrcpy_client *client,
                                          const char *text, bool paste,
                                          struct deadline by, struct err *err);

/*
 * Append the phone's clipboard to text. A phone whose clipboard is empty does
 * not answer: ERR_TIMEOUT, after which the client stays usable.
 */
MUST_USE bool scrcpy_client_get_clipboard(struct scrcpy_client *client,
                                          struct deadline by, struct buf *text,
                                          struct err *err);

/*
 * A message without arguments: BACK_OR_SCREEN_ON (pressed and released), the
 * panels, ROTATE, RESET_VIDEO. The last one makes the server send a
 * configuration and a key frame; ERR_UNSUPPORTED before 3.0.
 */
MUST_USE bool scrcpy_client_send(struct scrcpy_client *client,
                                 enum scrcpy_control_type type,
                                 struct deadline by, struct err *err);

/* Turn the display off, or on, while the phone stays awake. */
MUST_USE bool scrcpy_client_display_power(struct scrcpy_client *client, bool on,
                                          struct deadline by, struct err *err);

#endif
