#include "tools/farm_queue/farm_url.h"

#include <libpq-fe.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/macros.h"
#include "base/mem.h"

#define SYSTEM_CERTIFICATES "/etc/ssl/certs/ca-certificates.crt"

void farm_parameters_release(struct farm_parameters *parameters)
{
    for (size_t i = 0; i < parameters->count; i++) {
        free(parameters->keywords[i]);
        free(parameters->values[i]);
    }
    free(parameters->keywords);
    free(parameters->values);
    *parameters = (struct farm_parameters){.count = 0};
}

const char *farm_parameters_find(const struct farm_parameters *parameters,
                                 const char *keyword)
{
    for (size_t i = 0; i < parameters->count; i++) {
        if (!strcmp(parameters->keywords[i], keyword))
            return parameters->values[i];
    }
    return NULL;
}

static void add(struct farm_parameters *parameters, const char *keyword,
                const char *value)
{
    size_t count = ++parameters->count;

    parameters->keywords =
        mem_resize(parameters->keywords, count + 1, sizeof(char *));
    parameters->values =
        mem_resize(parameters->values, count + 1, sizeof(char *));
    parameters->keywords[count - 1] = mem_dup(keyword);
    parameters->values[count - 1] = mem_dup(value);
    parameters->keywords[count] = NULL;
    parameters->values[count] = NULL;
}

static void add_default(struct farm_parameters *parameters, const char *keyword,
                        const char *value)
{
    if (!farm_parameters_find(parameters, keyword))
        add(parameters, keyword, value);
}

/* Does one host of a list (or an address of it) lead beyond this computer? */
static bool is_remote_list(const char *hosts)
{
    static const char *const local[] = {"localhost", "127.0.0.1", "::1", ""};

    while (hosts && *hosts) {
        size_t length = strcspn(hosts, ",");
        bool found = *hosts == '/' || *hosts == '@';

        for (size_t i = 0; i < ARRAY_LEN(local) && !found; i++)
            found =
                strlen(local[i]) == length && !strncmp(local[i], hosts, length);
        if (!found)
            return true;
        hosts += length + (hosts[length] == ',');
    }
    return false;
}

static bool is_remote(const struct farm_parameters *parameters)
{
    const char *host = farm_parameters_find(parameters, "host");
    const char *address = farm_parameters_find(parameters, "hostaddr");

    /* Its file names a host that is not known here. */
    if (farm_parameters_find(parameters, "service") || getenv("PGSERVICE"))
        return true;
    if (!host && !address) {
        host = getenv("PGHOST");
        address = getenv("PGHOSTADDR");
    }
    return is_remote_list(host) || is_remote_list(address);
}

static bool has_root_certificate(const struct farm_parameters *parameters)
{
    const char *home = getenv("HOME");
    struct buf path = BUF_INIT(PATH_MAX);
    bool found;

    if (farm_parameters_find(parameters, "sslrootcert") ||
        getenv("PGSSLROOTCERT"))
        return true;
    buf_printf(&path, "%s/.postgresql/root.crt", home ? home : "");
    found = !access(buf_cstr(&path), R_OK);
    buf_release(&path);
    return found;
}

/* A server on another computer must prove its identity. */
static void verify_server(struct farm_parameters *parameters)
{
    if (!is_remote(parameters) || farm_parameters_find(parameters, "sslmode") ||
        getenv("PGSSLMODE"))
        return;
    add(parameters, "sslmode", "verify-full");
    if (!has_root_certificate(parameters))
        add(parameters, "sslrootcert", SYSTEM_CERTIFICATES);
}

bool farm_url_parse(const char *url, struct farm_parameters *parameters,
                    struct err *err)
{
    PQconninfoOption *options = NULL;
    char *ignored = NULL; /* it may quote a part of the password */

    if (!strncmp(url, "postgresql://", 13) || !strncmp(url, "postgres://", 11))
        options = PQconninfoParse(url, &ignored);
    PQfreemem(ignored);
    if (!options)
        return err_set(err, ERR_INVALID,
                       "not a valid address of a queue: give "
                       "postgresql://USER@HOST/DATABASE, with special "
                       "characters as %%XX");
    *parameters = (struct farm_parameters){.count = 0};
    for (const PQconninfoOption *option = options; option->keyword; option++) {
        if (option->val)
            add(parameters, option->keyword, option->val);
    }
    PQconninfoFree(options);
    verify_server(parameters);
    add_default(parameters, "connect_timeout", "10");
    add_default(parameters, "keepalives_idle", "15");
    add_default(parameters, "keepalives_interval", "5");
    add_default(parameters, "keepalives_count", "3");
    add_default(parameters, "tcp_user_timeout", "30000");
    add_default(parameters, "client_encoding", "UTF8");
    return true;
}

/* Without what would end the part of a URL. */
static void show_part(struct buf *text, const char *part)
{
    for (; *part; part++) {
        if (strchr(" %:/@?#&=", *part) || (unsigned char)*part < ' ')
            buf_printf(text, "%%%02X", (unsigned char)*part);
        else
            buf_byte(text, *part);
    }
}

void farm_url_show(const struct farm_parameters *parameters, struct buf *text)
{
    const char *user = farm_parameters_find(parameters, "user");
    const char *host = farm_parameters_find(parameters, "host");
    const char *port = farm_parameters_find(parameters, "port");
    const char *name = farm_parameters_find(parameters, "dbname");
    static const char *const harmless[] = {"sslmode", "sslrootcert"};
    char separator = '?';

    buf_text(text, "postgresql://");
    if (user) {
        show_part(text, user);
        buf_byte(text, '@');
    }
    show_part(text, host ? host : "");
    if (port) {
        buf_byte(text, ':');
        show_part(text, port);
    }
    if (name) {
        buf_byte(text, '/');
        show_part(text, name);
    }
    for (size_t i = 0; i < ARRAY_LEN(harmless); i++) {
        const char *value = farm_parameters_find(parameters, harmless[i]);

        if (!value)
            continue;
        buf_printf(text, "%c%s=", separator, harmless[i]);
        show_part(text, value);
        separator = '&';
    }
}
