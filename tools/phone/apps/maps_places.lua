-- The city of Maps: its places, their hours, and how long ways take.

local DAY = 24 * 60

local kinds = {
    { id = "cafe", icon = "cup", ink = "#8d6e63", count = 7,
      name = { en = "Cafés", zh = "咖啡馆" },
      one = { en = "%s Café", zh = "%s咖啡馆" } },
    { id = "bank", icon = "card", ink = "#3949ab", count = 6,
      name = { en = "Banks", zh = "银行" },
      one = { en = "%s Bank", zh = "%s银行" } },
    { id = "pharmacy", icon = "shield", ink = "#00897b", count = 7,
      name = { en = "Pharmacies", zh = "药店" },
      one = { en = "%s Pharmacy", zh = "%s药店" } },
    { id = "market", icon = "cart", ink = "#f4511e", count = 6,
      name = { en = "Supermarkets", zh = "超市" },
      one = { en = "%s Supermarket", zh = "%s超市" } },
    { id = "hotel", icon = "bed", ink = "#8e24aa", count = 5,
      name = { en = "Hotels", zh = "酒店" },
      one = { en = "Hotel %s", zh = "%s酒店" } },
    { id = "museum", icon = "image", ink = "#6d4c41", count = 5,
      name = { en = "Museums", zh = "博物馆" },
      one = { en = "%s Museum", zh = "%s博物馆" } },
}

-- Half of the places are not open yet in the morning.
local function make_hours(r, kind, taken)
    local early = r.chance(0.5)
    local from = early and r.int(13, 17) * 30 or r.int(20, 23) * 30
    local to = content.new_number(r, 96, 143, taken) * 10
    local rests = r.chance(0.3) and r.int(1, 7) or 0
    local hours = {}
    for day = 1, 7 do
        local later = day == 7 and 60 or 0
        hours[day] = kind == "hotel" and { from = 0, to = DAY } or
            day ~= rests and { from = from + later, to = to - later } or false
    end
    return hours
end

local function make_places()
    local made, distances, ratings, names = {}, {}, {}, {}
    for _, kind in ipairs(kinds) do
        local r, taken = random("kind", kind.id), {}
        local closing = {}
        for _ = 1, kind.count do
            local brand
            repeat
                brand = content.brand(r)
            until not names[brand.en] and not names[brand.zh]
            names[brand.en], names[brand.zh] = true, true
            local x, y, metres
            repeat
                x, y = r.int(5, 95), r.int(6, 92)
                metres = math.floor(((x - 50) ^ 2 + (y - 50) ^ 2) ^ 0.5 * 58)
            until metres > 150 and not distances[metres]
            distances[metres] = true
            table.insert(made, { kind = kind, x = x, y = y, metres = metres,
                name = { en = string.format(kind.one.en, brand.en),
                         zh = string.format(kind.one.zh, brand.zh) },
                rating = content.new_number(r, 30, 50, taken),
                votes = r.int(20, 2400), hours = make_hours(r, kind.id,
                closing), address = content.address(r),
                call = string.format("555-%04d", r.int(0, 9999)),
                step_free = r.chance(0.5) })
        end
    end
    made = random("order").shuffle(made)
    for id, place in ipairs(made) do
        place.id = id
    end
    return made
end

local places = make_places()

-- ---- hours ----

local function minute_now()
    return math.floor(now()) // 60
end

local function closes_at(place)
    local minute = minute_now()
    local hours = place.hours[dates.weekday(minute // DAY)]
    local at = minute % DAY
    return hours and at >= hours.from and at < hours.to and hours.to or nil
end

local function opens_next(place)
    local minute = minute_now()
    for day = minute // DAY, minute // DAY + 7 do
        local hours = place.hours[dates.weekday(day)]
        if hours and day * DAY + hours.from > minute then
            return hours.from
        end
    end
end

-- ---- ways ----

local here = { x = 50, y = 50 }

local function between(a, b)
    return math.floor(((a.x - b.x) ^ 2 + (a.y - b.y) ^ 2) ^ 0.5 * 58)
end

-- The points of a route: numbers of places, 0 is where the user is.
local function route_metres(route)
    local sum = 0
    for i = 2, #route do
        sum = sum + between(places[route[i - 1]] or here,
                            places[route[i]] or here)
    end
    return sum
end

local function route_key(route)
    return table.concat(table.map(route, tostring), "-")
end

-- Toll roads are quicker.
local function has_toll(route)
    return route_metres(route) > 1200
end

local function car_minutes(route, no_tolls)
    local r = random("traffic", route_key(route))
    local minutes = 4 + route_metres(route) // 320 + r.int(0, 3) * 5
    return no_tolls and has_toll(route) and minutes + r.int(4, 15) or minutes
end

local function toll(route)
    return random("toll", route_key(route)).int(3, 12) * 50
end

local function walk_minutes(route)
    return math.max(route_metres(route) // 72, 1)
end

-- Three connections by their departure; one of them is direct.
local function buses(route)
    local r, lines = random("bus", route_key(route)), {}
    local leaves = minute_now() % DAY
    return table.map(r.shuffle{ 0, 1, 2 }, function(changes, place)
        local names = {}
        for i = 1, changes + 1 do
            names[i] = tostring(content.new_number(r, 2, 98, lines))
        end
        return { lines = names, changes = changes,
                 leaves = leaves + place * 4,
                 minutes = 5 + place * 4 + route_metres(route) // 210 +
                     changes * r.int(2, 6) }
    end)
end

local function bus_minutes(route)
    local best = math.huge
    for _, one in ipairs(buses(route)) do
        best = math.min(best, one.minutes)
    end
    return best
end

local function minutes_of(mode, route, no_tolls)
    return mode == "car" and car_minutes(route, no_tolls) or
           mode == "walk" and walk_minutes(route) or bus_minutes(route)
end

return { kinds = kinds, places = places, closes_at = closes_at,
         opens_next = opens_next, metres = route_metres, buses = buses,
         minutes = minutes_of, toll = toll, has_toll = has_toll }
