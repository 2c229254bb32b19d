#include "tools/http_server/web_origin.h"

#include <string.h>
#include <strings.h>

#include "base/macros.h"
#include "tools/http_server/certificate.h"

#define HOST_NAME_SIZE 256

static bool has_port_or_end(const char *rest)
{
    if (!*rest)
        return true;
    return *rest == ':' && rest[1] &&
           strspn(rest + 1, "0123456789") == strlen(rest + 1);
}

bool web_origin_is_loopback_host(const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        size_t length = strlen(names[i]);

        if (!strncasecmp(host, names[i], length) &&
            has_port_or_end(host + length))
            return true;
    }
    return false;
}

bool web_origin_is_loopback(const char *origin)
{
    if (!strncmp(origin, "http://", 7))
        return web_origin_is_loopback_host(origin + 7);
    return !strncmp(origin, "https://", 8) &&
           web_origin_is_loopback_host(origin + 8);
}

/* ---- names of the server ---- */

/* The name in "[::1]:80" is "::1". False: it is no such text. */
static bool copy_name(const char *host, char name[HOST_NAME_SIZE])
{
    bool in_brackets = *host == '[';
    size_t length = strcspn(host + in_brackets, in_brackets ? "]" : ":");
    const char *rest = host + in_brackets + length;

    if (length >= HOST_NAME_SIZE || !length || (in_brackets && *rest != ']') ||
        !has_port_or_end(rest + in_brackets))
        return false;
    memcpy(name, host + in_brackets, length);
    name[length] = '\0';
    return true;
}

bool web_origin_names_server(const struct http_server *server, const char *host)
{
    const struct certificate *certificate = http_server_certificate(server);
    char name[HOST_NAME_SIZE];

    return copy_name(host, name) &&
           (web_origin_is_loopback_host(host) ||
            !strcmp(name, http_server_address(server)) ||
            (certificate && certificate_is_for(certificate, name)));
}

bool web_origin_is_same(const struct http_server *server, const char *origin,
                        const char *host)
{
    const char *scheme =
        http_server_certificate(server) ? "https://" : "http://";

    return !strncmp(origin, scheme, strlen(scheme)) &&
           !strcasecmp(origin + strlen(scheme), host);
}
