/*
 * Turns UI dumps as found in practice into well-formed XML.
 *
 * Dumps come with other text around them, in the encoding of a terminal, with
 * several roots, with text that was not escaped, or cut off. The repair is
 * pure: bytes in, text out, and a count of what was repaired.
 */
#ifndef PROCESS_PROVIDER_TREE_TREE_REPAIR_H
#define PROCESS_PROVIDER_TREE_TREE_REPAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

#define TREE_SIZE_MAX ((size_t)16 << 20) /* of a dump, in bytes */
#define TREE_DEPTH_MAX 512

/* What was repaired. */
enum tree_repair {
    REPAIR_ENCODING_MARK, /* a byte order mark was left out */
    REPAIR_UTF16,         /* decoded from UTF-16 */
    REPAIR_GBK,           /* decoded from GBK */
    REPAIR_CP949,         /* decoded from CP949 */
    REPAIR_INVALID_BYTES, /* bytes of no character became U+FFFD */
    REPAIR_TEXT_AROUND,   /* text before, between or after was left out */
    REPAIR_CONTROL,       /* control characters became spaces */
    REPAIR_SURROGATES,    /* two references to halves became a character */
    REPAIR_REFERENCES,    /* undefined references, or a bare & */
    REPAIR_LESS,          /* a < in a value was escaped */
    REPAIR_QUOTES,        /* a closing quote was missing, or one too many */
    REPAIR_ATTRIBUTES,    /* attributes given twice or broken were left out */
    REPAIR_NAMES,         /* characters that a tag's name may not have */
    REPAIR_END_TAGS,      /* end tags without a beginning were left out */
    REPAIR_ROOTS,         /* there were further roots */
    REPAIR_CUT_OFF,       /* elements that had no end were ended */
    TREE_REPAIRS,
};

struct tree_repairs {
    uint32_t count[TREE_REPAIRS]; /* how often each was done */
};

/* Its name in JSON, such as "cut-off"; and a description for people. */
const char *tree_repair_name(enum tree_repair repair);
const char *tree_repair_words(enum tree_repair repair);

bool tree_repaired(const struct tree_repairs *repairs);

/*
 * Append to xml a well-formed document with all elements that can be recovered,
 * inside one element "dump"; add the repairs to repairs.
 *
 * Fails with ERR_LIMIT when it is too large or too deep, and with ERR_INVALID
 * when there is no tree (the message quotes the beginning of the input) or a
 * DOCTYPE. Then the contents of xml and repairs are undefined.
 */
MUST_USE bool tree_repair(const char *bytes, size_t length, struct buf *xml,
                          struct tree_repairs *repairs, struct err *err);

#endif
