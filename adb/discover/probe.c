#include "adb/discover/probe.h"

static bool open_device(struct probe *probe)
{
    if (probe->usb)
        return device_open_usb(probe->usb->place, &probe->options, probe->by,
                               &probe->device, &probe->err);
    if (probe->console)
        return device_open_emulator(probe->console, &probe->options, probe->by,
                                    &probe->device, &probe->err);
    return device_open_tcp(probe->host, probe->port, &probe->options, probe->by,
                           &probe->device, &probe->err);
}

static void *probe_main(void *context)
{
    struct probe *probe = context;

    if (!open_device(probe))
        probe->device = NULL;
    return NULL;
}

void probe_start(struct probe *probe)
{
    probe->running =
        pthread_create(&probe->thread, NULL, probe_main, probe) == 0;
    if (!probe->running)
        probe_main(probe); /* without a thread: slower, with the same result */
}

void probe_stop(struct probe *probe)
{
    if (probe->running)
        pthread_join(probe->thread, NULL);
    probe->running = false;
}
