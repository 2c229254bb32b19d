#include "tools/phone/processes.h"

#include "base/macros.h"

#define EPOLL "do_epoll_wait"

const struct process processes[] = {
    {"root", 1, 0, 10904444, 11784, EPOLL, 'S', "init"},
    {"root", 2, 0, 0, 0, "kthreadd", 'S', "[kthreadd]"},
    {"logd", 262, 1, 10813540, 6412, "sigsuspend", 'S', "logd"},
    {"system", 264, 1, 10798772, 5220, EPOLL, 'S', "servicemanager"},
    {"root", 398, 1, 14519212, 135528, "do_sys_poll", 'S', "zygote64"},
    {"system", 412, 1, 10949608, 41660, EPOLL, 'S', "surfaceflinger"},
    {"shell", 521, 1, 10849616, 7224, EPOLL, 'S', "adbd"},
    {"system", 743, 398, 16839300, 312644, EPOLL, 'S', "system_server"},
    {"u0_a68", 1021, 398, 14797140, 211336, EPOLL, 'S', "com.android.systemui"},
    {"radio", 1187, 398, 14612020, 120216, EPOLL, 'S', "com.android.phone"},
    {"u0_a72", 1290, 398, 14703516, 168112, EPOLL, 'S',
     "com.android.launcher3"},
    {"u0_a61", 1411, 398, 14590004, 109300, EPOLL, 'S',
     "com.android.inputmethod.latin"},
    {"shell", PROCESS_SHELL, 521, 10769864, 3364, "sigsuspend", 'S', "sh"},
    {"shell", PROCESS_COMMAND, PROCESS_SHELL, 10813472, 3808, "0", 'R', "ps"},
};

const size_t process_count = ARRAY_LEN(processes);
