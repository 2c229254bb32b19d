/*
 * proctor-adb: an ADB host as a library, with no adb binary behind it.
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
 *  - What can fail returns false (or NULL) and then fills error, which may be
 *    NULL; outputs are untouched on failure.
 *  - timeout_ms bounds the whole call; negative means no limit.
 *  - A device may be used from several threads at once. A stream has one
 *    reader and one writer. Freeing waits for nobody: be done with it first.
 *  - Everything handed out is freed by the function named beside it; those
 *    accept NULL.
 */
#ifndef PROCTOR_ADB_H
#define PROCTOR_ADB_H

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
    PADB_IO,           /* the operating system said no */
    PADB_TIMEOUT,      /* timeout_ms passed first */
    PADB_CANCELLED,    /* padb_cancel was called */
    PADB_PROTOCOL,     /* the peer broke the rules and was cut off */
    PADB_CLOSED,       /* the device ended this one stream early */
    PADB_LOST,         /* the device is gone */
    PADB_UNREACHABLE,  /* nobody answers at that address */
    PADB_REFUSED,      /* the device does not offer that service */
    PADB_REMOTE,       /* the device tried, and reports its own failure */
    PADB_UNAUTHORIZED, /* the device does not trust this computer */
    PADB_BUSY,         /* somebody else uses the device */
    PADB_DENIED,       /* this user may not use the device */
    PADB_NOT_FOUND,    /* no such device or file */
    PADB_INVALID,      /* an argument makes no sense */
    PADB_LIMIT,        /* larger than can be taken */
    PADB_NO_SPACE,     /* the disk is full */
    PADB_UNSUPPORTED,  /* this device cannot do that */
};

struct padb_error {
    enum padb_code code;
    char text[256]; /* what was being done and why it failed, one line */
};

/* ---- the library ---- */

struct padb;

/* The library's version, such as "0.1.0". */
PADB_API const char *padb_version(void);

/*
 * Everything starts here. Reads where the adb server is from the environment
 * (ANDROID_ADB_SERVER_PORT and its kin) and which phones are known.
 */
PADB_API struct padb *padb_new(struct padb_error *error);

/* All devices must have been closed. */
PADB_API void padb_free(struct padb *adb);

/*
 * End every call under way, and all later ones, with PADB_CANCELLED. May be
 * called from any thread and from a signal handler.
 */
PADB_API void padb_cancel(struct padb *adb);

/*
 * Be told, in one line each, what people should know while a phone is opened:
 * that it asks its owner whether to trust this computer, or that an adb server
 * holds it and is used. Called on the thread that opens it.
 */
typedef void padb_notice_fn(void *context, const char *line);
PADB_API void padb_on_notice(struct padb *adb, padb_notice_fn *notice,
                             void *context);

/* ---- devices ---- */

struct padb_device;

struct padb_listed {
    const char *serial;
    const char *state; /* "device", "offline", "unauthorized", ... */
    const char *model; /* "" when not told */
    bool through_server;
};

struct padb_list {
    struct padb_listed *items;
    size_t count;
};

/* On USB, on the network, emulators here, and those of an adb server. */
PADB_API bool padb_devices(struct padb *adb, int timeout_ms,
                           struct padb_list *list, struct padb_error *error);
PADB_API void padb_list_free(struct padb_list *list);

/*
 * Open the device with that serial: "HOST:PORT", "emulator-5554", that of a
 * phone on USB, or what an adb server calls it. NULL opens the only one there
 * is. A phone's owner who is asked has a minute, whatever timeout_ms says.
 */
PADB_API struct padb_device *padb_open(struct padb *adb, const char *serial,
                                       int timeout_ms,
                                       struct padb_error *error);

/* All streams and forwards must have been closed. */
PADB_API void padb_close(struct padb_device *device);

PADB_API const char *padb_serial(const struct padb_device *device);

/* ---- commands ---- */

struct padb_output {
    char *text; /* stdout, NUL-terminated; may hold NULs of its own */
    size_t length;
    char *errors; /* stderr, likewise; "" on devices that do not split it */
    size_t errors_length;
    int status; /* exit status; -1 on devices that do not tell */
};

/* Run a command and collect what it prints, 64 MiB at most. */
PADB_API bool padb_shell(struct padb_device *device, const char *command,
                         int timeout_ms, struct padb_output *output,
                         struct padb_error *error);
PADB_API void padb_output_free(struct padb_output *output);

/*
 * Quote text as one word for the device's shell. The only safe way to put
 * foreign text into a command. Free it with padb_quoted_free.
 */
PADB_API char *padb_quote(const char *text);
PADB_API void padb_quoted_free(char *quoted);

/* ---- files ---- */

struct padb_stat {
    uint32_t mode; /* as in POSIX st_mode; 0: there is no such file */
    uint64_t size;
    int64_t mtime; /* seconds since 1970 */
};

PADB_API bool padb_stat(struct padb_device *device, const char *path,
                        int timeout_ms, struct padb_stat *stat,
                        struct padb_error *error);

/* Called for each name in a directory, until it returns false. */
typedef bool padb_entry_fn(void *context, const char *name,
                           const struct padb_stat *stat);
PADB_API bool padb_list_directory(struct padb_device *device, const char *path,
                                  padb_entry_fn *entry, void *context,
                                  int timeout_ms, struct padb_error *error);

/*
 * Copy a file or a whole tree, modes and times kept. A pulled file appears
 * under its name only when it is whole.
 */
PADB_API bool padb_push(struct padb_device *device, const char *local,
                        const char *remote, int timeout_ms,
                        struct padb_error *error);
PADB_API bool padb_pull(struct padb_device *device, const char *remote,
                        const char *local, int timeout_ms,
                        struct padb_error *error);

/* Install an APK, replacing an installed one. */
PADB_API bool padb_install(struct padb_device *device, const char *apk,
                           int timeout_ms, struct padb_error *error);

/* ---- the screen ---- */

/* RGBA, 4 bytes a pixel; stride bytes from one row to the next. */
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
 * Listen here on local ("tcp:0" picks a port; padb_forward_local tells it) and
 * carry each connection to remote on the device.
 */
PADB_API struct padb_forward *padb_forward_start(struct padb_device *device,
                                                 const char *local,
                                                 const char *remote,
                                                 struct padb_error *error);
PADB_API const char *padb_forward_local(const struct padb_forward *forward);
PADB_API void padb_forward_stop(struct padb_forward *forward);

/*
 * Let the device listen on remote ("tcp:0" picks a port, told in *port, which
 * may be NULL) and carry each connection to local here. Nothing else is ever
 * opened here, whatever the device asks for. Lasts until it is removed or the
 * device is closed.
 */
PADB_API bool padb_reverse_add(struct padb_device *device, const char *remote,
                               const char *local, int timeout_ms,
                               uint16_t *port, struct padb_error *error);
PADB_API bool padb_reverse_remove(struct padb_device *device,
                                  const char *remote, int timeout_ms,
                                  struct padb_error *error);

/* ---- any service ---- */

struct padb_stream;

/* Open a service by its name on the wire, such as "exec:cat" or "reboot:". */
PADB_API struct padb_stream *padb_stream_open(struct padb_device *device,
                                              const char *service,
                                              int timeout_ms,
                                              struct padb_error *error);

/* At least one byte; *got is 0 at the stream's end only. */
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
