-- How the phone was used, in Settings: the battery's use by app, notifications
-- with their history and Do Not Disturb, and the screen time with its limits.

local DAYS = 7 -- of screen time; the first is today

local words = {
    battery = { en = { "Battery", "Power" }, zh = { "电池", "电量" } },
    battery_detail = { en = "%d %% · usage by app", zh = "%d%% · 应用耗电" },
    since_full = { en = "Since the last full charge", zh = "自上次充满电以来" },
    by_share = { en = { "By share", "Most power" }, zh = { "按耗电量", "耗电最多" } },
    by_background = { en = { "In the background", "Background use" },
                      zh = { "按后台使用", "后台使用" } },
    on_screen = { en = "%d min on screen", zh = "屏幕使用 %d 分钟" },
    background = { en = "%d min in the background", zh = "后台使用 %d 分钟" },
    allowed_use = { en = { "Battery use of the app", "Background limits" },
                    zh = { "应用耗电管理", "后台限制" } },
    unrestricted = { en = "Unrestricted", zh = "无限制" },
    optimized = { en = { "Optimised", "Balanced" }, zh = { "优化", "智能优化" } },
    restricted = { en = { "Restricted", "Stopped in the background" },
                   zh = { "受限", "限制后台" } },
    notifications = { en = { "Notifications", "Messages of apps" },
                      zh = { "通知", "通知管理" } },
    notifications_detail = { en = "Apps, history, Do Not Disturb",
                             zh = "应用、历史记录、勿扰" },
    app_notifications = { en = { "App notifications", "Apps that notify" },
                          zh = { "应用通知", "允许通知的应用" } },
    most_recent = { en = { "Most recent", "Newest first" }, zh = { "最近", "最新" } },
    most_frequent = { en = { "Most frequent", "By number" }, zh = { "最频繁", "按数量" } },
    per_day = { en = "About %d a day", zh = "每天约 %d 条" },
    last_one = { en = "Last one %d min ago", zh = "上一条在 %d 分钟前" },
    history = { en = { "Notification history", "Past notifications" },
                zh = { "通知历史记录", "历史通知" } },
    dismissed = { en = "Dismissed in the last 24 hours", zh = "过去 24 小时内清除的通知" },
    dnd = { en = { "Do Not Disturb", "Quiet times" }, zh = { "勿扰模式", "免打扰" } },
    schedules = { en = "Schedules", zh = "时间表" },
    start_at = { en = { "Start time", "From" }, zh = { "开始时间", "从" } },
    end_at = { en = { "End time", "Until" }, zh = { "结束时间", "到" } },
    use = { en = { "Use schedule", "Active" }, zh = { "使用时间表", "启用时间表" } },
    screen_time = { en = { "Screen time", "Digital wellbeing" },
                    zh = { "屏幕使用时间", "数字健康" } },
    screen_time_detail = { en = "Usage and app timers", zh = "使用情况和应用限时" },
    minutes = { en = "%d min", zh = "%d 分钟" },
    limit = { en = { "App timer", "Daily limit" }, zh = { "应用限时", "每日限额" } },
    no_limit = { en = "No timer", zh = "不限时" },
    earlier = { en = "Day before", zh = "前一天" },
    later = { en = "Day after", zh = "后一天" },
}

local apps = {
    { id = "mail", icon = "mailbox", name = { en = "Mail", zh = "邮箱" } },
    { id = "maps", icon = "maps", name = { en = "Maps", zh = "地图" } },
    { id = "music", icon = "music", name = { en = "Music", zh = "音乐" } },
    { id = "chat", icon = "chats", name = { en = "Chats", zh = "微聊" } },
    { id = "video", icon = "video", name = { en = "Video", zh = "视频" } },
    { id = "shop", icon = "shop", name = { en = "Shop", zh = "商城" } },
    { id = "browser", icon = "browser", name = { en = "Browser", zh = "浏览器" } },
    { id = "eats", icon = "eats", name = { en = "Eats", zh = "美食" } },
    { id = "pay", icon = "pay", name = { en = "Pay", zh = "支付" } },
}

-- ---- content ----

local function fill_apps()
    local r = random("usage")
    local shares = r.shuffle{ 24, 18, 14, 11, 9, 7, 6, 4, 3 }
    local waiting, counts, ages = {}, {}, {}
    for place, app in ipairs(apps) do
        app.share = shares[place]
        app.front = r.int(6, 140)
        app.behind = content.new_number(r, 3, 420, waiting)
        app.count = content.new_number(r, 1, 60, counts)
        app.age = content.new_number(r, 2, 700, ages)
        app.days = {}
        for day = 1, DAYS do
            -- No two apps have the same in one day.
            app.days[day] = r.int(0, 14) * #apps + place
        end
    end
end

local subjects = {
    { app = 1, title = { en = "Security", zh = "安全中心" }, code = true,
      text = { en = "Your code is %d. Do not pass it on.",
               zh = "您的验证码是 %d，请勿告诉他人。" } },
    { app = 6, title = { en = "Parcel", zh = "快递" },
      text = { en = "Your parcel waits in locker %d.", zh = "您的包裹在 %d 号柜。" } },
    { app = 9, title = { en = "Payment", zh = "支付提醒" },
      text = { en = "You paid for ticket number %d.", zh = "您已支付 %d 号票。" } },
    { app = 8, title = { en = "Order", zh = "订单" },
      text = { en = "Order %d is on its way.", zh = "订单 %d 正在配送。" } },
}

-- Of each subject two, of which only the newer one counts.
local function make_history()
    local r = random("history")
    local taken, minutes, history = {}, {}, {}
    for _ = 1, 2 do
        for _, subject in ipairs(subjects) do
            local low = subject.code and 100000 or 100
            local number = content.new_number(r, low, low * 10 - 1, taken)
            history[#history + 1] = { app = subject.app, number = number,
                title = subject.title,
                ago = content.new_number(r, 5, 1100, minutes),
                text = { en = string.format(subject.text.en, number),
                         zh = string.format(subject.text.zh, number) } }
        end
    end
    return table.sort(history, function(a, b) return a.ago < b.ago end)
end

fill_apps()
local history = make_history()
local charge = random("charge").int(31, 94)

local function app_of(id)
    return table.filter(apps, function(app) return app.id == id end)[1]
end

local first = { battery_sort = "by_share", limits = {},
    notify_sort = "most_recent", silent = {}, day = 1, timers = {},
    schedules = {
        { id = 1, name = { en = "Sleeping", zh = "睡眠" }, on = false,
          start_at = 1380, end_at = 420 },
        { id = 2, name = { en = "Working hours", zh = "工作时间" }, on = false,
          start_at = 540, end_at = 1020 } } }

-- ---- handlers ----

local handlers = {}

function handlers.battery_sort(state, order) state.battery_sort = order end

function handlers.limit_use(state, id, mode) state.limits[id] = mode end

function handlers.notify_sort(state, order) state.notify_sort = order end

function handlers.notify(state, id, on)
    state.silent[id] = not on
end

function handlers.schedule_on(state, id, on) state.schedules[id].on = on end

function handlers.schedule_time(state, id, part, minute)
    state.schedules[id][part] = minute
    back()
end

function handlers.day(state, by)
    state.day = math.min(math.max(state.day + by, 1), DAYS)
end

function handlers.timer(state, id, minutes)
    state.timers[id] = minutes
    back()
end

-- ---- screens ----

local screens = {}

local function scrolled(title, ...)
    return page{ title = title,
        list{ weight = 1, id = "recycler_view", padding_bottom = 24, { ... } } }
end

local function app_line(app, detail, action, more)
    return row{ width = "fill", gap = 16, padding = 16, padding_top = 10,
        padding_bottom = 10, down = "center", id = "usage_row", key = app.id,
        on_click = action,
        icon{ icon = app.icon, width = 40, height = 40 },
        column{ weight = 1, gap = 2,
            text{ app.name, id = "usage_name", style = "body_large" },
            quiet(detail, "usage_detail", { style = "body_medium" }) },
        more or false }
end

local function sort_chips(handler, orders, chosen)
    return flow{ width = "fill", gap = 8, padding_left = 16,
        padding_right = 16, padding_bottom = 8,
        table.map(orders, function(order)
            return chip{ words[order], id = order, checkable = true,
                checked = chosen == order, on_click = { handler, order } }
        end) }
end

local function sorted(field)
    return table.sort(table.join(apps), function(a, b)
        return a[field] > b[field]
    end)
end

function screens.battery(state)
    local order = state.battery_sort == "by_share" and "share" or "behind"
    return scrolled(words.battery,
        column{ width = "fill", padding = 24, padding_top = 8, gap = 12,
            text{ charge .. " %", id = "charge", style = "display_medium" },
            progress{ value = charge, to = 100, width = "fill", height = 12 },
            quiet(words.since_full) },
        sort_chips("battery_sort", { "by_share", "by_background" },
                   state.battery_sort),
        table.map(sorted(order), function(app)
            return app_line(app, string.format(
                t(order == "share" and words.on_screen or words.background),
                order == "share" and app.front or app.behind),
                { "go", "battery_app", app.id },
                order == "share" and text{ app.share .. " %", id = "share",
                    style = "title_medium" } or false)
        end))
end

function screens.battery_app(state, id)
    local app = app_of(id)
    local mode = state.limits[id] or "optimized"
    return scrolled(words.allowed_use,
        column{ width = "fill", across = "center", gap = 8, padding = 16,
            icon{ icon = app.icon, width = 64, height = 64 },
            text{ app.name, id = "usage_name", style = "title_large" },
            quiet(string.format(t(words.on_screen), app.front)),
            quiet(string.format(t(words.background), app.behind)) },
        table.map({ "unrestricted", "optimized", "restricted" },
            function(name)
                return item{ words[name], id = name,
                    on_click = { "limit_use", id, name },
                    radio{ checked = mode == name, clickable = false } }
            end))
end

function screens.notifications()
    local function line(name, sign)
        return item{ words[name], icon = sign, id = name,
                     on_click = { "go", name } }
    end
    return scrolled(words.notifications, line("app_notifications", "apps"),
                    line("history", "time"), line("dnd", "bell"))
end

function screens.app_notifications(state)
    local recent = state.notify_sort == "most_recent"
    local shown = sorted(recent and "age" or "count")
    if recent then
        table.sort(shown, function(a, b) return a.age < b.age end)
    end
    return scrolled(words.app_notifications,
        sort_chips("notify_sort", { "most_recent", "most_frequent" },
                   state.notify_sort),
        table.map(shown, function(app)
            return app_line(app, string.format(
                t(recent and words.last_one or words.per_day),
                recent and app.age or app.count), nil,
                switch{ checked = not state.silent[app.id], id = "notify",
                    description = app.name,
                    on_change = { "notify", app.id } })
        end))
end

function screens.history()
    return scrolled(words.history,
        row{ padding = 16, quiet(words.dismissed) },
        table.map(history, function(one, place)
            local minute = math.floor(now()) // 60 - one.ago
            return row{ width = "fill", gap = 16, padding = 16,
                padding_top = 10, key = "h" .. place, id = "past",
                icon{ icon = apps[one.app].icon, width = 36, height = 36 },
                column{ weight = 1, gap = 2,
                    row{ width = "fill", down = "center",
                        quiet(apps[one.app].name, "past_app",
                              { weight = 1 }),
                        quiet(dates.time(minute % 1440), "past_time") },
                    text{ one.title, style = "title_small" },
                    text{ one.text, id = "past_text",
                        style = "body_medium" } } }
        end))
end

local function span(schedule)
    return dates.time(schedule.start_at) .. " – " ..
           dates.time(schedule.end_at)
end

function screens.dnd(state)
    return scrolled(words.dnd,
        text{ words.schedules, style = "label_large", ink = "primary",
            padding = 16 },
        table.map(state.schedules, function(schedule)
            return item{ schedule.name, icon = "bell", id = "schedule",
                key = "s" .. schedule.id, detail = span(schedule),
                on_click = { "go", "schedule", schedule.id },
                switch{ checked = schedule.on, id = "schedule_on",
                    description = schedule.name,
                    on_change = { "schedule_on", schedule.id } } }
        end))
end

function screens.schedule(state, id)
    local schedule = state.schedules[id]
    local function line(part)
        return item{ words[part], id = part,
            detail = dates.time(schedule[part]),
            on_click = { "go", "schedule_time", id, part } }
    end
    return scrolled(schedule.name,
        item{ words.use, id = "use_row",
            switch{ checked = schedule.on, id = "use",
                description = words.use,
                on_change = { "schedule_on", id } } },
        line("start_at"), line("end_at"))
end

function screens.schedule_time(state, id, part)
    local choices = {}
    for half = 0, 47 do
        choices[#choices + 1] = chip{ dates.time(half * 30),
            id = "time_choice", key = "t" .. half, checkable = true,
            checked = state.schedules[id][part] == half * 30,
            on_click = { "schedule_time", id, part, half * 30 } }
    end
    return sheet{ title = words[part], id = "time_sheet",
        scroll{ width = "fill", height = 460, id = "times", key = part,
            flow{ width = "fill", gap = 8, padding_left = 16,
                padding_right = 16, choices } } }
end

-- ---- screen time ----

local function on_day(day)
    return table.sort(table.join(apps), function(a, b)
        return a.days[day] > b.days[day]
    end)
end

local function total_of(day)
    local total = 0
    for _, app in ipairs(apps) do
        total = total + app.days[day]
    end
    return total
end

local function bars(state)
    local most = 1
    for day = 1, DAYS do
        most = math.max(most, total_of(day))
    end
    local made = {}
    for day = DAYS, 1, -1 do
        made[#made + 1] = column{ weight = 1, height = 120, down = "end",
            across = "center",
            space{ width = 24, radius = 6,
                height = math.max(total_of(day) * 110 // most, 2),
                background = day == state.day and "primary" or
                             "primary_container" } }
    end
    return row{ width = "fill", padding = 16, padding_top = 0, gap = 8, made }
end

local function timer_text(state, id)
    local minutes = state.timers[id] or 0
    return minutes == 0 and words.no_limit or
           string.format(t(words.minutes), minutes)
end

function screens.screen_time(state)
    local date = dates.today() + 1 - state.day
    return scrolled(words.screen_time,
        row{ width = "fill", padding = 8, down = "center",
            icon_button{ icon = "left", id = "earlier",
                description = words.earlier, disabled = state.day == DAYS,
                on_click = { "day", 1 } },
            column{ weight = 1, across = "center", gap = 2,
                text{ string.format(t(words.minutes), total_of(state.day)),
                    id = "total", style = "headline_medium" },
                quiet(dates.long(date), "day") },
            icon_button{ icon = "right", id = "later",
                description = words.later, disabled = state.day == 1,
                on_click = { "day", -1 } } },
        bars(state),
        table.map(on_day(state.day), function(app)
            return app_line(app,
                string.format(t(words.minutes), app.days[state.day]),
                { "go", "timer", app.id },
                row{ gap = 6, down = "center",
                    icon{ icon = "timer", width = 20, height = 20,
                        ink = "on_surface_variant" },
                    quiet(timer_text(state, app.id), "timer_text") })
        end))
end

function screens.timer(state, id)
    return dialog{ title = app_of(id).name, message = words.limit,
        id = "timer_dialog",
        table.map({ 0, 15, 30, 45, 60, 120 }, function(minutes)
            return item{ minutes == 0 and words.no_limit or
                string.format(t(words.minutes), minutes),
                id = "timer_choice", key = "m" .. minutes,
                on_click = { "timer", id, minutes },
                radio{ checked = (state.timers[id] or 0) == minutes,
                    clickable = false } }
        end) }
end

-- The links of the first page.
local function links()
    local function line(name, sign, detail)
        return item{ words[name], icon = sign, id = name, detail = detail,
                     on_click = { "go", name } }
    end
    return { line("battery", "battery",
                  string.format(t(words.battery_detail), charge)),
             line("notifications", "bell", words.notifications_detail),
             line("screen_time", "timer", words.screen_time_detail) }
end

return { state = first, handlers = handlers, screens = screens, links = links,
         words = words, apps = apps, history = history,
         places = { { "battery", "battery" },
                    { "notifications", "notifications" },
                    { "app_notifications", "app_notifications",
                      "notifications" },
                    { "history", "history", "notifications" },
                    { "dnd", "dnd", "notifications" },
                    { "screen_time", "screen_time" } } }
