/* Input and output ports of commands. */
#ifndef TOOLS_PHONE_SHELL_SH_PORT_H
#define TOOLS_PHONE_SHELL_SH_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/macros.h"
#include "base/memory_account.h"
#include "tools/phone/files/files.h"

/* Implementations embed these as their first member. */
struct sh_in {
    /* Read at least one byte; *got is 0 at the end. False: stop at once. */
    bool (*read)(struct sh_in *in, void *data, size_t size, size_t *got);
    void (*close)(struct sh_in *in);
};

struct sh_out {
    /* Write all bytes. False: the reader is gone. */
    bool (*write)(struct sh_out *out, const void *data, size_t size);
    /* False, with an errno value, if written bytes are lost. */
    bool (*close)(struct sh_out *out, int *number);
};

struct sh_ports {
    struct sh_in *in;
    struct sh_out *out;
    struct sh_out *errors;
};

MUST_USE bool sh_in_read(struct sh_in *in, void *data, size_t size,
                         size_t *got);
MUST_USE bool sh_out_write(struct sh_out *out, const void *data, size_t size);

/* NULL is fine for both functions. */
void sh_in_close(struct sh_in *in);
MUST_USE bool sh_out_close(struct sh_out *out, int *number);

/* Reads a blob, which it references until it is closed. */
struct sh_in *sh_in_blob(struct shared_bytes *shared_bytes);

/* An empty input, and one of endless zeros. */
struct sh_in *sh_in_empty(void);
struct sh_in *sh_in_zeros(void);

/* Endless random bytes, the same for the same seed. */
struct sh_in *sh_in_random(uint64_t seed);

/* Discards everything. */
struct sh_out *sh_out_nothing(void);

/*
 * Appends to the caller's buffer; account pays for it until the port is closed.
 */
struct sh_out *sh_out_buf(struct buf *buf,
                          struct memory_account *memory_account);

/* Becomes the content of a file when closed; append: behind the old content. */
struct sh_out *sh_out_file(struct phone_files *files, const char *path,
                           bool append);

#endif
