#include "tools/phone/files/users.h"

#include <stddef.h>
#include <stdio.h>

#include "base/macros.h"

/* The first uids of apps, and of isolated processes. */
#define APP_FIRST 10000U
#define APP_END 20000U

static const struct {
    uint32_t id;
    const char *name;
} known[] = {
    {0, "root"},           {1000, "system"},        {1001, "radio"},
    {1003, "graphics"},    {1004, "input"},         {1007, "log"},
    {1009, "mount"},       {1011, "adb"},           {1013, "media"},
    {1015, "sdcard_rw"},   {1023, "media_rw"},      {1028, "sdcard_r"},
    {1036, "logd"},        {1065, "reserved_disk"}, {1077, "external_storage"},
    {1078, "ext_data_rw"}, {1079, "ext_obb_rw"},    {2000, "shell"},
    {2001, "cache"},       {3001, "net_bt_admin"},  {3002, "net_bt"},
    {3003, "inet"},        {3006, "net_bw_stats"},  {3009, "readproc"},
    {3011, "uhid"},        {3012, "readtracefs"},   {3012, "readtracefs"},
    {9997, "everybody"},
};

void users_name(uint32_t id, char name[static USERS_NAME_SIZE])
{
    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        if (known[i].id == id) {
            snprintf(name, USERS_NAME_SIZE, "%s", known[i].name);
            return;
        }
    }
    if (id >= APP_FIRST && id < APP_END)
        snprintf(name, USERS_NAME_SIZE, "u0_a%u", (unsigned)(id - APP_FIRST));
    else
        snprintf(name, USERS_NAME_SIZE, "%u", (unsigned)id);
}
