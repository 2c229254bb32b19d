#include "adb/places.h"

/* Time for somebody to find the phone and press a button. */
#define OWNER_PATIENCE_MS 60000

/* Remembered addresses; without a place to remember there are none. */
static bool read_known(struct known *known, struct err *err)
{
    struct buf path = BUF_INIT(4096);
    struct err no_home;
    bool done;

    done =
        !known_path(&path, &no_home) || known_read(buf_cstr(&path), known, err);
    buf_release(&path);
    return done;
}

static void tell_waiting(void *context)
{
    const struct discover *discover = context;

    if (discover->tell)
        discover->tell(discover->tell_context,
                       "unauthorized: accept the prompt on the phone");
}

bool places_init(struct places *places, discover_tell_fn *tell, void *context,
                 const struct cancel *cancel, const struct log *log,
                 struct err *err)
{
    *places = (struct places){0};
    lazy_keyring_init(&places->keys, log);
    places->credentials = (struct auth_credentials){
        .lazy = &places->keys,
        .waiting = tell_waiting,
        .context = &places->discover,
        .patience_ms = OWNER_PATIENCE_MS,
    };
    places->mdns = (struct mdns){.cancel = cancel};
    places->discover = (struct discover){
        .server = &places->server,
        .known = &places->known,
        .usb = true,
        .emulators = true,
        .mdns = &places->mdns,
        .credentials = &places->credentials,
        .tell = tell,
        .tell_context = context,
        .cancel = cancel,
        .log = log,
    };
    if (!read_known(&places->known, err) ||
        !server_from_environment(&places->server, err))
        return false;
    places->server.cancel = cancel;
    places->server.log = log;
    return true;
}

void places_release(struct places *places)
{
    known_release(&places->known);
    lazy_keyring_release(&places->keys);
}
