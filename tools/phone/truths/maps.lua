-- When the tasks in Maps are done.
local maps = use("maps")

local truths = {}

local function filters_with(open_now, rating)
    return { open_now = open_now, rating = rating or 0 }
end

local single = {
    cafe = { en = "café", zh = "咖啡馆" }, bank = { en = "bank", zh = "银行" },
    pharmacy = { en = "pharmacy", zh = "药店" },
    market = { en = "supermarket", zh = "超市" },
}

local function named(facts, key, place)
    facts[key .. "id"], facts[key .. "name"] = place.id, t(place.name)
    return facts
end

-- A place that is far enough for ways to differ.
local function far_places(name)
    return table.filter(random(name).shuffle(maps.places), function(place)
        return place.metres > 1300
    end)
end

-- ---- the nearest that is open ----

local function open_places(kind)
    return maps.found(filters_with(true), "distance", "", kind)
end

-- A kind whose nearest place is closed, if there is one.
local function waiting_kind()
    local chosen
    for _, kind in ipairs(random("nearest task").shuffle{ "bank", "pharmacy",
                                                          "market", "cafe" }) do
        local open = open_places(kind)
        if #open > 1 then
            chosen = chosen or kind
            local all_of = maps.found(filters_with(false), "distance", "",
                                      kind)
            if all_of[1] ~= open[1] then
                return kind
            end
        end
    end
    return chosen
end

truths.nearest = {
    facts = function()
        local kind = waiting_kind()
        local open = open_places(kind)
        local closed = maps.found(filters_with(false), "distance", "", kind)
        return named(named({ kind = kind, what = t(single[kind]) }, "",
                           open[1]), "other_", open[2])
    end,
    clauses = function(fact)
        local ended = ended("maps")
        local started = last("maps.started *")
        local opened = last("maps.open " .. (started and started.args[2] or
            "*"), nil, started) or last("maps.open *")
        local was = opened and before(opened)
        local state = on_screen(was, "results") and was.state
        return {
            { "open_now", state and state.filters.open_now },
            { "by_distance", state and state.sort == "distance" },
            { "the_place", ended and ended.away == fact.id },
            { "on_foot", started and started.args[1] == "walk" },
        }
    end,
}

-- ---- the best rated ----

truths.best = {
    facts = function()
        local some = maps.found(filters_with(false), "rating", "", "cafe")
        return named(named({}, "", some[1]), "other_", some[2])
    end,
    clauses = function(fact)
        local ended = ended("maps")
        local saved = last("maps.list favourites " .. fact.id .. " on") or
                      last("maps.list favourites *")
        local opened = saved and last("maps.open " .. saved.args[2], nil,
                                      saved)
        local was = opened and before(opened)
        local lists = ended and ended.lists or { want = {}, favourites = {} }
        return {
            { "by_rating", on_screen(was, "results") and
              was.state.sort == "rating" },
            { "saved", table.index(lists.favourites, fact.id) },
            { "nothing_else", not ended or #lists.want == 2 and
              #lists.favourites < 3 },
        }
    end,
}

truths.rated = {
    facts = function()
        local kind = random("rated task").pick{ "pharmacy", "cafe", "bank" }
        local count = #maps.found(filters_with(false, 40), "rating", "", kind)
        local names = { pharmacy = { en = "pharmacies", zh = "药店" },
                        cafe = { en = "cafés", zh = "咖啡馆" },
                        bank = { en = "banks", zh = "银行" } }
        return { kind = kind, what = t(names[kind]), count = count,
                 more = count + 1 }
    end,
    clauses = function(fact, answer)
        local listed, rated = false, false
        for _, event in ipairs(all("maps.*")) do
            local app = afterwards(event)
            local top = app and app.stack[#app.stack] or {}
            for _, screen in ipairs(app and app.stack or {}) do
                local list = screen[1] == "results"
                local its = list and screen[3] == fact.kind
                listed = listed or its
                if its or list and not listed then
                    rated = app.state.filters.rating == 40 or
                            app.state.sort == "rating" and
                            top[1] == "results"
                end
            end
        end
        return {
            { "listed", listed },
            { "by_rating", rated },
            { "answered", number_in(answer) == fact.count },
        }
    end,
}

-- ---- routes ----

-- The states in which a route to a place was shown.
local function routes_to(id)
    local states = {}
    for _, event in ipairs(all("maps.*")) do
        local app = afterwards(event)
        if on_screen(app, "route") and app.state.route.to == id then
            states[#states + 1] = app.state
        end
    end
    return states
end

local function has_shown(id, fits)
    return #table.filter(routes_to(id), fits) > 0
end

local function minutes_of_all(place)
    local route = { 0, place.id }
    return table.map({ "car", "bus", "walk" }, function(mode)
        return maps.minutes(mode, route, false)
    end)
end

truths.quickest = {
    facts = function()
        for _, place in ipairs(random("quickest task").shuffle(maps.places)) do
            local car, bus, walk = table.unpack(minutes_of_all(place))
            local least = math.min(car, bus, walk)
            if place.metres > 600 and car ~= bus and bus ~= walk and
               car ~= walk and least < car then
                return named({ minutes = least, car = car }, "", place)
            end
        end
        local place = maps.places[1]
        local car, bus, walk = table.unpack(minutes_of_all(place))
        return named({ minutes = math.min(car, bus, walk), car = walk }, "",
                     place)
    end,
    clauses = function(fact, answer)
        local function seen(mode)
            return has_shown(fact.id, function(state)
                return state.route.mode == mode
            end)
        end
        return {
            { "all_compared", seen("car") and seen("bus") and seen("walk") },
            { "answered", number_in(answer) == fact.minutes },
            { "not_started", not happened("maps.started *") },
        }
    end,
}

truths.stop = {
    facts = function()
        local some = far_places("stop task")
        local place, stop, other = some[1], some[2], some[3]
        local minutes = maps.minutes("car", { 0, stop.id, place.id }, false)
        local fact = named(named(named({ minutes = minutes }, "", place),
                                 "stop_", stop), "other_", other)
        fact.wrong = maps.minutes("car", { 0, place.id }, false)
        if fact.wrong == minutes then
            fact.wrong = minutes + 1
        end
        return fact
    end,
    clauses = function(fact, answer)
        return {
            { "with_the_stop", has_shown(fact.id, function(state)
                return #state.route.stops == 1 and
                       state.route.stops[1] == fact.stop_id and
                       state.route.mode == "car" and not state.route.swapped
            end) },
            { "answered", number_in(answer) == fact.minutes },
            { "not_started", not happened("maps.started *") },
        }
    end,
}

truths.tolls = {
    facts = function()
        local place = far_places("toll task")[1]
        local route = { 0, place.id }
        local more = maps.minutes("car", route, true) -
                     maps.minutes("car", route, false)
        return named({ more = more, wrong = maps.minutes("car", route, true) },
                     "", place)
    end,
    clauses = function(fact, answer)
        local function seen(no_tolls)
            return has_shown(fact.id, function(state)
                return state.route.mode == "car" and
                       state.no_tolls == no_tolls
            end)
        end
        return {
            { "with_tolls", seen(false) },
            { "without_tolls", seen(true) },
            { "answered", number_in(answer) == fact.more },
        }
    end,
}

truths.bus = {
    facts = function()
        local place = far_places("bus task")[1]
        local direct, other
        for _, one in ipairs(maps.buses({ 0, place.id })) do
            if one.changes == 0 then
                direct = one
            else
                other = one
            end
        end
        return named({ line = direct.lines[1], wrong = other.lines[1] }, "",
                     place)
    end,
    clauses = function(fact, answer)
        return {
            { "buses_listed", has_shown(fact.id, function(state)
                return state.route.mode == "bus" and not state.route.swapped
            end) },
            { "answered", number_in(answer) == tonumber(fact.line) },
        }
    end,
}

-- ---- what is known of a place ----

truths.hours = {
    facts = function()
        for _, place in ipairs(random("hours task").shuffle(maps.places)) do
            local today = dates.weekday(dates.today())
            local sunday = place.hours[7]
            local day = place.hours[today == 7 and 6 or today]
            if place.kind.id ~= "hotel" and sunday and day then
                return named({ time = dates.time(sunday.to),
                               wrong = dates.time(day.to) }, "", place)
            end
        end
    end,
    clauses = function(fact, answer)
        local seen = false
        for _, event in ipairs(all("maps.hours")) do
            local app = afterwards(event)
            seen = seen or on_screen(app, "place", fact.id) and
                   app.state.hours
        end
        return {
            { "hours_unfolded", seen },
            { "answered", says(answer, fact.time) },
        }
    end,
}

truths.phone = {
    facts = function()
        local place, other = table.unpack(
            random("phone task").shuffle(maps.places))
        return named(named({ number = place.call, wrong = other.call }, "",
                           place), "other_", other)
    end,
    clauses = function(fact, answer)
        local seen = false
        for _, event in ipairs(all("maps.number")) do
            seen = seen or on_screen(before(event), "place", fact.id)
        end
        return {
            { "number_shown", seen },
            { "answered", says(answer, fact.number) },
        }
    end,
}

-- ---- lists and settings ----

truths.wish = {
    facts = function()
        local some = table.filter(random("wish task").shuffle(maps.places),
            function(place)
                return place.kind.id == "museum"
            end)
        return named(named(named({}, "", some[1]), "second_", some[2]),
                     "other_", some[3])
    end,
    clauses = function(fact)
        local state = ended("maps")
        local lists = state and state.lists or { want = {}, favourites = {} }
        return {
            { "first", table.index(lists.want, fact.id) },
            { "second", table.index(lists.want, fact.second_id) },
            { "favourites_kept", not state or #lists.favourites == 1 },
        }
    end,
}

truths.home = {
    facts = function()
        local some = table.filter(random("home task").shuffle(maps.places),
            function(place)
                return place.kind.id == "hotel"
            end)
        return named(named({}, "", some[1]), "other_", some[2])
    end,
    clauses = function(fact)
        local state = ended("maps")
        return {
            { "home", state and state.home == fact.id },
            { "not_started", not happened("maps.started *") },
        }
    end,
}

truths.miles = {
    clauses = function()
        local state = ended("maps")
        return {
            { "miles", state and state.miles },
            { "others_kept", not state or state.voice and
              not state.no_tolls },
        }
    end,
}

truths.history = {
    clauses = function()
        local state = ended("maps")
        return {
            { "deleted", state and #state.recent == 0 },
            { "lists_kept", not state or #state.lists.want == 2 and
              #state.lists.favourites == 1 },
        }
    end,
}

return truths
