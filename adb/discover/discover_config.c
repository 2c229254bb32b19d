#include "adb/discover/discover_config.h"

/* Time for the owner to find the phone and accept the prompt. */
#define OWNER_PATIENCE_MS 60000

/* Read the known hosts; without a home directory there are none. */
static bool read_known(struct known_hosts *known_hosts, struct err *err)
{
    struct buf path = BUF_INIT(4096);
    struct err no_home;
    bool done;

    done = !known_hosts_path(&path, &no_home) ||
           known_hosts_read(buf_cstr(&path), known_hosts, err);
    buf_release(&path);
    return done;
}

static void report_waiting(void *context)
{
    const struct discover *discover = context;

    if (discover->message)
        discover->message(discover->message_context,
                          "unauthorized: accept the prompt on the phone");
}

static void report_problem(void *context, const char *problem)
{
    const struct discover *discover = context;
    struct buf line = BUF_INIT(512);

    buf_printf(&line, "a key cannot be used: %s", problem);
    if (discover->message)
        discover->message(discover->message_context, buf_cstr(&line));
    buf_release(&line);
}

bool discover_config_init(struct discover_config *discover_config,
                          discover_message_fn *message, void *context,
                          const struct cancel *cancel, const struct log *log,
                          struct err *err)
{
    *discover_config = (struct discover_config){0};
    lazy_keyring_init(&discover_config->keys, report_problem,
                      &discover_config->discover, log);
    discover_config->credentials = (struct auth_credentials){
        .lazy = &discover_config->keys,
        .waiting = report_waiting,
        .context = &discover_config->discover,
        .timeout_ms = OWNER_PATIENCE_MS,
    };
    discover_config->mdns = (struct mdns){.cancel = cancel};
    discover_config->discover = (struct discover){
        .server = &discover_config->server,
        .known_hosts = &discover_config->known_hosts,
        .usb = true,
        .emulators = true,
        .mdns = &discover_config->mdns,
        .credentials = &discover_config->credentials,
        .message = message,
        .message_context = context,
        .cancel = cancel,
        .log = log,
    };
    if (!read_known(&discover_config->known_hosts, err) ||
        !server_client_from_environment(&discover_config->server, err))
        return false;
    discover_config->server.cancel = cancel;
    discover_config->server.log = log;
    return true;
}

void discover_config_release(struct discover_config *discover_config)
{
    known_hosts_release(&discover_config->known_hosts);
    lazy_keyring_release(&discover_config->keys);
}
