-- When the tasks in the settings are done.
local settings = use("settings")

local truths = {}

-- Is a switch back in its original state? Its first new value differs from its
-- last.
local function is_as_before(name)
    local word = first("settings." .. name .. " *")
    return not word or word.args[1] ~= last("settings." .. name .. " *").args[1]
end

-- ---- the dark theme, and nothing else ----

truths.dark = {
    clauses = function()
        return {
            { "dark", setting("secure", "ui_night_mode") == "2" },
            { "rotation_kept", is_as_before("rotate") },
            { "brightness_kept", is_as_before("adaptive") and
                not happened("settings.brightness *") },
        }
    end,
}

-- ---- screen timeout ----

truths.timeout = {
    clauses = function()
        return {
            { "five_minutes",
              setting("system", "screen_off_timeout") == "300000" },
        }
    end,
}

-- ---- the network, restarted by airplane mode ----

truths.airplane = {
    clauses = function()
        local mode = setting("global", "airplane_mode_on") or "0"
        return {
            { "switched_on", happened("settings.airplane on") },
            { "switched_off_in_the_end", mode == "0" },
        }
    end,
}

-- ---- another Wi-Fi network ----

-- A secured network that the phone has never joined.
local function other_network()
    for i = #settings.networks, 2, -1 do
        if settings.networks[i].secured then
            return settings.networks[i]
        end
    end
    return settings.networks[2]
end

truths.wifi = {
    facts = function()
        local network = other_network()
        return { network = network.name, password = network.password,
                 old = settings.networks[1].name }
    end,
    clauses = function(fact)
        return {
            { "joined", settings.connection() == fact.network },
            { "old_one_forgotten", not settings.is_saved(fact.old) },
        }
    end,
}

-- ---- developer options ----

truths.developer = {
    clauses = function()
        return {
            { "taps_are_shown", setting("system", "show_touches") == "1" },
            { "screen_still_sleeps",
              (setting("global", "stay_on_while_plugged_in") or "0") == "0" },
        }
    end,
}

-- ---- how the phone was used ----

local function most(field)
    return table.sort(table.join(settings.apps), function(a, b)
        return a[field] > b[field]
    end)
end

-- Was that screen on top, with a state that holds?
local function shown(name, holds, to)
    return held("settings", function(app)
        return on_screen(app, name) and holds(app.state)
    end, to)
end

-- Has the table, by app, this value for that app alone?
local function others_free(values, id)
    for other, value in pairs(values) do
        if other ~= id and value and value ~= 0 and value ~= "optimized" then
            return false
        end
    end
    return true
end

truths.drain = {
    facts = function()
        local behind, share = most("behind"), most("share")
        local id = behind[1].id
        return { id = id, name = t(behind[1].name), second = behind[2].id,
                 top = share[1].id == id and share[2].id or share[1].id,
                 behind = behind[1].behind }
    end,
    clauses = function(fact)
        local state = ended("settings")
        local limits = state and state.limits or {}
        local set = last("settings.limit_use " .. fact.id .. " restricted")
        return {
            { "compared", shown("battery", function(now_is)
                return now_is.battery_sort == "by_background"
            end, set) },
            { "restricted", limits[fact.id] == "restricted" },
            { "nothing_else", others_free(limits, fact.id) },
        }
    end,
}

truths.noisy = {
    facts = function()
        local order = most("count")
        local recent = most("age")
        local newest = recent[#recent]
        return { id = order[1].id, name = t(order[1].name),
                 second = order[2].id,
                 newest = newest.id == order[1].id and order[3].id or
                          newest.id }
    end,
    clauses = function(fact)
        local state = ended("settings")
        local silent = state and state.silent or {}
        local set = last("settings.notify " .. fact.id .. " false")
        return {
            { "compared", shown("app_notifications", function(now_is)
                return now_is.notify_sort == "most_frequent"
            end, set) },
            { "silenced", silent[fact.id] },
            { "nothing_else", others_free(silent, fact.id) },
        }
    end,
}

truths.swiped = {
    facts = function()
        local codes = table.filter(settings.history, function(one)
            return one.app == 1
        end)
        return { code = codes[1].number, older = codes[2].number }
    end,
    clauses = function(fact, answer)
        return {
            { "looked_up", shown("history", function() return true end) },
            { "answered", number_in(answer) == fact.code },
        }
    end,
}

truths.nights = {
    facts = function()
        local r = random("nights task")
        local from, to = r.int(42, 45) * 30, r.int(11, 13) * 30
        return { from = from, to = to, from_text = dates.time(from),
                 to_text = dates.time(to), late = from + 30,
                 wrong = to + 30 }
    end,
    clauses = function(fact)
        local state = ended("settings")
        local night = state and state.schedules[1] or {}
        local work = state and state.schedules[2]
        return {
            { "begins", night.start_at == fact.from },
            { "ends", night.end_at == fact.to },
            { "on", night.on },
            { "nothing_else", not work or not work.on and
              work.start_at == 540 and work.end_at == 1020 },
        }
    end,
}

local function on_day(day)
    return table.sort(table.join(settings.apps), function(a, b)
        return a.days[day] > b.days[day]
    end)
end

truths.limit = {
    facts = function()
        local order = on_day(2)
        local today = on_day(1)[1]
        return { id = order[1].id, name = t(order[1].name),
                 second = order[2].id,
                 newest = today.id == order[1].id and order[3].id or today.id,
                 minutes = random("limit task").pick{ 15, 30, 45, 60 },
                 used = order[1].days[2] }
    end,
    clauses = function(fact)
        local state = ended("settings")
        local timers = state and state.timers or {}
        local set = last("settings.timer " .. fact.id .. " " .. fact.minutes)
        return {
            { "compared", shown("screen_time", function(now_is)
                return now_is.day == 2
            end, set) },
            { "limited", timers[fact.id] == fact.minutes },
            { "nothing_else", others_free(timers, fact.id) },
        }
    end,
}

truths.minutes = {
    facts = function()
        local r = random("minutes task")
        local app, day = r.pick(settings.apps), 4
        local date = dates.today() + 1 - day
        return { name = t(app.name), day = dates.weekday_name(date),
                 date = dates.long(date), used = app.days[day],
                 wrong = app.days[day] + 9 }
    end,
    clauses = function(fact, answer)
        return {
            { "looked_up", shown("screen_time", function(now_is)
                return now_is.day == 4
            end) },
            { "answered", number_in(answer) == fact.used },
        }
    end,
}

return truths
