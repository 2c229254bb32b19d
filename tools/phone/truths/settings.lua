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

return truths
