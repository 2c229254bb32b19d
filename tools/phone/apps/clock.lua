-- Alarms, world clock, timers and a stopwatch.

local package = "com.android.deskclock"
local DAY = 24 * 60 * 60

local words = {
    alarm = { en = { "Alarm", "Alarms" }, zh = "闹钟" },
    clock = { en = { "Clock", "World clock" }, zh = { "时钟", "世界时钟" } },
    timer = { en = { "Timer", "Countdown" }, zh = { "计时器", "倒计时" } },
    stopwatch = { en = "Stopwatch", zh = "秒表" },
    add_alarm = { en = { "Add alarm", "New alarm" },
                  zh = { "添加闹钟", "新建闹钟" } },
    add_city = { en = { "Add city", "Cities" }, zh = { "添加城市", "城市" } },
    search_city = { en = { "Search for a city", "City or country" },
                    zh = { "搜索城市", "城市或国家" } },
    no_city = { en = "No such city", zh = "未找到城市" },
    once = { en = "Only once", zh = "仅一次" },
    every_day = { en = "Every day", zh = "每天" },
    off = { en = "Not scheduled", zh = "未启用" },
    label = { en = { "Add label", "Name" }, zh = { "添加标签", "名称" } },
    vibrate = { en = { "Vibrate", "Vibration" }, zh = { "振动", "震动" } },
    delete = { en = { "Delete", "Remove" }, zh = { "删除", "移除" } },
    expand = { en = "Expand alarm", zh = "展开闹钟" },
    collapse = { en = "Collapse alarm", zh = "收起闹钟" },
    hour = { en = "Hour", zh = "小时" },
    minute = { en = "Minute", zh = "分钟" },
    select_time = { en = { "Select time", "Enter time" },
                    zh = { "选择时间", "输入时间" } },
    cancel = { en = "Cancel", zh = "取消" },
    ok = { en = { "OK", "Done" }, zh = { "确定", "完成" } },
    deleted = { en = "Alarm deleted", zh = "闹钟已删除" },
    undo = { en = "Undo", zh = "撤消" },
    set_for = { en = "Alarm set for %s", zh = "闹钟已设为 %s" },
    city_removed = { en = "City removed", zh = "已移除城市" },
    start = { en = "Start", zh = "开始" },
    pause = { en = "Pause", zh = "暂停" },
    reset = { en = "Reset", zh = { "重置", "复位" } },
    lap = { en = { "Lap", "Split" }, zh = { "计次", "分段" } },
    add_minute = { en = "+1:00", zh = "+1:00" },
    times_up = { en = "Time's up", zh = "时间到" },
    stop = { en = { "Stop", "Dismiss" }, zh = { "停止", "关闭" } },
    snooze = { en = "Snooze", zh = { "暂停 10 分钟", "稍后提醒" } },
    no_alarms = { en = "No alarms", zh = "没有闹钟" },
    today = { en = "Today", zh = "今天" },
    hours = { en = "h", zh = "时" },
    minutes = { en = "m", zh = "分" },
    seconds = { en = "s", zh = "秒" },
}

local day_names = {
    { en = "Mon", zh = "周一" }, { en = "Tue", zh = "周二" },
    { en = "Wed", zh = "周三" }, { en = "Thu", zh = "周四" },
    { en = "Fri", zh = "周五" }, { en = "Sat", zh = "周六" },
    { en = "Sun", zh = "周日" },
}
local day_letters = {
    { en = "M", zh = "一" }, { en = "T", zh = "二" }, { en = "W", zh = "三" },
    { en = "T", zh = "四" }, { en = "F", zh = "五" }, { en = "S", zh = "六" },
    { en = "S", zh = "日" },
}

-- Hours ahead of UTC, without daylight saving time.
local cities = {
    { name = { en = "Auckland", zh = "奥克兰" }, ahead = 12 },
    { name = { en = "Bangkok", zh = "曼谷" }, ahead = 7 },
    { name = { en = "Beijing", zh = "北京" }, ahead = 8 },
    { name = { en = "Berlin", zh = "柏林" }, ahead = 1 },
    { name = { en = "Buenos Aires", zh = "布宜诺斯艾利斯" }, ahead = -3 },
    { name = { en = "Cairo", zh = "开罗" }, ahead = 2 },
    { name = { en = "Chicago", zh = "芝加哥" }, ahead = -6 },
    { name = { en = "Delhi", zh = "德里" }, ahead = 5.5 },
    { name = { en = "Denver", zh = "丹佛" }, ahead = -7 },
    { name = { en = "Dubai", zh = "迪拜" }, ahead = 4 },
    { name = { en = "Hanoi", zh = "河内" }, ahead = 7 },
    { name = { en = "Hong Kong", zh = "香港" }, ahead = 8 },
    { name = { en = "Honolulu", zh = "檀香山" }, ahead = -10 },
    { name = { en = "Istanbul", zh = "伊斯坦布尔" }, ahead = 3 },
    { name = { en = "Johannesburg", zh = "约翰内斯堡" }, ahead = 2 },
    { name = { en = "Kathmandu", zh = "加德满都" }, ahead = 5.75 },
    { name = { en = "Lagos", zh = "拉各斯" }, ahead = 1 },
    { name = { en = "Lisbon", zh = "里斯本" }, ahead = 0 },
    { name = { en = "London", zh = "伦敦" }, ahead = 0 },
    { name = { en = "Los Angeles", zh = "洛杉矶" }, ahead = -8 },
    { name = { en = "Madrid", zh = "马德里" }, ahead = 1 },
    { name = { en = "Mexico City", zh = "墨西哥城" }, ahead = -6 },
    { name = { en = "Moscow", zh = "莫斯科" }, ahead = 3 },
    { name = { en = "Nairobi", zh = "内罗毕" }, ahead = 3 },
    { name = { en = "New York", zh = "纽约" }, ahead = -5 },
    { name = { en = "Paris", zh = "巴黎" }, ahead = 1 },
    { name = { en = "Reykjavik", zh = "雷克雅未克" }, ahead = 0 },
    { name = { en = "São Paulo", zh = "圣保罗" }, ahead = -3 },
    { name = { en = "Seoul", zh = "首尔" }, ahead = 9 },
    { name = { en = "Shanghai", zh = "上海" }, ahead = 8 },
    { name = { en = "Singapore", zh = "新加坡" }, ahead = 8 },
    { name = { en = "Sydney", zh = "悉尼" }, ahead = 10 },
    { name = { en = "Tokyo", zh = "东京" }, ahead = 9 },
    { name = { en = "Toronto", zh = "多伦多" }, ahead = -5 },
}

-- ---- the state ----

local function first_state()
    local r = random("clock")
    local labels = { "", "Gym", "Bus", "Piano", "Medicine", "Standup" }
    local alarms = {}
    for id = 1, r.int(2, 4) do
        local workdays = r.chance(0.5)
        local days = {}
        for day = 1, 7 do
            days[day] = workdays and day <= 5
        end
        alarms[id] = { id = id, hour = r.int(5, 22), minute = 5 * r.int(0, 11),
                       on = r.chance(0.4), days = days, label = r.pick(labels),
                       vibrate = r.chance(0.5) }
    end
    local chosen = {}
    for _, city in ipairs(r.shuffle(cities)) do
        if #chosen < 3 then
            table.insert(chosen, city.name.en)
        end
    end
    return { tab = "alarm", alarms = alarms, next_id = #alarms + 1,
             expanded = 0, cities = chosen, query = "", digits = "",
             timers = {}, next_timer = 1,
             watch = { running = false, since = 0.0, spent = 0.0, laps = {} },
             picker = { id = 0, hour = "", minute = "" }, name = "",
             ringing = { kind = "", id = 0 } }
end

local function repeats(alarm)
    return table.index(alarm.days, true) ~= nil
end

-- Monday is 1: January 1, 1970 was a Thursday.
local function weekday(day)
    return (day + 3) % 7 + 1
end

-- When an alarm rings next, in seconds since 1970.
local function rings_at(alarm)
    local today = math.floor(now()) // DAY
    for day = today, today + 8 do
        local at = day * DAY + alarm.hour * 3600 + alarm.minute * 60
        if at > now() and (not repeats(alarm) or alarm.days[weekday(day)]) then
            return at
        end
    end
end

-- ---- alarms ----

local handlers = {}

-- One timer for each enabled alarm; a change cancels it.
local function schedule(alarm)
    if alarm.timer then
        cancel(alarm.timer)
        alarm.timer = nil
    end
    if alarm.on then
        alarm.timer = after(rings_at(alarm) - now(), "ring", alarm.id)
    end
end

function handlers.tab(state, name)
    state.tab = name
end

function handlers.alarm(state, id, on)
    local alarm = table.find(state.alarms, id)
    alarm.on = on
    schedule(alarm)
    event(on and "alarm_on" or "alarm_off", id)
end

function handlers.expand(state, id)
    state.expanded = state.expanded == id and 0 or id
end

function handlers.day(state, id, day)
    local alarm = table.find(state.alarms, id)
    alarm.days[day] = not alarm.days[day]
    schedule(alarm)
end

function handlers.vibrate(state, id, on)
    table.find(state.alarms, id).vibrate = on
end

function handlers.delete(state, id)
    local alarm, place = table.find(state.alarms, id)
    local was_on = alarm.on
    alarm.on = false
    schedule(alarm)
    table.remove(state.alarms, place)
    state.deleted = { alarm = alarm, place = place, was_on = was_on }
    snack(words.deleted, words.undo, "restore", id)
end

-- Restores a deleted alarm.
function handlers.restore(state, id)
    local deleted = state.deleted
    if deleted and deleted.alarm.id == id then
        state.deleted = nil
        deleted.alarm.on = deleted.was_on
        table.insert(state.alarms, deleted.place, deleted.alarm)
        schedule(deleted.alarm)
    end
end

local function new_alarm(state)
    local days = { false, false, false, false, false, false, false }
    local alarm = { id = state.next_id, days = days, label = "",
                    vibrate = true }
    state.next_id = state.next_id + 1
    table.insert(state.alarms, alarm)
    return alarm
end

-- 0 is a new alarm.
function handlers.pick_time(state, id)
    local alarm = table.find(state.alarms, id) or { hour = 8, minute = 0 }
    state.picker = { id = id, hour = string.format("%02d", alarm.hour),
                     minute = string.format("%02d", alarm.minute) }
    go("picker")
end

function handlers.hour(state, text) state.picker.hour = text end
function handlers.minute(state, text) state.picker.minute = text end

function handlers.step(state, part, by)
    local most = part == "hour" and 24 or 60
    local value = math.tointeger(tonumber(state.picker[part])) or 0
    state.picker[part] = string.format("%02d", (value + by) % most)
end

local function picked(text, most)
    local value = math.tointeger(tonumber(text))
    return value and value >= 0 and value < most and value or nil
end

function handlers.set_time(state)
    local hour = picked(state.picker.hour, 24)
    local minute = picked(state.picker.minute, 60)
    if not (hour and minute) then
        return
    end
    local alarm = table.find(state.alarms, state.picker.id) or new_alarm(state)
    alarm.hour, alarm.minute, alarm.on = hour, minute, true
    state.expanded = alarm.id
    schedule(alarm)
    back()
    event("alarm_set", alarm.id, hour, minute)
end

function handlers.name(state, id)
    state.name = table.find(state.alarms, id).label
    go("label", id)
end

function handlers.typed_name(state, text) state.name = text end

function handlers.set_name(state, id)
    table.find(state.alarms, id).label = state.name:trim()
    back()
end

function handlers.ring(state, id)
    local alarm = table.find(state.alarms, id)
    if not alarm then
        return
    end
    alarm.timer = nil
    alarm.on = repeats(alarm)
    schedule(alarm)
    state.ringing = { kind = "alarm", id = id }
    go("ringing")
    launch(package)
end

function handlers.stop(state)
    if state.ringing.kind == "timer" then
        handlers.remove_timer(state, state.ringing.id)
    end
    back()
end

function handlers.snooze(state, id)
    after(10 * 60, "ring", id)
    back()
end

-- ---- cities ----

function handlers.city_query(state, text) state.query = text end

function handlers.add_city(state, name)
    if not table.index(state.cities, name) then
        table.insert(state.cities, name)
    end
    state.query = ""
    back()
end

function handlers.remove_city(state, name)
    table.remove(state.cities, table.index(state.cities, name))
    snack(words.city_removed)
end

-- ---- timers ----

function handlers.digit(state, digit)
    if #state.digits + #digit <= 6 and (state.digits ~= "" or
                                        digit:replace("0", "") ~= "") then
        state.digits = state.digits .. digit
    end
end

function handlers.erase(state) state.digits = state.digits:sub(1, -2) end

local function entered(state)
    local padded = ("0"):rep(6 - #state.digits) .. state.digits
    return padded:sub(1, 2), padded:sub(3, 4), padded:sub(5, 6)
end

local function left_of(timer)
    return timer.running and timer.till - now() or timer.left
end

local function run_timer(timer)
    timer.till, timer.running = now() + timer.left, true
    timer.wakes = after(timer.left, "timer_done", timer.id)
end

local function hold_timer(timer)
    timer.left, timer.running = math.max(left_of(timer), 0.0), false
    if timer.wakes then
        cancel(timer.wakes)
        timer.wakes = nil
    end
end

function handlers.start_timer(state)
    local hours, minutes, seconds = entered(state)
    local length = tonumber(hours) * 3600 + tonumber(minutes) * 60 +
                   tonumber(seconds)
    if length == 0 then
        return
    end
    local timer = { id = state.next_timer, length = length,
                    left = length + 0.0, till = 0.0, running = false }
    state.next_timer = state.next_timer + 1
    table.insert(state.timers, 1, timer)
    run_timer(timer)
    state.digits = ""
    event("timer_set", length)
end

function handlers.pause_timer(state, id)
    hold_timer(table.find(state.timers, id))
end

function handlers.resume_timer(state, id)
    run_timer(table.find(state.timers, id))
end

function handlers.add_minute(state, id)
    local timer = table.find(state.timers, id)
    local ran = timer.running
    hold_timer(timer)
    timer.left = timer.left + 60
    if ran then
        run_timer(timer)
    end
end

function handlers.reset_timer(state, id)
    local timer = table.find(state.timers, id)
    hold_timer(timer)
    timer.left = timer.length + 0.0
end

function handlers.remove_timer(state, id)
    local timer, place = table.find(state.timers, id)
    if timer then
        hold_timer(timer)
        table.remove(state.timers, place)
    end
end

function handlers.timer_done(state, id)
    local timer = table.find(state.timers, id)
    timer.wakes = nil
    timer.left, timer.running = 0.0, false
    state.ringing = { kind = "timer", id = id }
    go("ringing")
    launch(package)
end

-- ---- the stopwatch ----

local function spent(watch)
    return watch.spent + (watch.running and now() - watch.since or 0)
end

function handlers.start_watch(state)
    state.watch.since, state.watch.running = now(), true
end

function handlers.pause_watch(state)
    state.watch.spent, state.watch.running = spent(state.watch) + 0.0, false
end

function handlers.lap(state)
    if #state.watch.laps < 99 then
        table.insert(state.watch.laps, spent(state.watch) + 0.0)
    end
end

function handlers.reset_watch(state)
    state.watch = { running = false, since = 0.0, spent = 0.0, laps = {} }
end

-- ---- times as texts ----

local function time_text(hour, minute)
    if setting("system", "time_12_24") ~= "12" then
        return string.format("%02d:%02d", hour, minute)
    end
    local noon = hour < 12 and t{ en = "AM", zh = "上午" } or
                 t{ en = "PM", zh = "下午" }
    local twelve = (hour + 11) % 12 + 1
    if display().locale == "zh" then
        return string.format("%s%d:%02d", noon, twelve, minute)
    end
    return string.format("%d:%02d %s", twelve, minute, noon)
end

-- "1:02:03", or "02:03" without hours.
local function length_text(seconds)
    local whole = math.max(math.ceil(seconds), 0)
    if whole >= 3600 then
        return string.format("%d:%02d:%02d", whole // 3600, whole // 60 % 60,
                             whole % 60)
    end
    return string.format("%02d:%02d", whole // 60, whole % 60)
end

local function watch_text(seconds)
    -- A difference of large floats may lack its last bit.
    local hundredths = math.floor(seconds * 100 + 0.01)
    return string.format("%02d:%02d.%02d", hundredths // 6000,
                         hundredths // 100 % 60, hundredths % 100)
end

local function days_text(alarm)
    if not alarm.on and not repeats(alarm) then
        return t(words.off)
    elseif not repeats(alarm) then
        return t(words.once)
    end
    local names = {}
    for day, on in ipairs(alarm.days) do
        if on then
            table.insert(names, t(day_names[day]))
        end
    end
    return #names == 7 and t(words.every_day) or
           table.concat(names, t{ en = ", ", zh = "、" })
end

-- ---- the alarm screen ----

local function alarm_details(alarm)
    local chips = {}
    for day = 1, 7 do
        chips[day] = button{ day_letters[day], width = 36, height = 36,
            padding = 0, id = "day_button_" .. day,
            description = day_names[day], selected = alarm.days[day],
            style = alarm.days[day] and "filled" or "outlined",
            ink = not alarm.days[day] and "on_surface" or nil,
            on_click = { "day", alarm.id, day } }
    end
    return {
        row{ width = "fill", across = "spread", padding_top = 12,
            padding_bottom = 8, chips },
        item{ alarm.label ~= "" and alarm.label or words.label, icon = "label",
            id = "edit_label", padding_left = 0,
            on_click = { "name", alarm.id } },
        item{ words.vibrate, id = "vibrate_row", padding_left = 0,
            padding_right = 0, icon = "bell",
            checkbox{ checked = alarm.vibrate, id = "vibrate_onoff",
                description = words.vibrate,
                on_change = { "vibrate", alarm.id } } },
        item{ words.delete, icon = "delete", id = "delete",
            padding_left = 0, on_click = { "delete", alarm.id } },
    }
end

local function alarm_card(state, alarm)
    local expanded = state.expanded == alarm.id
    return card{ id = "alarm_card", key = "alarm" .. alarm.id, padding = 16,
        background = alarm.on and "surface_container_high" or
                     "surface_container_low",
        alarm.label ~= "" and not expanded and text{ alarm.label,
            id = "label", style = "label_large",
            ink = "on_surface_variant" } or false,
        row{ width = "fill", down = "center",
            text{ time_text(alarm.hour, alarm.minute), id = "digital_clock",
                weight = 1, style = "display_medium",
                ink = alarm.on and "on_surface" or "on_surface_variant",
                on_click = { "pick_time", alarm.id } },
            icon_button{ icon = expanded and "up" or "down", id = "arrow",
                description = expanded and words.collapse or words.expand,
                on_click = { "expand", alarm.id } } },
        row{ width = "fill", down = "center",
            text{ days_text(alarm), id = "days_of_week", weight = 1,
                style = "body_medium", ink = "on_surface_variant" },
            switch{ id = "onoff", checked = alarm.on,
                on_change = { "alarm", alarm.id } } },
        expanded and alarm_details(alarm) or {} }
end

local function alarm_tab(state)
    local sorted = table.sort(table.join(state.alarms), function(a, b)
        return a.hour * 60 + a.minute < b.hour * 60 + b.minute
    end)
    local cards = table.map(sorted, function(alarm)
        return alarm_card(state, alarm)
    end)
    return stack{ width = "fill", weight = 1,
        list{ id = "alarm_recycler_view", height = "fill", gap = 12,
            padding_left = 16, padding_right = 16, padding_bottom = 96,
            #cards == 0 and text{ words.no_alarms, width = "fill",
                padding = 48, text_align = "center" } or cards },
        column{ width = "fill", height = "fill", across = "center",
            down = "end", padding_bottom = 16,
            fab{ icon = "add", id = "fab", description = words.add_alarm,
                on_click = { "pick_time", 0 } } } }
end

-- ---- the other tabs ----

local function find_city(name)
    for _, city in ipairs(cities) do
        if city.name.en == name then
            return city
        end
    end
end

local function ahead_text(city)
    local hours = math.abs(city.ahead)
    local whole, part = math.floor(hours), math.floor(hours % 1 * 60)
    if hours == 0 then
        return t(words.today)
    end
    local text = string.format("%d", whole)
    if part > 0 then
        text = text .. string.format(":%02d", part)
    end
    return city.ahead > 0
        and t{ en = text .. " h ahead", zh = "早 " .. text .. " 小时" }
        or t{ en = text .. " h behind", zh = "晚 " .. text .. " 小时" }
end

local function city_time(city)
    local minutes = math.floor(now() / 60 + city.ahead * 60) % (24 * 60)
    return time_text(minutes // 60, minutes % 60)
end

local function city_row(name)
    local city = find_city(name)
    return item{ city.name, detail = ahead_text(city), id = "city_row",
        key = name, on_long_click = { "remove_city", name },
        text{ city_time(city), id = "digital_clock", style = "headline_large" } }
end

local function clock_tab(state)
    local minutes = math.floor(now() / 60) % (24 * 60)
    local day = math.floor(now()) // DAY
    return stack{ width = "fill", weight = 1,
        list{ height = "fill", id = "cities", padding_bottom = 96,
            column{ width = "fill", padding = 24, gap = 4,
                text{ time_text(minutes // 60, minutes % 60), id = "clock",
                    text_size = 72, ink = "primary" },
                text{ day_names[weekday(day)], id = "date",
                    style = "title_medium", ink = "on_surface_variant" } },
            divider{},
            table.map(state.cities, city_row) },
        column{ width = "fill", height = "fill", across = "center",
            down = "end", padding_bottom = 16,
            fab{ icon = "world", id = "fab", description = words.add_city,
                on_click = { "go", "cities" } } } }
end

local function part(digits, unit)
    return row{ down = "end", gap = 2,
        text{ digits, text_size = 52, ink = "primary" },
        text{ unit, style = "title_medium", ink = "primary",
            padding_bottom = 8 } }
end

local function keypad(state)
    local rows = {}
    for i, digits in ipairs{ { "1", "2", "3" }, { "4", "5", "6" },
                             { "7", "8", "9" }, { "00", "0" } } do
        rows[i] = row{ width = "fill", weight = 1, gap = 12,
            table.map(digits, function(digit)
                return button{ digit, weight = 1, height = "fill", radius = 40,
                    text_size = 28, background = "surface_container_highest",
                    ink = "on_surface", id = "timer_setup_digit_" .. digit,
                    on_click = { "digit", digit } }
            end) }
    end
    table.insert(rows[4], button{ weight = 1, height = "fill", radius = 40,
        icon = "backspace", id = "timer_setup_delete",
        background = "secondary_container", ink = "on_secondary_container",
        description = words.delete, on_click = "erase" })
    return column{ width = "fill", weight = 1, gap = 12, padding_left = 32,
        padding_right = 32, padding_bottom = 12, rows }
end

local function timer_card(timer)
    local left = left_of(timer)
    if timer.running then
        redraw(1)
    end
    return card{ id = "timer_card", key = "timer" .. timer.id, padding = 20,
        gap = 8,
        row{ width = "fill", down = "center",
            text{ length_text(timer.length), style = "title_medium",
                weight = 1, ink = "on_surface_variant" },
            icon_button{ icon = "close", id = "close",
                description = words.delete,
                on_click = { "remove_timer", timer.id } } },
        text{ length_text(left), id = "timer_time_text", text_size = 60 },
        progress{ value = math.max(left, 0), to = timer.length },
        flow{ width = "fill", gap = 8, padding_top = 8, shuffle_by_skin{
            button{ words.add_minute, id = "adjust_time", style = "tonal",
                on_click = { "add_minute", timer.id } },
            button{ words.reset, id = "reset", style = "outlined",
                ink = "primary", on_click = { "reset_timer", timer.id } },
            button{ timer.running and words.pause or words.start,
                id = "play_pause",
                on_click = { timer.running and "pause_timer" or
                             "resume_timer", timer.id } } } } }
end

local function timer_tab(state)
    local hours, minutes, seconds = entered(state)
    if #state.timers > 0 and state.digits == "" then
        return list{ weight = 1, id = "timers", gap = 12, padding = 16,
            table.map(state.timers, timer_card),
            column{ width = "fill", across = "center", padding = 8,
                button{ words.timer, icon = "add", style = "tonal",
                    id = "add_timer", on_click = { "digit", "1" } } } }
    end
    return column{ width = "fill", weight = 1,
        row{ width = "fill", across = "center", gap = 12, padding = 24,
            id = "timer_setup_time",
            part(hours, words.hours), part(minutes, words.minutes),
            part(seconds, words.seconds) },
        keypad(state),
        row{ width = "fill", across = "center", height = 80, down = "center",
            state.digits ~= "" and fab{ icon = "play", id = "fab",
                description = words.start, on_click = "start_timer" } or
                false } }
end

local function lap_row(watch, number)
    local laps = watch.laps
    local from = number > 1 and laps[number - 1] or 0
    return row{ width = "fill", padding = 12, across = "spread",
        key = "lap" .. number, id = "lap_row",
        text{ "# " .. number, style = "body_large",
            ink = "on_surface_variant" },
        text{ watch_text(laps[number] - from), style = "body_large" },
        text{ watch_text(laps[number]), style = "body_large",
            ink = "on_surface_variant" } }
end

local function stopwatch_tab(state)
    local watch = state.watch
    local rows = {}
    for i = #watch.laps, 1, -1 do
        table.insert(rows, lap_row(watch, i))
    end
    if watch.running then
        redraw(0.1)
    end
    local begun = watch.running or watch.spent > 0
    return column{ width = "fill", weight = 1, across = "center",
        padding_bottom = 16,
        text{ watch_text(spent(watch)), id = "stopwatch_time_text",
            text_size = 68, padding = 56, ink = "primary" },
        list{ weight = 1, id = "laps_list", padding_left = 24,
            padding_right = 24, rows },
        row{ width = "fill", across = "center", gap = 16, down = "center",
            padding = 16,
            begun and button{ words.reset, id = "reset", style = "tonal",
                on_click = "reset_watch" } or false,
            fab{ icon = watch.running and "pause" or "play", id = "fab",
                description = watch.running and words.pause or words.start,
                on_click = watch.running and "pause_watch" or "start_watch" },
            watch.running and button{ words.lap, id = "lap", style = "tonal",
                on_click = "lap" } or false } }
end

local tabs = { alarm = alarm_tab, clock = clock_tab, timer = timer_tab,
               stopwatch = stopwatch_tab }
local icons = { alarm = "alarm", clock = "world", timer = "timer",
                stopwatch = "stopwatch" }

-- ---- the screens ----

local screens = {}

function screens.main(state)
    return page{ title = words[state.tab], back = false,
        tabs[state.tab](state),
        nav_bar{ id = "navigation_bar",
            table.map(shuffle_by_skin{ "alarm", "clock", "timer", "stopwatch" },
                function(name)
                    return nav_item{ words[name], icon = icons[name],
                        id = "tab_menu_" .. name, selected = state.tab == name,
                        on_click = { "tab", name } }
                end) } }
end

local function wheel(state, name, most)
    return column{ across = "center", gap = 4,
        icon_button{ icon = "up", id = name .. "_up",
            description = words[name], on_click = { "step", name, 1 } },
        field{ text = state.picker[name], id = "material_" .. name .. "_input",
            hint = words[name], width = 96, height = 72, text_size = 36,
            text_align = "center", on_change = name, on_submit = "set_time" },
        icon_button{ icon = "down", id = name .. "_down",
            description = words[name], on_click = { "step", name, -1 } } }
end

function screens.picker(state)
    local right = picked(state.picker.hour, 24) and
                  picked(state.picker.minute, 60)
    return dialog{ title = words.select_time,
        row{ width = "fill", across = "center", down = "center", gap = 12,
            wheel(state, "hour"),
            text{ ":", text_size = 44 },
            wheel(state, "minute") },
        buttons = {
            { words.cancel, id = "cancel_button", on_click = "back" },
            { words.ok, id = "ok_button", disabled = not right,
              on_click = "set_time" } } }
end

function screens.label(state, id)
    return dialog{ title = words.label,
        field{ text = state.name, id = "label_input", hint = words.label,
            width = "fill", on_change = "typed_name",
            on_submit = { "set_name", id } },
        buttons = {
            { words.cancel, id = "cancel_button", on_click = "back" },
            { words.ok, id = "ok_button", on_click = { "set_name", id } } } }
end

function screens.cities(state)
    local wanted = state.query:trim():lower()
    local found = table.filter(cities, function(city)
        return city.name.en:lower():find(wanted) or city.name.zh:find(wanted)
    end)
    return page{ title = words.add_city,
        column{ width = "fill", padding_left = 16, padding_right = 16,
            padding_bottom = 8,
            search_bar{ icon{ icon = "search" },
                field{ text = state.query, id = "search_src_text",
                    hint = words.search_city, on_change = "city_query" } } },
        #found == 0 and text{ words.no_city, padding = 24 } or
            list{ weight = 1, id = "cities_list",
                table.map(found, function(city)
                    return item{ city.name, id = "city_item",
                        key = city.name.en,
                        on_click = { "add_city", city.name.en },
                        text{ city_time(city), style = "body_large",
                            ink = "on_surface_variant" } }
                end) } }
end

function screens.ringing(state)
    local ringing = state.ringing
    local alarm = ringing.kind == "alarm" and
                  table.find(state.alarms, ringing.id)
    local label = alarm and alarm.label ~= "" and alarm.label or
                  alarm and words.alarm or words.times_up
    return page{ background = "primary_container",
        column{ width = "fill", weight = 1, across = "center",
            down = "center", gap = 24,
            text{ label, style = "headline_medium", id = "label",
                ink = "on_primary_container" },
            alarm and text{ time_text(alarm.hour, alarm.minute),
                text_size = 72, ink = "on_primary_container",
                id = "digital_clock" } or false },
        row{ width = "fill", across = "center", gap = 24, padding = 48,
            shuffle_by_skin{
                alarm and button{ words.snooze, id = "snooze", style = "tonal",
                    height = 56, on_click = { "snooze", ringing.id } } or false,
                button{ words.stop, id = "dismiss", height = 56,
                    on_click = "stop" } } } }
end

return {
    package = package,
    name = { en = "Clock", zh = "时钟" },
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { cities = cities, first_state = first_state },
    on_open = function(state)
        for _, alarm in ipairs(state.alarms) do
            schedule(alarm)
        end
    end,
    on_start = function(state, intent)
        local opens = { ["android.intent.action.SHOW_ALARMS"] = "alarm",
                        ["android.intent.action.SHOW_TIMERS"] = "timer",
                        ["android.intent.action.SET_TIMER"] = "timer" }
        state.tab = opens[intent.action] or state.tab
    end,
}
