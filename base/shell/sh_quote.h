/* The text of $'...': what the escapes in it stand for. */
#ifndef BASE_SHELL_SH_QUOTE_H
#define BASE_SHELL_SH_QUOTE_H

#include "base/buf.h"
#include "base/shell/sh_lex.h"

/* Append the text; quoted is the text between the quotes. */
void sh_quote_text(struct sh_span quoted, struct buf *text);

#endif
