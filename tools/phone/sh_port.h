/* Where a command's bytes come from, and where they go. */
#ifndef PHONE_SH_PORT_H
#define PHONE_SH_PORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/macros.h"
#include "tools/phone/account.h"
#include "tools/phone/files.h"

/* Implementations embed these as their first member. */
struct sh_in {
    /* At least one byte; *got is 0 at the end. False: stop at once. */
    bool (*read)(struct sh_in *in, void *data, size_t size, size_t *got);
    void (*close)(struct sh_in *in);
};

struct sh_out {
    /* All of it. False: nobody wants it any more. */
    bool (*write)(struct sh_out *out, const void *data, size_t size);
    /* False, with an errno value, when what was written is lost. */
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

/* NULL is fine for both. */
void sh_in_close(struct sh_in *in);
MUST_USE bool sh_out_close(struct sh_out *out, int *number);

/* What a blob holds. It is held until the port is closed. */
struct sh_in *sh_in_blob(struct blob *blob);

/* Nothing at all, or zeros without end. */
struct sh_in *sh_in_empty(void);
struct sh_in *sh_in_zeros(void);

/* Swallows everything. */
struct sh_out *sh_out_nothing(void);

/* Appends to a buffer of the caller's, which account pays for until closed. */
struct sh_out *sh_out_buf(struct buf *buf, struct account *account);

/* Becomes a file's content when it is closed; append: behind what is there. */
struct sh_out *sh_out_file(struct files *files, const char *path, bool append);

#endif
