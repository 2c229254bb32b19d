/*
 * A sync session with a scripted device: the bytes that the device sends are
 * given before the session begins.
 */
#ifndef TESTS_SUPPORT_ADB_SYNC_SCRIPT_H
#define TESTS_SUPPORT_ADB_SYNC_SCRIPT_H

#include "adb/sync/sync_session.h"
#include "tests/support/adb/scripted_stream.h"

#define SYNC_SCRIPT_V2_FEATURES                                                \
    (FEATURE_BIT(FEATURE_STAT_V2) | FEATURE_BIT(FEATURE_LS_V2) |               \
     FEATURE_BIT(FEATURE_SENDRECV_V2) | FEATURE_BIT(FEATURE_SENDRECV_V2_LZ4))

struct sync_script {
    struct buf bytes; /* what the device sends */
    struct scripted_stream device;
    struct sync *sync;
    int fd; /* an empty local file */
};

/* A test that gets a script as its state. */
#define sync_script_test(test)                                                 \
    cmocka_unit_test_setup_teardown(test, sync_script_set_up,                  \
                                    sync_script_tear_down)
int sync_script_set_up(void **state);
int sync_script_tear_down(void **state);

/* Begin a session with the first length of the bytes, in pieces. */
void sync_script_begin(struct sync_script *script, feature_set features,
                       const struct sync_options *options, size_t length,
                       size_t piece);

/* Begin a session with all of them, in version 1 or 2 of the protocol. */
void sync_script_begin_v1(struct sync_script *script);
void sync_script_begin_v2(struct sync_script *script);

/* Add four letters and a number; or the length of a text, and the text. */
void sync_script_add(struct sync_script *script, const char *id,
                     uint32_t value);
void sync_script_add_text(struct sync_script *script, const char *id,
                          const char *text);

/* Add an entry of a listing, and its end. */
void sync_script_add_entry(struct sync_script *script, uint32_t mode,
                           const char *name, size_t length);
void sync_script_end_list(struct sync_script *script);

/* Add the answer to a stat request, of version 1 or 2. */
void sync_script_add_stat(struct sync_script *script, uint32_t mode);
void sync_script_add_stat2(struct sync_script *script, const char *id,
                           uint32_t number, uint32_t mode);

/* Add a listing of a file "a" and a directory "b". */
void sync_script_add_list(struct sync_script *script);

/* Add a file with the content "hello world". */
void sync_script_add_file(struct sync_script *script);

/* Add a confirmation. */
void sync_script_add_okay(struct sync_script *script);

/* Replace the content of the local file, or compare it. */
void sync_script_write_file(struct sync_script *script, const char *text);
void sync_script_assert_file(struct sync_script *script, const char *text);

/* The operation failed with this code. */
void assert_err_code(bool done, const struct err *err, enum err_code code);

#endif
