/* Show an address in the user's browser. */
#ifndef TOOLS_CLI_SERVE_OPEN_BROWSER_H
#define TOOLS_CLI_SERVE_OPEN_BROWSER_H

#include "base/err.h"

/*
 * Start xdg-open with a file that leads to the address and that only the owner
 * can read: command lines can be read by every user of the computer. xdg-open
 * is not waited for, and goes on when this program ends. file becomes the path
 * for browser_file_remove. Fails with ERR_NOT_FOUND when xdg-open is not
 * installed; then there is no file.
 */
MUST_USE bool open_browser(const char *url, char **file, struct err *err);

/* Remove the file, and free its path. NULL is fine. */
void browser_file_remove(char *file);

#endif
