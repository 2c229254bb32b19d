-- The phone's settings. Their values are those of `settings get`; the state
-- has only the search and typed texts.

local package = "com.android.settings"
local usage = include("settings_usage")

local words = {
    settings = { en = "Settings", zh = "设置" },
    search = { en = { "Search settings", "Find a setting" },
               zh = { "搜索设置", "查找设置项" } },
    clear = { en = "Clear", zh = "清除" },
    nothing = { en = "No results", zh = "没有搜索结果" },
    cancel = { en = "Cancel", zh = "取消" },
    ok = { en = { "OK", "Done" }, zh = { "确定", "完成" } },

    network = { en = { "Network & internet", "Connections" },
                zh = { "网络和互联网", "连接" } },
    network_detail = { en = "Wi-Fi, mobile data, airplane mode",
                       zh = "WLAN、移动数据、飞行模式" },
    wifi = { en = { "Wi-Fi", "WLAN" }, zh = { "WLAN", "无线网络" } },
    use_wifi = { en = { "Use Wi-Fi", "Wi-Fi on" },
                 zh = { "使用 WLAN", "开启 WLAN" } },
    wifi_off = { en = "To see available networks, turn Wi-Fi on",
                 zh = "要查看可用网络，请打开 WLAN" },
    off = { en = "Off", zh = "已关闭" },
    on = { en = "On", zh = "已开启" },
    not_connected = { en = "Not connected", zh = "未连接" },
    connected = { en = "Connected", zh = "已连接" },
    connecting = { en = "Connecting…", zh = "正在连接…" },
    wrong_password = { en = { "Check password and try again",
                              "Wrong password" },
                       zh = { "请检查密码，然后重试", "密码错误" } },
    saved = { en = { "Saved", "Known" }, zh = "已保存" },
    secured = { en = "WPA2/WPA3-Personal", zh = "WPA2/WPA3-个人" },
    open_network = { en = "Open network", zh = "开放网络" },
    saved_networks = { en = { "Saved networks", "Known networks" },
                       zh = { "已保存的网络", "已知网络" } },
    count_networks = { en = "Networks: %d", zh = "%d 个网络" },
    network_details = { en = "Network details", zh = "网络详情" },
    password = { en = "Password", zh = "密码" },
    show_password = { en = "Show password", zh = "显示密码" },
    connect = { en = { "Connect", "Join" }, zh = { "连接", "加入" } },
    disconnect = { en = "Disconnect", zh = { "断开连接", "断开" } },
    forget = { en = { "Forget", "Remove" },
               zh = { "取消保存", "忘记网络" } },
    forgotten = { en = "Network forgotten", zh = "已取消保存网络" },
    signal = { en = "Signal strength", zh = "信号强度" },
    security = { en = "Security", zh = "安全性" },
    frequency = { en = "Frequency", zh = "频率" },
    address = { en = "IP address", zh = "IP 地址" },
    mobile = { en = { "Mobile data", "Cellular data" },
               zh = { "移动数据", "蜂窝数据" } },
    airplane = { en = { "Airplane mode", "Flight mode" }, zh = "飞行模式" },

    devices = { en = { "Connected devices", "Devices" },
                zh = { "已连接的设备", "设备连接" } },
    bluetooth = { en = "Bluetooth", zh = "蓝牙" },

    display = { en = { "Display", "Screen" }, zh = { "显示", "屏幕" } },
    display_detail = { en = "Dark theme, font size, brightness",
                       zh = "深色主题、字体大小、亮度" },
    brightness = { en = { "Brightness level", "Brightness" },
                   zh = { "亮度", "屏幕亮度" } },
    adaptive = { en = { "Adaptive brightness", "Automatic brightness" },
                 zh = { "自动调节亮度", "自适应亮度" } },
    dark = { en = { "Dark theme", "Dark mode" },
             zh = { "深色主题", "深色模式" } },
    timeout = { en = { "Screen timeout", "Sleep after" },
                zh = { "屏幕超时", "自动休眠" } },
    font_size = { en = { "Font size", "Text size" },
                  zh = { "字体大小", "文字大小" } },
    sample = { en = "Even with eyes protected by the green veil, Dorothy and "
                  .. "her friends were at first dazzled.",
               zh = "千里之行，始于足下。合抱之木，生于毫末。" },
    rotate = { en = { "Auto-rotate screen", "Rotate automatically" },
               zh = { "自动旋转屏幕", "自动旋转" } },

    sound = { en = { "Sound & vibration", "Sounds" },
              zh = { "声音和振动", "声音" } },
    sound_detail = { en = "Volume, vibration, Do Not Disturb",
                     zh = "音量、振动、勿扰" },
    music = { en = { "Media volume", "Media" }, zh = { "媒体音量", "媒体" } },
    call = { en = { "Call volume", "In-call volume" }, zh = "通话音量" },
    ring = { en = { "Ring volume", "Ringtone volume" }, zh = "铃声音量" },
    alarm = { en = "Alarm volume", zh = "闹钟音量" },
    ringer = { en = { "Ring mode", "Sound mode" },
               zh = { "响铃模式", "声音模式" } },
    vibrate = { en = { "Vibrate for calls", "Also vibrate for calls" },
                zh = { "来电时振动", "响铃时振动" } },
    do_not_disturb = { en = "Do Not Disturb", zh = { "勿扰", "勿扰模式" } },
    haptics = { en = { "Touch vibration", "Touch feedback" },
                zh = { "触摸振动", "触感反馈" } },

    storage = { en = "Storage", zh = { "存储", "存储空间" } },
    used_of = { en = "%s GB used of %d GB", zh = "已使用 %s GB，共 %d GB" },
    free = { en = "%s GB free", zh = "剩余 %s GB" },

    apps = { en = { "Apps", "Applications" }, zh = { "应用", "应用管理" } },
    apps_detail = { en = "Installed apps, permissions",
                    zh = "已安装的应用、权限" },
    own = { en = { "Installed", "Downloaded" }, zh = "已安装" },
    all = { en = "All apps", zh = "全部应用" },
    app_info = { en = "App info", zh = "应用信息" },
    open = { en = { "Open", "Launch" }, zh = { "打开", "启动" } },
    stop = { en = { "Force stop", "Stop now" },
             zh = { "强行停止", "强制停止" } },
    sure_stop = { en = "Force stop?", zh = "要强行停止吗？" },
    stop_warning = { en = "If you force stop an app, it may misbehave.",
                     zh = "强行停止某个应用可能会导致其出现异常。" },
    permissions = { en = { "Permissions", "App permissions" },
                    zh = { "权限", "应用权限" } },
    no_permissions = { en = "No permissions requested", zh = "未申请任何权限" },
    allowed_of = { en = "%d of %d allowed", zh = "已允许 %d 项，共 %d 项" },
    allowed = { en = "Allowed", zh = "允许" },
    denied = { en = "Not allowed", zh = "不允许" },
    allow = { en = { "Allow", "Allow access" }, zh = "允许" },
    deny = { en = { "Don't allow", "Deny" }, zh = { "不允许", "拒绝" } },
    none_allowed = { en = "No permissions allowed", zh = "未允许任何权限" },
    none_denied = { en = "No permissions denied", zh = "未拒绝任何权限" },
    version = { en = "Version", zh = "版本" },
    package_name = { en = "Package", zh = "软件包" },

    system = { en = "System", zh = "系统" },
    system_detail = { en = "Languages, date and time",
                      zh = "语言、日期和时间" },
    language = { en = { "Languages", "Language" },
                 zh = { "语言", "系统语言" } },
    time = { en = { "Date & time", "Time" }, zh = { "日期和时间", "时间" } },
    auto_time = { en = { "Set time automatically", "Automatic time" },
                  zh = "自动设置时间" },
    auto_zone = { en = { "Set time zone automatically", "Automatic zone" },
                  zh = "自动设置时区" },
    full_day = { en = { "Use 24-hour format", "24-hour clock" },
                 zh = { "使用 24 小时制", "24 小时制" } },
    developer = { en = "Developer options", zh = "开发者选项" },
    stay_awake = { en = "Stay awake", zh = "不锁定屏幕" },
    show_taps = { en = "Show taps", zh = "显示点按操作反馈" },

    about = { en = { "About phone", "Phone info" },
              zh = { "关于手机", "手机信息" } },
    device_name = { en = { "Device name", "Phone name" },
                    zh = { "设备名称", "手机名称" } },
    model = { en = "Model", zh = "型号" },
    android = { en = "Android version", zh = "Android 版本" },
    patch = { en = "Android security update", zh = "Android 安全更新" },
    serial = { en = "Serial number", zh = "序列号" },
    build = { en = "Build number", zh = { "版本号", "内部版本号" } },
    steps_left = { en = "Steps left until you are a developer: %d",
                   zh = "还需执行 %d 步操作即可进入开发者模式" },
    is_developer = { en = "You are now a developer!",
                     zh = "您现在处于开发者模式！" },
    was_developer = { en = "No need, you are already a developer.",
                      zh = "您已处于开发者模式，无需进行此操作。" },
}

-- ---- settings ----

-- Each is a handler, too: { "dark", "on" }.
local switches = {
    wifi = { "global", "wifi_on" },
    mobile = { "global", "mobile_data" },
    airplane = { "global", "airplane_mode_on" },
    bluetooth = { "global", "bluetooth_on" },
    adaptive = { "system", "screen_brightness_mode" },
    dark = { "secure", "ui_night_mode", on = "2", off = "1" },
    rotate = { "system", "accelerometer_rotation" },
    vibrate = { "system", "vibrate_when_ringing" },
    haptics = { "system", "haptic_feedback_enabled" },
    do_not_disturb = { "global", "zen_mode" },
    auto_time = { "global", "auto_time" },
    auto_zone = { "global", "auto_time_zone" },
    full_day = { "system", "time_12_24", on = "24", off = "12" },
    stay_awake = { "global", "stay_on_while_plugged_in", on = "15" },
    developer = { "global", "development_settings_enabled" },
    show_taps = { "system", "show_touches" },
}

local volumes = {
    { id = "music", most = 15, default = 5 },
    { id = "call", most = 7, default = 4 },
    { id = "ring", most = 7, default = 5 },
    { id = "alarm", most = 7, default = 6 },
}

local timeouts = {
    { 15000, { en = "15 seconds", zh = "15 秒" } },
    { 30000, { en = "30 seconds", zh = "30 秒" } },
    { 60000, { en = "1 minute", zh = "1 分钟" } },
    { 120000, { en = "2 minutes", zh = "2 分钟" } },
    { 300000, { en = "5 minutes", zh = "5 分钟" } },
    { 600000, { en = "10 minutes", zh = "10 分钟" } },
    { 1800000, { en = "30 minutes", zh = "30 分钟" } },
}

local font_sizes = {
    { 0.85, { en = "Small", zh = "小" } },
    { 1.0, { en = "Default", zh = "默认" } },
    { 1.15, { en = "Large", zh = "大" } },
    { 1.3, { en = "Largest", zh = "最大" } },
}

local ringers = {
    { "ring", { en = "Ring", zh = "响铃" }, value = "2" },
    { "vibrate", { en = "Vibrate", zh = "振动" }, value = "1" },
    { "silent", { en = { "Silent", "Mute" }, zh = "静音" }, value = "0" },
}

local languages = {
    { "en-US", "English (United States)", locale = "en" },
    { "zh-CN", "简体中文（中国大陆）", locale = "zh" },
}

local function number(space, name, otherwise)
    return tonumber(setting(space, name) or "") or otherwise
end

local function is_on(name)
    local switch = switches[name]
    local value = setting(switch[1], switch[2]) or "0"
    return value ~= "0" and value ~= switch.off
end

-- The first choice that passes the test, or else the one with that number.
local function chosen(choices, test, otherwise)
    for _, choice in ipairs(choices) do
        if test(choice) then
            return choice
        end
    end
    return choices[otherwise]
end

local function timeout()
    local kept = number("system", "screen_off_timeout", 60000)
    return chosen(timeouts, function(one) return one[1] == kept end, 3)
end

local function font_size()
    local kept = number("system", "font_scale", 1.0)
    return chosen(font_sizes, function(one) return one[1] == kept end, 2)
end

local function ringer()
    local kept = setting("global", "mode_ringer") or "2"
    return chosen(ringers, function(one) return one.value == kept end, 1)
end

local function spoken()
    return chosen(languages, function(one)
        return one.locale == display().locale
    end, 1)
end

-- ---- generated content ----

-- A word and two digits, like a password on a note.
local function make_password(number)
    local r = random("wifi password", number)
    return content.brand(r).en:lower() .. content.brand(r).en:lower() ..
           r.int(10, 99)
end

local function make_networks()
    local r = random("wifi")
    local endings = r.shuffle{ "-5G", "_Guest", "-2.4G", " Wi-Fi", "_Home",
                               "-Office", "_Cafe", "-IoT" }
    local networks = {}
    for i = 1, r.int(6, 8) do
        networks[i] = { name = content.brand(r).en .. endings[i],
                        secured = i == 1 or r.chance(0.7),
                        bars = math.max(4 - i // 2, 1),
                        fast = r.chance(0.5), host = r.int(2, 250),
                        password = make_password(i) }
    end
    return networks
end

local function make_storage()
    local r = random("storage")
    local parts = {
        { name = words.apps, icon = "apps", size = r.int(82, 246) },
        { name = { en = "Images", zh = "图片" }, icon = "image",
          size = r.int(31, 187) },
        { name = { en = "Videos", zh = "视频" }, icon = "play",
          size = r.int(42, 229) },
        { name = { en = "Audio", zh = "音频" }, icon = "volume",
          size = r.int(4, 78) },
        { name = { en = "Documents", zh = "文档" }, icon = "file",
          size = r.int(2, 54) },
        { name = words.system, icon = "gear", size = r.int(138, 192) },
    }
    local used = 0
    for _, part in ipairs(parts) do
        used = used + part.size
    end
    return { parts = parts, used = used, total = 128 }
end

local networks = make_networks()
local stored = make_storage() -- in tenths of a gigabyte; its total in gigabytes

local function find_network(name)
    return table.find(networks, name, "name")
end

-- ---- Wi-Fi ----

local handlers = {}

-- The network that the phone is connected to, or "".
local function connection()
    if not is_on("wifi") then
        return ""
    end
    return setting("global", "wifi_ssid") or networks[1].name
end

local function saved_networks()
    local kept = setting("global", "wifi_saved") or networks[1].name
    return table.filter(kept:split(","), find_network)
end

local function is_saved(name)
    return table.index(saved_networks(), name) ~= nil
end

local function keep_saved(names)
    set_setting("global", "wifi_saved", table.concat(names, ","))
end

-- A network that was joined once keeps its password.
local function lets_in(name, password)
    local network = find_network(name)
    return not network.secured or is_saved(name) or
           password == network.password
end

function handlers.connect(state, name)
    local answer = lets_in(name, state.password) and "joined" or "refused"
    state.connecting, state.refused, state.password = name, "", ""
    if current() == "password" then
        back()
    end
    after(2, answer, name)
end

function handlers.refused(state, name)
    if state.connecting == name then
        state.connecting, state.refused = "", name
    end
end

-- Another network may have been chosen in the meantime, or none.
function handlers.joined(state, name)
    if state.connecting ~= name then
        return
    end
    state.connecting = ""
    if not is_on("wifi") then
        return
    end
    set_setting("global", "wifi_ssid", name)
    if not is_saved(name) then
        keep_saved(table.join(saved_networks(), { name }))
    end
end

function handlers.choose(state, name)
    if connection() == name then
        go("network_details", name)
    elseif is_saved(name) or not find_network(name).secured then
        handlers.connect(state, name)
    else
        state.password, state.shows_password = "", false
        go("password", name)
    end
end

function handlers.password(state, text) state.password = text end

function handlers.show_password(state, on) state.shows_password = on end

function handlers.submit_password(state, name)
    if #state.password >= 8 then
        handlers.connect(state, name)
    end
end

function handlers.disconnect(state, name)
    set_setting("global", "wifi_ssid", "")
    back()
end

function handlers.forget(state, name)
    if connection() == name then
        set_setting("global", "wifi_ssid", "")
    end
    keep_saved(table.filter(saved_networks(), function(other)
        return other ~= name
    end))
    back()
    snack(words.forgotten)
end

-- ---- the other settings ----

for name, switch in pairs(switches) do
    handlers[name] = function(_, word)
        local value = word == "on" and (switch.on or "1") or
                      switch.off or "0"
        set_setting(switch[1], switch[2], value)
    end
end

function handlers.brightness(_, level)
    set_setting("system", "screen_brightness", level)
end

function handlers.volume(_, name, level)
    set_setting("system", "volume_" .. name, level)
end

function handlers.timeout(_, milliseconds)
    set_setting("system", "screen_off_timeout", milliseconds)
    back()
end

function handlers.font_size(_, scale)
    set_setting("system", "font_scale", scale)
end

function handlers.ringer(_, name)
    local mode = chosen(ringers, function(one) return one[1] == name end, 1)
    set_setting("global", "mode_ringer", mode.value)
    back()
end

function handlers.language(_, tag)
    local other = tag == "zh-CN" and "en-US" or "zh-CN"
    set_setting("system", "system_locales", tag .. "," .. other)
end

function handlers.rename(state)
    state.name = setting("global", "device_name") or ""
    go("rename")
end

function handlers.typed_name(state, text) state.name = text end

function handlers.device_name(state, name)
    set_setting("global", "device_name", name)
    back()
end

local STEPS = 7 -- taps on the build number enable the developer options

function handlers.build_number(state)
    if is_on("developer") then
        snack(words.was_developer)
        return
    end
    state.taps = state.taps + 1
    if state.taps < STEPS then
        local left = STEPS - state.taps
        snack({ en = string.format(words.steps_left.en, left),
                zh = string.format(words.steps_left.zh, left) })
    else
        state.taps = 0
        handlers.developer(state, "on")
        event("developer", "on")
        snack(words.is_developer)
    end
end

-- ---- apps ----

-- Groups of Android permissions, as users see them.
local groups = {
    { id = "calendar", name = { en = "Calendar", zh = "日历" },
      icon = "calendar", "READ_CALENDAR", "WRITE_CALENDAR" },
    { id = "call_log", name = { en = "Call logs", zh = "通话记录" },
      icon = "call", "READ_CALL_LOG", "WRITE_CALL_LOG" },
    { id = "camera", name = { en = "Camera", zh = "相机" }, icon = "photo",
      "CAMERA" },
    { id = "contacts", name = { en = "Contacts", zh = "通讯录" },
      icon = "people", "READ_CONTACTS", "WRITE_CONTACTS", "GET_ACCOUNTS" },
    { id = "files", name = { en = "Files", zh = "文件" }, icon = "folder",
      "READ_EXTERNAL_STORAGE", "WRITE_EXTERNAL_STORAGE" },
    { id = "location", name = { en = "Location", zh = "位置信息" },
      icon = "place", "ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION",
      "ACCESS_BACKGROUND_LOCATION" },
    { id = "microphone", name = { en = "Microphone", zh = "麦克风" },
      icon = "mic", "RECORD_AUDIO" },
    { id = "notifications", name = { en = "Notifications", zh = "通知" },
      icon = "bell", "POST_NOTIFICATIONS" },
    { id = "phone", name = { en = "Phone", zh = "电话" }, icon = "call",
      "CALL_PHONE", "READ_PHONE_STATE", "READ_PHONE_NUMBERS" },
    { id = "photos", name = { en = "Photos and videos", zh = "照片和视频" },
      icon = "image", "READ_MEDIA_IMAGES", "READ_MEDIA_VIDEO" },
    { id = "sms", name = { en = "SMS", zh = "短信" }, icon = "chat",
      "READ_SMS", "SEND_SMS", "RECEIVE_SMS" },
}

local function find_group(id)
    return chosen(groups, function(group) return group.id == id end, 1)
end

-- For a missing package only the name is known.
local function find_package(name)
    return table.find(packages(), name, "name") or
           { name = name, label = { en = name, zh = name }, version = "",
             permissions = {}, launches = false, runs = false }
end

-- The package's permissions in a group, with full names.
local function permissions_in(group, one)
    return table.filter(one.permissions, function(permission)
        local short = permission.name:replace("android.permission.", "")
        return table.index(group, short) ~= nil
    end)
end

-- The groups that a package requests, by whether they are granted.
local function groups_of(one)
    local allowed, denied = {}, {}
    for _, group in ipairs(groups) do
        local some = permissions_in(group, one)
        if #some > 0 then
            table.insert(some[1].granted and allowed or denied, group)
        end
    end
    return allowed, denied
end

function handlers.filter(state, name) state.filter = name end

function handlers.open(_, name) launch(name) end

function handlers.stop(_, name)
    back()
    force_stop(name)
end

function handlers.permission(_, name, group, word)
    for _, permission in ipairs(permissions_in(find_group(group),
                                               find_package(name))) do
        permit(name, permission.name, word == "allow")
    end
end

-- ---- rows ----

local function heading(label)
    return text{ label, width = "fill", style = "label_large", ink = "primary",
        padding_left = 16, padding_right = 16, padding_top = 16,
        padding_bottom = 8 }
end

local function link(name, icon, detail)
    return item{ words[name], detail = detail, icon = icon, id = name,
        on_click = { "go", name } }
end

-- The whole row can be pressed; the switch in it only shows the state.
local function switch_row(name, icon, on)
    if on == nil then
        on = is_on(name)
    end
    return item{ words[name], icon = icon, id = name,
        on_click = { name, on and "off" or "on" },
        switch{ checked = on, clickable = false,
            id = "android:id/switch_widget" } }
end

-- The main switch of a page.
local function main_switch(name, label)
    return column{ width = "fill", padding = 16,
        item{ label, id = name, background = "primary_container", radius = 28,
            padding_left = 24, padding_right = 24,
            on_click = { name, is_on(name) and "off" or "on" },
            switch{ checked = is_on(name), clickable = false,
                id = "android:id/switch_widget" } } }
end

local function slider_row(name, icon_name, slider)
    return row{ width = "fill", gap = 16, padding_left = 16,
        padding_right = 16, padding_top = 12, padding_bottom = 4,
        icon{ icon = icon_name, ink = "on_surface_variant", width = 24,
            height = 24 },
        column{ weight = 1, gap = 4,
            text{ words[name], id = "android:id/title",
                style = "body_large" },
            slider } }
end

local function radio_rows(handler, choices, kept)
    return table.map(choices, function(choice, i)
        return item{ choice[2], id = handler .. "_" .. i,
            on_click = { handler, choice[1] },
            radio{ checked = choice == kept, clickable = false } }
    end)
end

-- A list of choices; pressing one selects it.
local function choice_dialog(name, choices, kept)
    return dialog{ title = words[name], id = name .. "_dialog",
        column{ width = "fill", radio_rows(name, choices, kept) },
        buttons = { { words.cancel, id = "cancel", on_click = "back" } } }
end

local function scrolled(title, ...)
    return page{ title = title,
        list{ weight = 1, id = "recycler_view", padding_bottom = 24,
            { ... } } }
end

local function gigabytes(tenths)
    return string.format("%d.%d", tenths // 10, tenths % 10)
end

-- ---- the screens ----

local screens = {}

local function wifi_summary()
    local name = connection()
    return not is_on("wifi") and t(words.off) or
           name ~= "" and name or t(words.not_connected)
end

local function free_summary()
    return string.format(t(words.free),
                         gigabytes(stored.total * 10 - stored.used))
end

function screens.main(state)
    return page{
        list{ weight = 1, id = "main_content_scrollable_container",
            padding_bottom = 24,
            text{ words.settings, id = "homepage_title",
                style = "headline_large", padding = 24, padding_bottom = 16 },
            column{ width = "fill", padding_left = 16, padding_right = 16,
                padding_bottom = 12,
                search_bar{ id = "search_action_bar",
                    on_click = { "go", "search" },
                    icon{ icon = "search", ink = "on_surface_variant" },
                    text{ words.search, id = "search_action_bar_title",
                        style = "body_large",
                        ink = "on_surface_variant" } } },
            shuffle_by_skin{
                link("network", "wifi_sign", words.network_detail),
                link("devices", "bluetooth", words.bluetooth),
                link("apps", "apps", words.apps_detail),
                link("sound", "volume", words.sound_detail),
                link("display", "display", words.display_detail),
                link("storage", "storage", free_summary()),
                link("system", "gear", words.system_detail) },
            usage.links(),
            link("about", "phone_device", property("ro.product.model")) } }
end

function screens.network()
    return scrolled(words.network,
        link("wifi", "wifi_sign", wifi_summary()),
        switch_row("mobile", "swap"),
        switch_row("airplane", "airplane"))
end

local function network_row(state, network)
    local name = network.name
    local detail = state.connecting == name and words.connecting or
                   state.refused == name and words.wrong_password or
                   connection() == name and words.connected or
                   is_saved(name) and words.saved or nil
    return item{ name, key = name, detail = detail, icon = "wifi_sign",
        id = "wifi_entry", on_click = { "choose", name },
        network.secured and icon{ icon = "lock", width = 18, height = 18,
            ink = "on_surface_variant", description = words.secured } or
            false }
end

function screens.wifi(state)
    local first = connection()
    local sorted = table.sort(table.join(networks), function(a, b)
        return a.name == first and b.name ~= first
    end)
    if not is_on("wifi") then
        return scrolled(words.wifi, main_switch("wifi", words.use_wifi),
            text{ words.wifi_off, id = "wifi_off", padding = 24,
                style = "body_medium", ink = "on_surface_variant" })
    end
    return scrolled(words.wifi, main_switch("wifi", words.use_wifi),
        table.map(sorted, function(network)
            return network_row(state, network)
        end),
        divider{},
        link("saved_networks", "list",
            string.format(t(words.count_networks), #saved_networks())))
end

function screens.saved_networks(state)
    return scrolled(words.saved_networks,
        table.map(saved_networks(), function(name)
            return item{ name, key = name, icon = "wifi_sign",
                id = "saved_entry",
                on_click = { "go", "network_details", name } }
        end))
end

function screens.network_details(state, name)
    local network = find_network(name)
    local here = connection() == name
    local bars = { { en = "Weak", zh = "弱" }, { en = "Fair", zh = "一般" },
                   { en = "Good", zh = "良好" },
                   { en = "Excellent", zh = "极佳" } }
    return scrolled(words.network_details,
        column{ width = "fill", across = "center", gap = 8, padding = 16,
            icon{ icon = "wifi_sign", width = 40, height = 40,
                ink = "primary" },
            text{ name, id = "entity_header_title", style = "title_large" },
            text{ here and words.connected or words.saved,
                id = "entity_header_summary", style = "body_medium",
                ink = "on_surface_variant" } },
        row{ width = "fill", across = "center", gap = 12, padding_bottom = 16,
            shuffle_by_skin{
                button{ words.forget, id = "forget", style = "tonal",
                    icon = "delete", on_click = { "forget", name } },
                here and button{ words.disconnect, id = "disconnect",
                    style = "tonal", icon = "close",
                    on_click = { "disconnect", name } } or false } },
        item{ words.signal, detail = bars[network.bars], id = "signal" },
        item{ words.frequency, detail = network.fast and "5 GHz" or "2.4 GHz",
            id = "frequency" },
        item{ words.security, id = "security",
            detail = network.secured and words.secured or
                     words.open_network },
        here and item{ words.address, id = "ip_address",
            detail = "192.168.1." .. network.host } or false)
end

function screens.password(state, name)
    local long_enough = #state.password >= 8
    return dialog{ title = name, id = "wifi_dialog",
        field{ text = state.password, id = "password", hint = words.password,
            width = "fill", password = not state.shows_password,
            autofocus = true, on_change = "password",
            on_submit = { "submit_password", name } },
        checkbox{ words.show_password, id = "show_password",
            checked = state.shows_password, on_change = "show_password" },
        buttons = {
            { words.cancel, id = "cancel", on_click = "back" },
            { words.connect, id = "connect", disabled = not long_enough,
              on_click = { "connect", name } } } }
end

function screens.devices(state)
    return scrolled(words.devices, main_switch("bluetooth", words.bluetooth),
        text{ is_on("bluetooth") and words.on or words.off, padding = 24,
            style = "body_medium", ink = "on_surface_variant" })
end

function screens.display(state)
    return scrolled(words.display,
        slider_row("brightness", "lightbulb", slider{ id = "brightness",
            width = "fill", description = words.brightness, from = 1, to = 255,
            step = 1, value = number("system", "screen_brightness", 102),
            on_change = "brightness" }),
        shuffle_by_skin{
            switch_row("adaptive", "refresh"),
            link("timeout", "timer", timeout()[2]),
            switch_row("dark", "dark", display().dark),
            link("font_size", "font_size", font_size()[2]),
            switch_row("rotate", "restart") })
end

function screens.timeout()
    return choice_dialog("timeout", timeouts, timeout())
end

function screens.font_size()
    local size = font_size()
    return scrolled(words.font_size,
        column{ width = "fill", padding = 16,
            card{ padding = 24,
                text{ words.sample, id = "sample", text_size = 18 } } },
        radio_rows("font_size", font_sizes, size))
end

function screens.sound()
    return scrolled(words.sound,
        table.map(volumes, function(volume)
            local id = volume.id
            return slider_row(id, id == "alarm" and "alarm" or
                id == "ring" and "bell" or id == "call" and "call" or "volume",
                slider{ id = id .. "_volume", width = "fill", from = 0,
                    to = volume.most, step = 1, description = words[id],
                    value = number("system", "volume_" .. id, volume.default),
                    on_change = { "volume", id } })
        end),
        link("ringer", "bell", ringer()[2]),
        switch_row("vibrate", "phone_device"),
        switch_row("do_not_disturb", "minus"),
        switch_row("haptics", "swap"))
end

function screens.ringer()
    return choice_dialog("ringer", ringers, ringer())
end

function screens.storage()
    local share = stored.used / (stored.total * 10)
    return scrolled(words.storage,
        column{ width = "fill", padding = 24, gap = 12,
            text{ string.format(t(words.used_of), gigabytes(stored.used),
                stored.total), id = "usage_summary", style = "title_large" },
            progress{ value = share, to = 1, width = "fill", height = 12 },
            text{ free_summary(), id = "free_summary", style = "body_medium",
                ink = "on_surface_variant" } },
        table.map(stored.parts, function(part)
            return row{ width = "fill", gap = 16, padding = 16,
                down = "center", id = "storage_item",
                icon{ icon = part.icon, ink = "on_surface_variant" },
                column{ weight = 1, gap = 8,
                    row{ width = "fill", across = "spread",
                        text{ part.name, id = "android:id/title",
                            style = "body_large" },
                        text{ gigabytes(part.size) .. " GB",
                            id = "android:id/summary", style = "body_medium",
                            ink = "on_surface_variant" } },
                    progress{ value = part.size, to = stored.used,
                        width = "fill" } } }
        end))
end

-- ---- app screens ----

local function size_of(one)
    return gigabytes(random("size", one.name).int(41, 4807)) .. " MB"
end

-- Its icon; without one, its first letter in a circle.
local function badge_of(one, side)
    if one.icon ~= "" then
        return icon{ icon = one.icon, width = side, height = side }
    end
    local grounds = { "primary", "secondary", "tertiary" }
    local ground = random("badge", one.name).pick(grounds)
    return column{ width = side, height = side, radius = side / 2,
        background = ground .. "_container", across = "center",
        down = "center",
        text{ utf8.sub(t(one.label), 1, 1), text_size = side * 0.45,
            ink = "on_" .. ground .. "_container" } }
end

function screens.apps(state)
    local shown = table.filter(packages(), function(one)
        return state.filter == "all" or one.launches
    end)
    table.sort(shown, function(a, b) return t(a.label) < t(b.label) end)
    return page{ title = words.apps,
        row{ width = "fill", gap = 8, padding_left = 16, padding_bottom = 8,
            table.map({ "own", "all" }, function(name)
                return chip{ words[name], id = "filter_" .. name,
                    checkable = true, checked = state.filter == name,
                    on_click = { "filter", name } }
            end) },
        list{ weight = 1, id = "apps_list", padding_bottom = 24,
            table.map(shown, function(one)
                return row{ width = "fill", padding = 16, padding_top = 10,
                    padding_bottom = 10, gap = 16, down = "center",
                    id = "app_entry", key = one.name,
                    on_click = { "go", "app_info", one.name },
                    badge_of(one, 40),
                    column{ weight = 1, gap = 2,
                        text{ one.label, id = "android:id/title",
                            style = "body_large" },
                        text{ size_of(one), id = "android:id/summary",
                            style = "body_medium",
                            ink = "on_surface_variant" } } }
            end) } }
end

local function permission_summary(one)
    local allowed, denied = groups_of(one)
    if #allowed + #denied == 0 then
        return t(words.no_permissions)
    end
    return string.format(t(words.allowed_of), #allowed, #allowed + #denied)
end

function screens.app_info(state, name)
    local one = find_package(name)
    local stops = one.runs and one.launches and name ~= package
    return scrolled(words.app_info,
        column{ width = "fill", across = "center", gap = 8, padding = 16,
            badge_of(one, 64),
            text{ one.label, id = "entity_header_title",
                style = "title_large" } },
        row{ width = "fill", across = "center", gap = 12, padding_bottom = 16,
            shuffle_by_skin{
                button{ words.open, id = "open", icon = "forward",
                    style = "tonal", disabled = not one.launches,
                    on_click = { "open", name } },
                button{ words.stop, id = "force_stop", icon = "warning",
                    style = "tonal", disabled = not stops,
                    on_click = { "go", "confirm_stop", name } } } },
        item{ words.permissions, detail = permission_summary(one),
            id = "permission_settings",
            on_click = { "go", "permissions", name } },
        item{ words.storage, detail = size_of(one), id = "storage_settings" },
        item{ words.version, detail = one.version, id = "version" },
        item{ words.package_name, detail = name, id = "package_name" })
end

function screens.confirm_stop(state, name)
    return dialog{ title = words.sure_stop, message = words.stop_warning,
        buttons = {
            { words.cancel, id = "cancel", on_click = "back" },
            { words.ok, id = "ok", on_click = { "stop", name } } } }
end

local function group_rows(name, some, empty)
    if #some == 0 then
        return text{ empty, padding_left = 16, padding_bottom = 8,
            style = "body_medium", ink = "on_surface_variant" }
    end
    return table.map(some, function(group)
        return item{ group.name, icon = group.icon, key = group.id,
            id = "permission_" .. group.id,
            on_click = { "go", "permission", name, group.id } }
    end)
end

function screens.permissions(state, name)
    local allowed, denied = groups_of(find_package(name))
    return scrolled(words.permissions,
        heading(words.allowed),
        group_rows(name, allowed, words.none_allowed),
        heading(words.denied),
        group_rows(name, denied, words.none_denied))
end

function screens.permission(state, name, id)
    local one, group = find_package(name), find_group(id)
    local first = permissions_in(group, one)[1]
    local granted = first ~= nil and first.granted
    return scrolled(group.name,
        column{ width = "fill", across = "center", gap = 8, padding = 16,
            badge_of(one, 56),
            text{ one.label, style = "title_medium" } },
        table.map({ "allow", "deny" }, function(word)
            return item{ words[word], id = word .. "_radio_button",
                on_click = { "permission", name, id, word },
                radio{ checked = granted == (word == "allow"),
                    clickable = false } }
        end))
end

-- ---- system ----

function screens.system()
    return scrolled(words.system,
        link("language", "language", spoken()[2]),
        link("time", "time"),
        is_on("developer") and link("developer", "edit") or false)
end

function screens.language()
    return scrolled(words.language,
        radio_rows("language", languages, spoken()))
end

function screens.time()
    return scrolled(words.time, switch_row("auto_time"),
        switch_row("auto_zone"), switch_row("full_day"))
end

function screens.developer()
    return scrolled(words.developer, switch_row("stay_awake"),
        switch_row("show_taps"))
end

function screens.about()
    return scrolled(words.about,
        item{ words.device_name, detail = setting("global", "device_name"),
            id = "device_name", on_click = "rename" },
        item{ words.model, detail = property("ro.product.model"),
            id = "device_model" },
        item{ words.serial, detail = property("ro.serialno"),
            id = "serial_number" },
        divider{},
        item{ words.android, detail = property("ro.build.version.release"),
            id = "firmware_version" },
        item{ words.patch, id = "security_key",
            detail = property("ro.build.version.security_patch") },
        item{ words.build, detail = property("ro.build.display.id"),
            id = "build_number", on_click = "build_number" })
end

function screens.rename(state)
    local name = state.name:trim()
    return dialog{ title = words.device_name, id = "rename_dialog",
        field{ text = state.name, id = "edit", hint = words.device_name,
            width = "fill", autofocus = true, on_change = "typed_name" },
        buttons = {
            { words.cancel, id = "cancel", on_click = "back" },
            { words.ok, id = "ok", disabled = name == "",
              on_click = { "device_name", name } } } }
end

-- ---- searching ----

-- Search entries: title, page and parent.
local places = {
    { "network", "network" }, { "wifi", "wifi", "network" },
    { "use_wifi", "wifi", "wifi" }, { "saved_networks", "saved_networks",
    "wifi" }, { "mobile", "network", "network" },
    { "airplane", "network", "network" }, { "devices", "devices" },
    { "bluetooth", "devices", "devices" }, { "apps", "apps" },
    { "permissions", "apps", "apps" }, { "stop", "apps", "apps" },
    { "sound", "sound" }, { "music", "sound", "sound" },
    { "call", "sound", "sound" }, { "ring", "sound", "sound" },
    { "alarm", "sound", "sound" }, { "ringer", "sound", "sound" },
    { "vibrate", "sound", "sound" }, { "do_not_disturb", "sound", "sound" },
    { "haptics", "sound", "sound" }, { "display", "display" },
    { "brightness", "display", "display" },
    { "adaptive", "display", "display" }, { "dark", "display", "display" },
    { "timeout", "display", "display" },
    { "font_size", "font_size", "display" },
    { "rotate", "display", "display" }, { "storage", "storage" },
    { "system", "system" }, { "language", "language", "system" },
    { "time", "time", "system" }, { "auto_time", "time", "time" },
    { "auto_zone", "time", "time" }, { "full_day", "time", "time" },
    { "about", "about" }, { "device_name", "about", "about" },
    { "model", "about", "about" }, { "android", "about", "about" },
    { "serial", "about", "about" }, { "build", "about", "about" },
}
for _, place in ipairs(usage.places) do
    words[place[1]] = usage.words[place[1]]
    places[#places + 1] = place
end

function handlers.query(state, text) state.query = text end

local function found_places(query)
    local wanted = query:trim():lower()
    return table.filter(places, function(place)
        return wanted ~= "" and t(words[place[1]]):lower():find(wanted) ~= nil
    end)
end

function screens.search(state)
    local found = found_places(state.query)
    return page{
        column{ width = "fill", padding = 16,
            search_bar{ padding_left = 4,
                icon_button{ icon = "back", on_click = "back",
                    description = { en = "Navigate up", zh = "转到上一层级" } },
                field{ text = state.query, id = "search_src_text",
                    hint = words.search, autofocus = true,
                    on_change = "query" },
                state.query ~= "" and icon_button{ icon = "close",
                    id = "search_close_btn", description = words.clear,
                    on_click = { "query", "" } } or false } },
        #found == 0 and state.query ~= "" and text{ words.nothing,
            id = "no_results", padding = 24 } or
        list{ weight = 1, id = "list_results",
            table.map(found, function(place)
                return item{ words[place[1]], key = place[1],
                    id = "search_result", icon = "search",
                    detail = place[3] and words[place[3]] or words.settings,
                    on_click = { "go", place[2] } }
            end) } }
end

-- ---- intents ----

-- Pages that other apps may open, by Android's activity.
local activities = {
    WifiSettingsActivity = "wifi",
    NetworkDashboardActivity = "network",
    BluetoothSettingsActivity = "devices",
    DisplaySettingsActivity = "display",
    SoundSettingsActivity = "sound",
    DateTimeSettingsActivity = "time",
    LocalePickerActivity = "language",
    ManageApplicationsActivity = "apps",
    StorageDashboardActivity = "storage",
    MyDeviceInfoActivity = "about",
}

local function start(state, intent)
    local class = intent.class or ""
    local page = activities[class:replace(package .. ".Settings$", "")]
    local data = intent.data or ""
    if class == package .. ".applications.InstalledAppDetails" then
        home("app_info", (data:replace("package:", "")))
    elseif page then
        home(page)
    elseif intent.action and intent.action:starts("android.settings.") then
        home()
    end
end

for name, screen in pairs(usage.screens) do
    screens[name] = screen
end
for name, handler in pairs(usage.handlers) do
    handlers[name] = handler
end

local function first_state()
    local state = table.copy(usage.state)
    state.query, state.connecting, state.refused = "", "", ""
    state.password, state.shows_password = "", false
    state.filter, state.name, state.taps = "own", "", 0
    return state
end

return {
    package = package,
    name = words.settings,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { networks = networks, connection = connection,
              is_saved = is_saved, apps = usage.apps,
              history = usage.history },
    on_start = start,
}
