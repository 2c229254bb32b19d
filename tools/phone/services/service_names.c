#include "tools/phone/services/service_names.h"

#include <string.h>

const struct phone_service services[] = {
    {"SurfaceFlinger", "android.ui.ISurfaceComposer"},
    {"accessibility", "android.view.accessibility.IAccessibilityManager"},
    {"activity", "android.app.IActivityManager"},
    {"activity_task", "android.app.IActivityTaskManager"},
    {"alarm", "android.app.IAlarmManager"},
    {"appops", "com.android.internal.app.IAppOpsService"},
    {"audio", "android.media.IAudioService"},
    {"battery", ""},
    {"batterystats", "com.android.internal.app.IBatteryStats"},
    {"bluetooth_manager", "android.bluetooth.IBluetoothManager"},
    {"clipboard", "android.content.IClipboard"},
    {"connectivity", "android.net.IConnectivityManager"},
    {"cpuinfo", ""},
    {"deviceidle", "android.os.IDeviceIdleController"},
    {"display", "android.hardware.display.IDisplayManager"},
    {"gfxinfo", ""},
    {"input", "android.hardware.input.IInputManager"},
    {"input_method", "com.android.internal.view.IInputMethodManager"},
    {"locale", "android.app.ILocaleManager"},
    {"location", "android.location.ILocationManager"},
    {"lock_settings", "com.android.internal.widget.ILockSettings"},
    {"meminfo", ""},
    {"notification", "android.app.INotificationManager"},
    {"package", "android.content.pm.IPackageManager"},
    {"phone", "com.android.internal.telephony.ITelephony"},
    {"power", "android.os.IPowerManager"},
    {"settings", ""},
    {"statusbar", "com.android.internal.statusbar.IStatusBarService"},
    {"telephony.registry", "com.android.internal.telephony.ITelephonyRegistry"},
    {"uimode", "android.app.IUiModeManager"},
    {"user", "android.os.IUserManager"},
    {"wifi", "android.net.wifi.IWifiManager"},
    {"window", "android.view.IWindowManager"},
};

const size_t service_count = ARRAY_LEN(services);

bool service_names_find(const char *name)
{
    for (size_t i = 0; i < service_count; i++) {
        if (!strcmp(services[i].name, name))
            return true;
    }
    return false;
}

void service_names_print(struct command_call *call)
{
    call_print(call, "Currently running services:\n");
    for (size_t i = 0; i < service_count; i++)
        call_print(call, "  %s\n", services[i].name);
}
