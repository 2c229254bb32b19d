/*
 * The command line of scrcpy's server:
 *
 *   CLASSPATH=FILE app_process / com.genymobile.scrcpy.Server VERSION
 * KEY=VALUE...
 */
#ifndef ADB_SCRCPY_SCRCPY_OPTIONS_H
#define ADB_SCRCPY_SCRCPY_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adb/scrcpy/scrcpy_wire.h"
#include "base/buf.h"
#include "base/err.h"

#define SCRCPY_SERVER_CLASS "com.genymobile.scrcpy.Server"

#define SCRCPY_SOCKET_MAX sizeof("scrcpy_00000000")
#define SCRCPY_NO_ID (-1)

#define SCRCPY_BIT_RATE 8000000

struct scrcpy_options {
    struct scrcpy_version version;
    int32_t id; /* scid: of the socket's name; SCRCPY_NO_ID: "scrcpy" */
    bool video;
    bool audio;
    bool control;
    int max_size;  /* longer side of the video; 0: as the screen */
    float max_fps; /* 0: no limit */
    int bit_rate;
    bool tunnel_forward; /* the server waits for connections */
    bool power_on;
    bool cleanup;            /* deletes its file at the end */
    bool clipboard_autosync; /* sends the clipboard whenever it changes */
    bool send_device_meta;
    bool send_frame_meta;
    bool send_dummy_byte;
    bool send_codec_meta; /* send_stream_meta in 4.0 and later */
};

/* The defaults of scrcpy. */
void scrcpy_options_init(struct scrcpy_options *options);

/* The abstract socket that the server opens, or connects to. */
void scrcpy_options_socket(const struct scrcpy_options *options,
                           char name[SCRCPY_SOCKET_MAX]);

/* Append VERSION and all options that are not a default. */
void scrcpy_options_write(const struct scrcpy_options *options,
                          struct buf *arguments);

/*
 * Read the arguments after the class. Fails with ERR_INVALID and a text as
 * scrcpy has it. Options that change nothing here are accepted.
 */
MUST_USE bool scrcpy_options_parse(const char *const *arguments, size_t count,
                                   struct scrcpy_options *options,
                                   struct err *err);

#endif
