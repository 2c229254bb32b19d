#include "adb/probe.h"

static bool open_device(struct probe *probe, struct device **device)
{
    if (probe->usb)
        return device_open_usb(probe->usb->place, &probe->options, probe->by,
                               device, &probe->err);
    return device_open_tcp(probe->host, probe->port, &probe->options, probe->by,
                           device, &probe->err);
}

static void *knock(void *context)
{
    struct probe *probe = context;
    struct device *device;

    if (!open_device(probe, &device))
        return NULL;
    probe->banner = *conn_peer(device_conn(device));
    probe->answered = true;
    device_close(device);
    return NULL;
}

void probe_start(struct probe *probe)
{
    probe->running = pthread_create(&probe->thread, NULL, knock, probe) == 0;
    if (!probe->running)
        knock(probe); /* no thread to be had: slower, but the same */
}

void probe_stop(struct probe *probe)
{
    if (probe->running)
        pthread_join(probe->thread, NULL);
    probe->running = false;
}
