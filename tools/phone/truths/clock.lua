-- When the tasks in the clock are done.
local clock = use("clock")

local truths = {}

-- ---- an alarm for workdays ----

truths.alarm = {
    facts = function()
        local r = random("alarm task")
        local hour, minute = r.int(5, 9), r.pick{ 12, 23, 37, 41, 48, 56 }
        return { time = string.format("%02d:%02d", hour, minute),
                 hour = string.format("%02d", hour),
                 minute = string.format("%02d", minute),
                 id = clock.first_state().next_id,
                 label = t{ en = "Early shift", zh = "早班" } }
    end,
    clauses = function(fact)
        local state = ended("clock")
        local made = state and table.filter(state.alarms, function(alarm)
            return alarm.id >= fact.id
        end) or {}
        local alarm = made[1] or { days = {} }
        local workdays = #made > 0
        for day = 1, 7 do
            workdays = workdays and alarm.days[day] == (day <= 5)
        end
        return {
            { "one_alarm_added", #made == 1 },
            { "time", alarm.hour == tonumber(fact.hour) and
                      alarm.minute == tonumber(fact.minute) },
            { "workdays", workdays },
            { "label", alarm.label and
                       alarm.label:lower() == fact.label:lower() },
            { "switched_on", alarm.on },
        }
    end,
}

-- ---- a timer extended by one minute ----

-- The timer that was started last, in its final state.
local function last_timer(state)
    return state and state.timers[1]
end

truths.timer = {
    clauses = function()
        local timer = last_timer(ended("clock"))
        local id = timer and timer.id
        local since = timer and (last("clock.reset_timer " .. id) or
                                 last("clock.start_timer"))
        return {
            { "ten_minutes", timer and timer.length == 600 },
            { "one_more_minute", timer and
              #all("clock.add_minute " .. id, since) == 1 },
            { "paused", timer and not timer.running and timer.left > 0 },
        }
    end,
}

-- ---- two laps of the stopwatch ----

truths.stopwatch = {
    clauses = function()
        local reset = last("clock.reset_watch")
        local ended = ended("clock")
        local was = reset and before(reset).state or ended
        local watch = was and was.watch or { laps = {}, spent = 0.0 }
        return {
            { "two_laps", #watch.laps == 2 },
            { "stopped", not watch.running and watch.spent > 0 },
            { "back_at_zero", reset and ended and not ended.watch.running and
              ended.watch.spent == 0 and #ended.watch.laps == 0 },
        }
    end,
}

-- ---- a city's time ----

truths.city = {
    facts = function()
        local had = clock.first_state().cities
        local city, other = table.unpack(random("city task").shuffle(
            table.filter(clock.cities, function(one)
                return one.ahead > 0 and one.ahead % 1 == 0 and
                       not table.has(had, one.name.en)
            end)))
        return { city = t(city.name), id = city.name.en,
                 hours = math.tointeger(city.ahead), other = other.name.en,
                 wrong = math.tointeger(city.ahead) + 1 }
    end,
    clauses = function(fact, answer)
        local state = ended("clock")
        return {
            { "added", state and table.index(state.cities, fact.id) },
            { "answered", number_in(answer) == fact.hours },
        }
    end,
}

return truths
