/* Files of web pages that are compiled into the program. */
#ifndef TOOLS_HTTP_SERVER_WEB_FILES_H
#define TOOLS_HTTP_SERVER_WEB_FILES_H

#include "base/embedded.h"
#include "tools/http_server/http_server.h"

/* A path and the file that is served there, with the type of its name. */
struct web_file {
    const char *path; /* "/page.js" */
    const struct embedded *embedded;
    const char *name; /* "page.js" */
};

/*
 * Answer a request for one of these files. A browser keeps it and asks each
 * time whether it is still the same. False: none has this path, and the request
 * is not answered.
 */
MUST_USE bool web_files_answer(const struct web_file *files, size_t count,
                               struct http_server *server,
                               const struct http_request *request);

#endif
