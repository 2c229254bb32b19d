/*
 * proctor-adb: an ADB host as a library. It needs no adb program.
 *
 *     struct padb *adb = padb_new(NULL);
 *     struct padb_device *phone = padb_open(adb, NULL, 5000, NULL);
 *     struct padb_output out;
 *
 *     if (padb_shell(phone, "getprop ro.product.model", 5000, &out, NULL))
 *         puts(out.text);
 *
 * Build with: cc program.c $(pkg-config --cflags --libs proctor-adb)
 *
 * Rules that hold for every function:
 *  - A function that can fail returns false (or NULL) and fills error, which
 *    may be NULL. Outputs are unchanged on failure.
 *  - timeout_ms limits the whole call; negative means no limit.
 *  - Several threads may use a device at the same time. One thread may read a
 *    stream while another one writes to it. Free an object only when no other
 *    call uses it.
 *  - The caller frees what it receives, with the function declared beside it.
 *    Those functions accept NULL.
 */
#ifndef ADB_PUBLIC_PROCTOR_ADB_H
#define ADB_PUBLIC_PROCTOR_ADB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PADB_API __attribute__((visibility("default")))

/* ---- failures ---- */

enum padb_code {
    PADB_OK,
    PADB_IO,           /* an operating system call failed */
    PADB_TIMEOUT,      /* timeout_ms passed first */
    PADB_CANCELLED,    /* padb_cancel was called */
    PADB_PROTOCOL,     /* the peer violated the protocol; disconnected */
    PADB_CLOSED,       /* the device ended this stream early */
    PADB_LOST,         /* the device is gone */
    PADB_UNREACHABLE,  /* nothing answers at that address */
    PADB_REFUSED,      /* the device does not offer that service */
    PADB_REMOTE,       /* the device reported a failure */
    PADB_UNAUTHORIZED, /* the device does not trust this computer */
    PADB_BUSY,         /* another program uses the device */
    PADB_DENIED,       /* this user has no permission for the device */
    PADB_NOT_FOUND,    /* no such device or file */
    PADB_INVALID,      /* an argument is invalid */
    PADB_LIMIT,        /* larger than the limit */
    PADB_NO_SPACE,     /* the disk is full */
    PADB_UNSUPPORTED,  /* this device does not support it */
};

struct padb_error {
    enum padb_code code;
    char text[256]; /* one line: the operation, and why it failed */
};

/* ---- the library ---- */

struct padb;

/* The library's version, such as "0.1.0". */
PADB_API const char *padb_version(void);

/*
 * Initialize the library. Reads the address of the adb server from the
 * environment (ANDROID_ADB_SERVER_PORT etc.) and the list of known phones.
 */
PADB_API struct padb *padb_new(struct padb_error *error);

/* All devices must have been closed. */
PADB_API void padb_free(struct padb *adb);

/*
 * Make all current and later calls fail with PADB_CANCELLED. May be called
 * from any thread and from a signal handler.
 */
PADB_API void padb_cancel(struct padb *adb);

/*
 * Set a callback for messages to the user while a phone is opened, one line
 * each: the phone asks its owner whether to trust this computer, an adb server
 * holds the phone and is used instead, or a key cannot be used. Called in the
 * thread that opens the phone.
 */
typedef void padb_notice_fn(void *context, const char *line);
PADB_API void padb_on_notice(struct padb *adb, padb_notice_fn *notice,
                             void *context);

/* ---- devices ---- */

struct padb_device;

struct padb_listed {
    const char *serial;
    const char *state; /* "device", "offline", "unauthorized", ... */
    const char *model; /* "" if unknown */
    bool through_server;
};

struct padb_list {
    struct padb_listed *items;
    size_t count;
};

/*
 * List the phones on USB and on the network, the emulators on this computer,
 * and the devices of a running adb server.
 */
PADB_API bool padb_devices(struct padb *adb, int timeout_ms,
                           struct padb_list *list, struct padb_error *error);
PADB_API void padb_list_free(struct padb_list *list);

/*
 * Open the device with this serial: "HOST:PORT", "emulator-5554", the serial of
 * a phone on USB, or a serial that an adb server lists. NULL opens the only
 * device that is available. If the phone asks its owner whether to trust this
 * computer, the owner has until timeout_ms passes, and a minute where there is
 * no limit.
 */
PADB_API struct padb_device *padb_open(struct padb *adb, const char *serial,
                                       int timeout_ms,
                                       struct padb_error *error);

/* All streams and forwards must have been closed. */
PADB_API void padb_close(struct padb_device *device);

PADB_API const char *padb_serial(const struct padb_device *device);

/* ---- commands ---- */

struct padb_output {
    char *text; /* stdout, NUL-terminated; may contain NULs */
    size_t length;
    char *errors; /* stderr; "" on devices that mix it into stdout */
    size_t errors_length;
    int status; /* exit status; -1 if the device did not report it */
};

/* Run a command and collect its output, at most 64 MiB. */
PADB_API bool padb_shell(struct padb_device *device, const char *command,
                         int timeout_ms, struct padb_output *output,
                         struct padb_error *error);
PADB_API void padb_output_free(struct padb_output *output);

/*
 * Quote text as one word for the device's shell. Untrusted text in a command
 * must be quoted with this. Free the result with padb_quoted_free.
 */
PADB_API char *padb_quote(const char *text);
PADB_API void padb_quoted_free(char *quoted);

/* ---- files ---- */

struct padb_stat {
    uint32_t mode; /* as in POSIX st_mode; 0: no such file */
    uint64_t size;
    int64_t mtime; /* seconds since 1970 */
};

PADB_API bool padb_stat(struct padb_device *device, const char *path,
                        int timeout_ms, struct padb_stat *stat,
                        struct padb_error *error);

/* Called for each name in a directory until it returns false. */
typedef bool padb_entry_fn(void *context, const char *name,
                           const struct padb_stat *stat);
PADB_API bool padb_list_directory(struct padb_device *device, const char *path,
                                  padb_entry_fn *entry, void *context,
                                  int timeout_ms, struct padb_error *error);

/*
 * Copy a file or a directory tree, with modes (pulled ones less the umask) and
 * times. A pulled file gets its name only when it is complete.
 */
PADB_API bool padb_push(struct padb_device *device, const char *local,
                        const char *remote, int timeout_ms,
                        struct padb_error *error);
PADB_API bool padb_pull(struct padb_device *device, const char *remote,
                        const char *local, int timeout_ms,
                        struct padb_error *error);

/* Install an APK; replaces an installed version of the app. */
PADB_API bool padb_install(struct padb_device *device, const char *apk,
                           int timeout_ms, struct padb_error *error);

/* ---- the screen ---- */

/* RGBA, 4 bytes per pixel; stride: bytes from one row to the next. */
struct padb_picture {
    uint32_t width;
    uint32_t height;
    size_t stride;
    uint8_t *pixels;
};

PADB_API bool padb_screenshot(struct padb_device *device, int timeout_ms,
                              struct padb_picture *picture,
                              struct padb_error *error);
PADB_API void padb_picture_free(struct padb_picture *picture);

/* ---- ports ---- */

struct padb_forward;

/*
 * Listen on local on this computer ("tcp:0" picks a free port, which
 * padb_forward_local returns) and forward each connection to remote on the
 * device.
 * At most 64 connections are open at once; a further one is reset.
 */
PADB_API struct padb_forward *padb_forward_start(struct padb_device *device,
                                                 const char *local,
                                                 const char *remote,
                                                 struct padb_error *error);
PADB_API const char *padb_forward_local(const struct padb_forward *forward);
PADB_API void padb_forward_stop(struct padb_forward *forward);

/*
 * Let the device listen on remote ("tcp:0" picks a free port, which is stored
 * in *port; port may be NULL) and forward each connection to local on this
 * computer. The device cannot open anything else on this computer. Ends when it
 * is removed or the device is closed.
 */
PADB_API bool padb_reverse_add(struct padb_device *device, const char *remote,
                               const char *local, int timeout_ms,
                               uint16_t *port, struct padb_error *error);
PADB_API bool padb_reverse_remove(struct padb_device *device,
                                  const char *remote, int timeout_ms,
                                  struct padb_error *error);

/* ---- any service ---- */

struct padb_stream;

/* Open an ADB service by its protocol name, such as "exec:cat" or "reboot:". */
PADB_API struct padb_stream *padb_stream_open(struct padb_device *device,
                                              const char *service,
                                              int timeout_ms,
                                              struct padb_error *error);

/* Read at least one byte. *got is 0 only at the end of the stream. */
PADB_API bool padb_stream_read(struct padb_stream *stream, void *data,
                               size_t size, int timeout_ms, size_t *got,
                               struct padb_error *error);
PADB_API bool padb_stream_write(struct padb_stream *stream, const void *data,
                                size_t size, int timeout_ms,
                                struct padb_error *error);
PADB_API void padb_stream_close(struct padb_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
