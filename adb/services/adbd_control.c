#include "adb/services/adbd_control.h"

#include <stdio.h>
#include <string.h>

#define ANSWER_MAX 4096

static bool ask(struct device *device, const char *service, struct deadline by,
                struct buf *answer, struct err *err)
{
    struct buf words = BUF_INIT(ANSWER_MAX);
    struct stream *stream;
    bool done;

    if (!device_open_service(device, service, by, &stream, err))
        return false;
    done = stream_read_all(stream, by, &words, err) || err->code == ERR_LOST;
    stream_close(stream);
    if (done && answer)
        buf_append(answer, words.data, words.length);
    buf_release(&words);
    return done;
}

bool adbd_control_reboot(struct device *device, const char *target,
                         struct deadline by, struct err *err)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_,";
    char service[64];

    if (!target)
        target = "";
    if (strlen(target) > 40 || target[strspn(target, letters)])
        return err_set(err, ERR_INVALID,
                       "\"%.40s\" is not a reboot target: use bootloader, "
                       "recovery, sideload or fastboot",
                       target);
    snprintf(service, sizeof(service), "reboot:%s", target);
    return ask(device, service, by, NULL, err);
}

bool adbd_control_root(struct device *device, bool root, struct deadline by,
                       struct buf *answer, struct err *err)
{
    return ask(device, root ? "root:" : "unroot:", by, answer, err);
}

bool adbd_control_tcpip(struct device *device, uint16_t port,
                        struct deadline by, struct buf *answer, struct err *err)
{
    char service[32];

    if (port == 0)
        return err_set(err, ERR_INVALID, "a device cannot listen on port 0");
    snprintf(service, sizeof(service), "tcpip:%u", (unsigned)port);
    return ask(device, service, by, answer, err);
}
