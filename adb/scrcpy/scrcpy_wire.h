/*
 * The bytes on scrcpy's sockets, in both directions: the host and the built-in
 * phone use the same functions. Pure: no I/O. All integers are big-endian.
 *
 * Two layouts of the video are in use; control messages are the same in both.
 *
 *     layout 2 (2.1 to 3.3.4): codec u32, width u32, height u32; then packets:
 *         flags and PTS u64 (bit 63: config, bit 62: key frame), length u32
 *     layout 4 (4.0 and later): codec u32; then packets as above (bit 62:
 *         config, bit 61: key frame), or with bit 63 a session packet:
 *         flags u32, width u32, height u32
 */
#ifndef ADB_SCRCPY_SCRCPY_WIRE_H
#define ADB_SCRCPY_SCRCPY_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/extent.h"

/* ---- versions ---- */

struct scrcpy_version {
    unsigned major;
    unsigned minor;
    unsigned patch;
};

enum scrcpy_layout {
    SCRCPY_LAYOUT_2, /* 2.1 to 3.3.4 */
    SCRCPY_LAYOUT_4, /* 4.0 and later */
};

/*
 * Parse "3.3.4" or "4.0". Fails with ERR_INVALID for any other text, and with
 * ERR_UNSUPPORTED for a version before 2.1.
 */
MUST_USE bool scrcpy_version_parse(const char *text,
                                   struct scrcpy_version *version,
                                   struct err *err);

bool scrcpy_version_is_at_least(const struct scrcpy_version *version,
                                unsigned major, unsigned minor, unsigned patch);

enum scrcpy_layout scrcpy_version_layout(const struct scrcpy_version *version);

/* The largest scroll distance that a message of this version can contain. */
float scrcpy_version_scroll_max(const struct scrcpy_version *version);

/* ---- video ---- */

#define SCRCPY_DEVICE_NAME_SIZE 64
#define SCRCPY_CODEC_H264 0x68323634U /* "h264" */
#define SCRCPY_CODEC_DISABLED 0U
#define SCRCPY_CODEC_FAILED 1U

#define SCRCPY_VIDEO_HEADER_MAX 12
#define SCRCPY_PACKET_HEADER_SIZE 12

/* The largest side of a frame that is accepted. */
#define SCRCPY_SIDE_MAX 16384

/* The first bytes of the video. */
struct scrcpy_video_header {
    uint32_t codec;
    struct extent size; /* 0 x 0 in layout 4, where a session packet follows */
};

size_t scrcpy_video_header_size(enum scrcpy_layout layout);
void scrcpy_video_header_write(enum scrcpy_layout layout,
                               const struct scrcpy_video_header *header,
                               struct buf *out);

/*
 * Parse scrcpy_video_header_size() bytes. Fails with ERR_REMOTE when the server
 * says that it has no video, ERR_UNSUPPORTED for a codec other than H.264, and
 * ERR_PROTOCOL for an impossible size.
 */
MUST_USE bool scrcpy_video_header_parse(enum scrcpy_layout layout,
                                        const uint8_t *bytes,
                                        struct scrcpy_video_header *header,
                                        struct err *err);

enum scrcpy_packet_kind {
    SCRCPY_PACKET_SESSION, /* layout 4: the size of the frames that follow */
    SCRCPY_PACKET_CONFIG,
    SCRCPY_PACKET_KEY,
    SCRCPY_PACKET_DELTA,
};

struct scrcpy_packet_header {
    enum scrcpy_packet_kind kind;
    uint64_t pts_us;    /* KEY and DELTA; at most 61 bits */
    uint32_t length;    /* of the bytes that follow; 0 for SESSION */
    struct extent size; /* SESSION */
};

void scrcpy_packet_header_write(enum scrcpy_layout layout,
                                const struct scrcpy_packet_header *header,
                                struct buf *out);

/*
 * Parse SCRCPY_PACKET_HEADER_SIZE bytes. Fails with ERR_PROTOCOL for an
 * impossible size and ERR_LIMIT for a packet above VIDEO_PACKET_MAX.
 */
MUST_USE bool scrcpy_packet_header_parse(enum scrcpy_layout layout,
                                         const uint8_t *bytes,
                                         struct scrcpy_packet_header *header,
                                         struct err *err);

/* ---- control: from the host to the phone ---- */

enum scrcpy_control_type {
    SCRCPY_KEY = 0,
    SCRCPY_TEXT = 1,
    SCRCPY_TOUCH = 2,
    SCRCPY_SCROLL = 3,
    SCRCPY_BACK_OR_SCREEN_ON = 4,
    SCRCPY_EXPAND_NOTIFICATIONS = 5,
    SCRCPY_EXPAND_SETTINGS = 6,
    SCRCPY_COLLAPSE_PANELS = 7,
    SCRCPY_GET_CLIPBOARD = 8,
    SCRCPY_SET_CLIPBOARD = 9,
    SCRCPY_DISPLAY_POWER = 10,
    SCRCPY_ROTATE = 11,
    SCRCPY_HARD_KEYBOARD_SETTINGS = 15,
    SCRCPY_START_APP = 16,
    SCRCPY_RESET_VIDEO = 17, /* 3.0 and later */
    SCRCPY_CAMERA_TORCH = 18,
    SCRCPY_CAMERA_ZOOM_IN = 19,
    SCRCPY_CAMERA_ZOOM_OUT = 20,
    SCRCPY_RESIZE_DISPLAY = 21,
    SCRCPY_SCAN_FILE = 22,
};

/* The actions of a key (DOWN, UP) and of a finger. */
enum scrcpy_action {
    SCRCPY_DOWN = 0,
    SCRCPY_UP = 1,
    SCRCPY_MOVE = 2,
    SCRCPY_CANCEL = 3,
    SCRCPY_HOVER_MOVE = 7,
};

/* Modifiers in scrcpy_control.meta: Android's MetaState. */
#define SCRCPY_META_SHIFT 0x1U
#define SCRCPY_META_ALT 0x2U
#define SCRCPY_META_CTRL 0x1000U

#define SCRCPY_POINTER_MOUSE UINT64_MAX
#define SCRCPY_POINTER_FINGER (UINT64_MAX - 1)

#define SCRCPY_CONTROL_MAX ((size_t)256 * 1024)
#define SCRCPY_CLIPBOARD_MAX (SCRCPY_CONTROL_MAX - 14)
#define SCRCPY_TEXT_MAX 300
#define SCRCPY_APP_NAME_MAX 255

/* A place on a frame of the video; the size is that of this frame. */
struct scrcpy_position {
    int32_t x;
    int32_t y;
    uint16_t width;
    uint16_t height;
};

/* A control message; fields that the type does not have are 0. */
struct scrcpy_control {
    enum scrcpy_control_type type;
    uint8_t action;   /* KEY, TOUCH, BACK_OR_SCREEN_ON: enum scrcpy_action */
    uint32_t code;    /* KEY: Android's key code */
    uint32_t repeat;  /* KEY */
    uint32_t meta;    /* KEY */
    uint64_t pointer; /* TOUCH: one finger */
    struct scrcpy_position position; /* TOUCH, SCROLL */
    uint16_t pressure;               /* TOUCH: 0xffff is 1 */
    int16_t scroll_x;       /* SCROLL: positive is right; 0x7fff: the maximum */
    int16_t scroll_y;       /* SCROLL: positive is up */
    uint32_t action_button; /* TOUCH: the button that changed */
    uint32_t buttons;       /* TOUCH, SCROLL: those that are pressed */
    uint8_t copy_key;       /* GET_CLIPBOARD: 0 none, 1 copy, 2 cut */
    uint64_t sequence;      /* SET_CLIPBOARD: 0 asks for no acknowledgement */
    bool flag; /* SET_CLIPBOARD: paste; DISPLAY_POWER, CAMERA_TORCH: on */
    const char *text; /* borrowed, not terminated; TEXT, SET_CLIPBOARD,
                         START_APP, SCAN_FILE */
    size_t text_length;
};

/*
 * Append a message to out. Fails with ERR_LIMIT, and appends nothing, for a
 * text that is longer than its type allows.
 */
MUST_USE bool scrcpy_control_write(const struct scrcpy_control *control,
                                   struct buf *out, struct err *err);

/*
 * Parse the first message of bytes. *used is its size, or 0 while it is not
 * complete; control is written only if it is. Fails with ERR_PROTOCOL for an
 * unknown type, after which no further byte can be understood, and with
 * ERR_LIMIT for a message above SCRCPY_CONTROL_MAX.
 *
 * The messages for HID devices (12 to 14) are not known: their layout differs
 * between versions.
 */
MUST_USE bool scrcpy_control_parse(const uint8_t *bytes, size_t length,
                                   size_t *used, struct scrcpy_control *control,
                                   struct err *err);

/* A scroll distance as a number in a message, and back. */
int16_t scrcpy_scroll_encode(float distance, float max);
float scrcpy_scroll_decode(int16_t value, float max);

/* ---- replies: from the phone to the host, on the control socket ---- */

enum scrcpy_reply_type {
    SCRCPY_REPLY_CLIPBOARD = 0,
    SCRCPY_REPLY_CLIPBOARD_SET = 1, /* acknowledges SET_CLIPBOARD */
    SCRCPY_REPLY_HID_OUTPUT = 2,
};

struct scrcpy_reply {
    enum scrcpy_reply_type type;
    uint64_t sequence; /* CLIPBOARD_SET */
    const char *text;  /* borrowed, not terminated; CLIPBOARD */
    size_t text_length;
};

/* As for control messages. */
MUST_USE bool scrcpy_reply_write(const struct scrcpy_reply *reply,
                                 struct buf *out, struct err *err);
MUST_USE bool scrcpy_reply_parse(const uint8_t *bytes, size_t length,
                                 size_t *used, struct scrcpy_reply *reply,
                                 struct err *err);

#endif
