-- Maps: searching for places, what is open and well rated nearby, routes by
-- car, bus or on foot with stops, and lists of places.

local words = include("maps_words")
local city = include("maps_places")
local kinds, places = city.kinds, city.places

local PAGE = 6 -- results loaded at a time

local modes = { "car", "bus", "walk" }

-- ---- the state ----

local function no_filters()
    return { open_now = false, rating = 0 }
end

local function first_state()
    local r = random("lists")
    local some = r.shuffle(table.filter(places, function(place)
        return place.kind.id == "hotel"
    end))
    return { typed = "", recent = { "ATM", "P+R" },
        filters = no_filters(), sort = "relevance", shown = PAGE,
        lists = { want = { some[1].id, some[2].id },
                  favourites = { some[3].id } },
        home = 0, picking = "", hours = false, number = false,
        route = { to = 0, stops = {}, swapped = false, mode = "car" },
        no_tolls = false, miles = false, voice = true, away = 0 }
end

-- ---- finding ----

local search_texts = {}

local function search_text(place)
    search_texts[place.id] = search_texts[place.id] or
        (place.name.en .. " " .. place.name.zh .. " " .. place.kind.name.en ..
         " " .. place.kind.name.zh .. " " .. place.address.en .. " " ..
         place.address.zh):lower()
    return search_texts[place.id]
end

local orders = {
    distance = function(a, b) return a.metres < b.metres end,
    rating = function(a, b) return a.rating > b.rating end,
}

local function found(filters, sort, query, kind)
    local has_words = market.finder(query)
    local list = table.filter(places, function(place)
        return (kind == "" or place.kind.id == kind) and
               (query == "" or has_words(search_text(place))) and
               (not filters.open_now or city.closes_at(place)) and
               place.rating >= filters.rating
    end)
    return orders[sort] and table.sort(list, orders[sort]) or list
end

-- The points of the route: numbers of places, 0 is here.
local function points_of(route)
    local points = { 0 }
    for _, stop in ipairs(route.stops) do
        points[#points + 1] = stop
    end
    points[#points + 1] = route.to
    if not route.swapped then
        return points
    end
    local turned = {}
    for i = #points, 1, -1 do
        turned[#turned + 1] = points[i]
    end
    return turned
end

-- ---- handlers ----

local handlers = {}

market.add_search_handlers(handlers)

function handlers.start_search(state)
    state.typed, state.picking = "", ""
    go("search")
end

local function list_places(state, query, kind)
    state.filters, state.sort, state.shown = no_filters(), "relevance", PAGE
    replace("results", query, kind)
end

function handlers.search(state, text)
    local query = text:trim()
    if query ~= "" then
        state.recent = market.remember(state.recent, query)
        list_places(state, query, "")
    end
end

function handlers.kind(state, id)
    if current() == "main" then
        state.picking = ""
        go("search")
    end
    list_places(state, "", id)
end

function handlers.more(state, left)
    if left >= 300 or state.shown >= #places then
        return false
    end
    state.shown = state.shown + PAGE
end

function handlers.open_now(state, set) state.filters.open_now = set == "on" end

function handlers.min_rating(state, tenths) state.filters.rating = tenths end

function handlers.sort(state, order)
    state.sort = order
    back()
end

function handlers.open(state, id)
    state.hours, state.number = false, false
    go("place", id)
end

function handlers.hours(state) state.hours = not state.hours end

function handlers.number(state) state.number = true end

function handlers.share() snack(words.shared) end

function handlers.list(state, name, id, set)
    local list_of = state.lists[name]
    local place = table.index(list_of, id)
    if set == "on" and not place then
        table.insert(list_of, id)
    elseif set == "off" and place then
        table.remove(list_of, place)
    end
end

-- ---- handlers: routes ----

function handlers.directions(state, id)
    state.route = { to = id, stops = {}, swapped = false, mode = "car" }
    go("route")
end

function handlers.mode(state, mode) state.route.mode = mode end

function handlers.swap(state)
    state.route.swapped = not state.route.swapped
end

function handlers.pick(state, what)
    state.typed, state.picking = "", what
    go("search")
end

-- A result was picked as a stop, or as the user's home.
function handlers.choose(state, id)
    back()
    if state.picking == "stop" then
        table.insert(state.route.stops, id)
    else
        state.home = id
        snack(words.home_set)
    end
    state.picking = ""
end

function handlers.remove_stop(state, place)
    table.remove(state.route.stops, place)
end

function handlers.no_tolls(state, set) state.no_tolls = set end

function handlers.start(state)
    event("started", state.route.mode, state.route.to)
    state.away = state.route.to
    go("driving")
end

function handlers.stop(state)
    state.away = 0
    back()
end

-- ---- handlers: settings ----

function handlers.miles(state, set) state.miles = set end

function handlers.voice(state, set) state.voice = set end

function handlers.delete_history(state)
    state.recent = {}
    back()
    snack(words.deleted)
end

-- ---- parts of the screens ----

local function distance_text(state, metres)
    if state.miles then
        return string.format("%.2f mi", metres / 1609)
    end
    return metres < 1000 and metres .. " m" or
           string.format("%.2f km", metres / 1000)
end

local function open_text(place)
    local till = city.closes_at(place)
    if till == 1440 then
        return t(words.all_day), true
    elseif till then
        return string.format(t(words.open_until), dates.time(till)), true
    end
    local from = city.opens_next(place)
    return string.format(t(words.closed_until), dates.time(from)), false
end

local function sign_of(place, size)
    return column{ width = size, height = size, radius = size / 2,
        background = place.kind.ink, across = "center", down = "center",
        icon{ icon = place.kind.icon, ink = "#ffffff", width = size * 0.55,
            height = size * 0.55 } }
end

local function pin_of(place, chosen)
    local size = chosen and 40 or 26
    return { x = place.x, y = place.y, size = size, part = stack{
        width = size, height = size, sign_of(place, size) } }
end

local function you_pin()
    return { x = 50, y = 50, size = 22, part = column{ width = 22,
        height = 22, radius = 11, background = "#ffffff", across = "center",
        down = "center", shadow = "shadow",
        space{ width = 14, height = 14, radius = 7,
            background = "#1a73e8" } } }
end

local function map_of(height, list_of, chosen, radius)
    local pins = table.map(list_of, function(place)
        return pin_of(place, place.id == chosen)
    end)
    table.insert(pins, 1, you_pin())
    return citymap.view{ name = "city", height = height, pins = pins,
        radius = radius,
        width = math.floor(display().width) - (radius and 32 or 0) }
end

local function stars(place)
    return row{ gap = 3, down = "center",
        text{ string.format("%.1f", place.rating / 10), id = "rating",
            style = "label_large" },
        icon{ icon = "star", width = 14, height = 14, ink = "#f9a825" },
        quiet("(" .. place.votes .. ")", "votes") }
end

local function place_row(state, place)
    local said, open = open_text(place)
    local picking = state.picking ~= "" and current() == "results"
    return row{ id = "place_row", key = "p" .. place.id, width = "fill",
        gap = 14, padding = 12, padding_left = 20, padding_right = 20,
        down = "center",
        on_click = { picking and "choose" or "open", place.id },
        column{ weight = 1, gap = 2,
            text{ place.name, id = "place_name", lines = 1,
                style = "title_medium" },
            row{ gap = 8, down = "center", stars(place),
                quiet(distance_text(state, place.metres), "distance") },
            quiet(place.address, "address", { lines = 1 }),
            quiet(said, "open_state", { ink = open and "tertiary" or
                "error" }) },
        sign_of(place, 44) }
end

-- An advertisement looks like a place.
local function ad_row()
    return row{ id = "promoted", key = "ad", width = "fill", gap = 14,
        padding = 12, padding_left = 20, padding_right = 20, down = "center",
        on_click = { "go", "ad" },
        column{ weight = 1, gap = 2,
            text{ content.brand(random("ad")), style = "title_medium" },
            quiet(words.ad_text),
            text{ words.ad, style = "label_small", ink = "outline" } },
        column{ width = 44, height = 44, radius = 22, across = "center",
            down = "center", background = "primary",
            icon{ icon = "car", ink = "on_primary", width = 24,
                height = 24 } } }
end

local function kind_chips()
    return carousel{ id = "kinds", height = 48, gap = 8, padding_left = 16,
        padding_right = 16, down = "center",
        table.map(shuffle_by_skin(kinds), function(kind)
            return chip{ kind.name, icon = kind.icon, id = "kind",
                background = "surface", key = kind.id, on_click = { "kind", kind.id } }
        end) }
end

local function empty(sign, said)
    return column{ width = "fill", weight = 1, across = "center",
        down = "center", gap = 12, padding = 32,
        icon{ icon = sign, width = 56, height = 56, ink = "outline_variant" },
        text{ said, id = "empty", ink = "on_surface_variant" } }
end

-- ---- screens ----

local screens = {}

-- The map is behind the search bar and above the places nearby.
function screens.main(state)
    local near = found(no_filters(), "distance", "", "")
    redraw(60)
    return page{
        stack{ width = "fill", height = 400,
            map_of(400, { table.unpack(near, 1, 12) }),
            column{ width = "fill", height = "fill", padding_top = 8,
                row{ width = "fill", padding_left = 16, padding_right = 16,
                    row{ weight = 1, height = 52, radius = 26, gap = 4,
                        background = "surface", shadow = "shadow",
                        down = "center", padding_left = 16,
                        padding_right = 4,
                        row{ weight = 1, id = "search_bar", gap = 12,
                            height = 52, down = "center",
                            on_click = "start_search",
                            icon{ icon = "search", width = 24, height = 24 },
                            text{ words.search, weight = 1, lines = 1,
                                ink = "on_surface_variant" } },
                        icon_button{ icon = "heart", id = "saved",
                            on_click = { "go", "saved" } },
                        icon_button{ icon = "gear", id = "settings",
                            description = words.settings,
                            on_click = { "go", "settings" } } } },
                kind_chips() } },
        text{ words.around, style = "title_large", padding = 16,
            padding_left = 20, padding_bottom = 4 },
        list{ weight = 1, id = "near_list",
            table.map({ table.unpack(near, 1, 6) }, function(place)
                return place_row(state, place)
            end) } }
end

function screens.ad()
    return ad_page(words.ad, words.ad_page, words.close)
end

function screens.search(state)
    return page{
        row{ width = "fill", height = 64, down = "center", padding_right = 8,
            icon_button{ icon = "back", description = words.up,
                on_click = "back" },
            field{ text = state.typed, hint = words.search, weight = 1,
                id = "search_input", background = "surface",
                autofocus = true, on_change = "typed", on_submit = "search" },
            icon_button{ icon = "search", id = "search_button",
                on_click = { "search", state.typed } } },
        kind_chips(),
        divider{},
        #state.recent > 0 and text{ words.recent, style = "title_small",
            padding = 16 } or false,
        table.map(state.recent, function(query)
            return item{ query, icon = "time", id = "recent_item",
                key = query, on_click = { "search", query } }
        end) }
end

local function tool_chips(state)
    local filters = state.filters
    return carousel{ id = "tools", height = 48, gap = 8, padding_left = 16,
        padding_right = 16, down = "center",
        shuffle_by_skin{
            chip{ state.sort == "relevance" and words.sort or
                words[state.sort], icon = "sort", id = "sort",
                selected = state.sort ~= "relevance",
                on_click = { "go", "sort" } },
            chip{ words.open_now, id = "open_now", checkable = true,
                checked = filters.open_now,
                on_click = { "open_now", filters.open_now and "off" or
                    "on" } },
            chip{ filters.rating == 0 and words.any_rating or
                string.format(t(words.stars_up), filters.rating / 10),
                icon = "star", id = "rating_filter",
                selected = filters.rating > 0,
                on_click = { "go", "ratings" } } } }
end

local function kind_named(id)
    for _, kind in ipairs(kinds) do
        if kind.id == id then
            return kind.name
        end
    end
end

function screens.results(state, query, kind)
    local list_of = found(state.filters, state.sort, query, kind)
    local rows = {}
    for i = 1, math.min(state.shown, #list_of) do
        table.insert(rows, place_row(state, list_of[i]))
        if i == 2 then
            table.insert(rows, ad_row())
        end
    end
    redraw(60)
    return page{
        row{ width = "fill", height = 56, down = "center",
            padding_right = 20,
            icon_button{ icon = "back", description = words.up,
                on_click = "back" },
            text{ query ~= "" and query or kind_named(kind), id = "query",
                weight = 1, style = "title_large", lines = 1 },
            quiet(string.format(t(words.results), #list_of),
                "result_count") },
        map_of(180, list_of),
        tool_chips(state),
        #list_of == 0 and empty("search", words.none) or
            list{ weight = 1, id = "result_list", on_scroll = "more",
                rows } }
end

function screens.sort(state)
    return market.sort_sheet(words, state.sort,
                             { "relevance", "distance", "rating" })
end

function screens.ratings(state)
    return sheet{ title = words.rating, id = "rating_sheet",
        table.map({ 0, 35, 40, 45 }, function(tenths)
            return item{ tenths == 0 and words.any_rating or
                string.format(t(words.stars_up), tenths / 10),
                id = "rating_" .. tenths, key = "r" .. tenths,
                on_click = { "min_rating", tenths },
                radio{ checked = state.filters.rating == tenths,
                    clickable = false } }
        end),
        row{ width = "fill", across = "end", padding = 16,
            button{ words.done, id = "done", on_click = "back" } } }
end

-- ---- a place ----

local function hours_rows(place)
    local today = dates.weekday(dates.today())
    local monday = dates.today() - today + 1
    local rows = {}
    for day = 1, 7 do
        local hours = place.hours[day]
        local style = day == today and "title_small" or "body_medium"
        rows[day] = row{ width = "fill", across = "spread", padding = 6,
            padding_left = 56, padding_right = 24, id = "hours_row",
            text{ dates.weekday_name(monday + day - 1), style = style,
                id = "day" },
            text{ hours and dates.time(hours.from) .. "–" ..
                (hours.to == 1440 and "24:00" or dates.time(hours.to)) or
                words.closed, style = style, id = "day_hours" } }
    end
    return rows
end

local function action(sign, said, id, handler)
    return column{ weight = 1, across = "center", gap = 4, id = id,
        padding = 8, radius = 16, description = said, on_click = handler,
        column{ width = 44, height = 44, radius = 22, across = "center",
            down = "center", background = "primary_container",
            icon{ icon = sign, ink = "on_primary_container", width = 22,
                height = 22 } },
        text{ said, style = "label_medium", ink = "primary" } }
end

function screens.place(state, id)
    local place = places[id]
    local said, open = open_text(place)
    redraw(60)
    return page{
        stack{ width = "fill", height = 190, map_of(190, { place }, id),
            column{ padding = 8,
                icon_button{ icon = "back", background = "surface",
                    radius = 24, description = words.up,
                    on_click = "back" } } },
        list{ weight = 1, id = "place_scroll",
            column{ width = "fill", gap = 4, padding = 20,
                padding_bottom = 8,
                text{ place.name, id = "place_name",
                    style = "headline_small" },
                row{ gap = 8, down = "center", stars(place),
                    quiet(place.kind.name, "kind"),
                    quiet(distance_text(state, place.metres),
                        "distance") } },
            row{ width = "fill", padding_left = 8, padding_right = 8,
                shuffle_by_skin{
                    action("directions", words.directions, "directions",
                        { "directions", id }),
                    action("heart", words.save, "save", { "go", "lists", id }),
                    action("share", words.share, "share", "share") } },
            divider{},
            item{ place.address, icon = "place", id = "place_address" },
            item{ said, icon = "time", id = "hours", on_click = "hours",
                detail = words.hours, ink = open and "tertiary" or "error",
                icon{ icon = state.hours and "up" or "down", width = 24,
                    height = 24 } },
            state.hours and hours_rows(place) or false,
            state.number and item{ place.call, icon = "call",
                    id = "phone_number" } or
                item{ words.show_number, icon = "call", id = "show_number",
                    on_click = "number" },
            place.step_free and item{ words.step_free, icon = "check",
                id = "step_free" } or false } }
end

function screens.lists(state, id)
    return sheet{ title = words.saved_to, id = "list_sheet",
        table.map(shuffle_by_skin{ "want", "favourites" }, function(name)
            local on = table.index(state.lists[name], id) ~= nil
            return checkbox{ words[name], width = "fill", id = "list_check",
                key = name, padding_left = 8, padding_right = 16,
                checked = on,
                on_click = { "list", name, id, on and "off" or "on" } }
        end),
        row{ width = "fill", across = "end", padding = 16,
            button{ words.done, id = "done", on_click = "back" } } }
end

function screens.saved(state)
    local home = places[state.home]
    local function part(name)
        local list_of = state.lists[name]
        return { text{ words[name], style = "title_large", padding = 16,
                padding_left = 20, padding_bottom = 4 },
            #list_of == 0 and quiet(words.empty, "empty_list",
                { padding = 20 }) or false,
            table.map(list_of, function(id)
                return item{ places[id].name, icon = places[id].kind.icon,
                    detail = places[id].address, id = "saved_place",
                    key = name .. id, on_click = { "open", id } }
            end) }
    end
    return page{ title = words.saved,
        list{ weight = 1, id = "saved_list",
            item{ words.home, icon = "home", id = "home",
                detail = home and home.name or words.not_set,
                on_click = { "pick", "home" },
                icon{ icon = "edit", width = 22, height = 22 } },
            divider{},
            part("want"), part("favourites") } }
end

-- ---- a route ----

local function point_text(id)
    return id == 0 and words.you or places[id].name
end

local function route_box(state)
    local points = points_of(state.route)
    return row{ width = "fill", padding = 8, padding_left = 4,
        padding_right = 8, down = "center", background = "surface_container",
        icon_button{ icon = "back", description = words.up,
            on_click = "back" },
        column{ weight = 1, gap = 6,
            table.map(points, function(point, place)
                local stop = place > 1 and place < #points
                return row{ width = "fill", height = 44, radius = 12,
                    background = "surface", down = "center", gap = 8,
                    padding_left = 12, padding_right = 4, id = "point",
                    key = "w" .. place,
                    icon{ icon = place == 1 and "target" or
                        stop and "more" or "place", width = 20,
                        height = 20, ink = "primary" },
                    text{ point_text(point), weight = 1, lines = 1,
                        style = "body_large" },
                    stop and icon_button{ icon = "close", height = 40,
                        width = 40, id = "remove_stop",
                        description = words.remove_stop,
                        on_click = { "remove_stop", state.route.swapped and
                            #points - place or place - 1 } } or false }
            end) },
        column{
            icon_button{ icon = "swap", id = "swap", on_click = "swap" },
            icon_button{ icon = "add", id = "add_stop",
                description = words.add_stop,
                on_click = { "pick", "stop" } } } }
end

local function mode_tabs(state)
    return tabs{ table.map(modes, function(mode)
        return tab{ words[mode], icon = mode, id = "mode_" .. mode,
            selected = state.route.mode == mode,
            on_click = { "mode", mode } }
    end) }
end

local function steps_of(state, route)
    local r = random("steps", table.concat(table.map(route, tostring), "-"))
    local kinds_of_turn = { { "arrow_up", words.straight },
                            { "left", words.turn_left },
                            { "right", words.turn_right } }
    local rows = {}
    for i = 1, 3 + #route do
        local turn = r.pick(kinds_of_turn)
        local name = content.brand(r)
        local street = { en = name.en .. " Street", zh = name.zh .. "路" }
        rows[i] = item{ string.format(t(turn[2]), t(street)), icon = turn[1],
            id = "route_step", key = "s" .. i }
    end
    local goal = t(point_text(route[#route]))
    rows[#rows + 1] = item{ string.format(t(words.arrive), goal),
        icon = "flag", id = "route_step", key = "end" }
    return rows
end

local function summary(state, route)
    local mode = state.route.mode
    local minutes = city.minutes(mode, route, state.no_tolls)
    local tolls = mode == "car" and city.has_toll(route)
    return column{ width = "fill", padding = 20, padding_bottom = 8, gap = 2,
        row{ gap = 10, down = "center",
            text{ string.format(t(words.minutes), minutes), id = "minutes",
                style = "headline_medium", ink = "tertiary" },
            quiet(distance_text(state, city.metres(route)),
                "route_distance", { style = "title_medium" }) },
        tolls and quiet(state.no_tolls and words.no_toll or
            string.format(t(words.toll), money(city.toll(route))), "toll") or
            false }
end

local function bus_row(connection, place)
    local lines = table.concat(table.map(connection.lines, function(line)
        return string.format(t(words.line), line)
    end), " + ")
    return row{ id = "bus", key = "b" .. place, width = "fill", gap = 16,
        padding = 14, padding_left = 20, padding_right = 20, down = "center",
        icon{ icon = "bus", ink = "primary", width = 28, height = 28 },
        column{ weight = 1, gap = 2,
            text{ lines, id = "bus_lines", style = "title_medium" },
            quiet(string.format(t(words.departs),
                dates.time(connection.leaves)) .. " · " ..
                (connection.changes == 0 and t(words.direct) or
                 string.format(t(words.changes), connection.changes)),
                "bus_facts") },
        text{ string.format(t(words.minutes), connection.minutes),
            id = "bus_minutes", style = "title_medium" } }
end

function screens.route(state)
    local route, bus = points_of(state.route), state.route.mode == "bus"
    local stops = #state.route.stops > 0
    redraw(60)
    return page{
        route_box(state), mode_tabs(state),
        list{ weight = 1, id = "route_scroll",
            not bus and summary(state, route) or false,
            bus and stops and quiet(words.bus_stop_hint, "hint",
                { padding = 20 }) or false,
            bus and table.map(city.buses(route), bus_row) or
                steps_of(state, route) },
        row{ width = "fill", padding = 12, across = "spread",
            down = "center", background = "surface_container",
            icon_or_text{ words.options, icon = "filter", id = "options",
                on_click = { "go", "options" } },
            button{ words.start, icon = "directions", id = "start",
                height = 48, on_click = "start" } } }
end

function screens.options(state)
    return sheet{ title = words.options, id = "option_sheet",
        item{ words.avoid_tolls, icon = "card", id = "tolls_row",
            switch{ checked = state.no_tolls, id = "tolls_switch",
                description = words.avoid_tolls, on_change = "no_tolls" } },
        row{ width = "fill", across = "end", padding = 16,
            button{ words.done, id = "done", on_click = "back" } } }
end

function screens.driving(state)
    local place = places[state.away > 0 and state.away or state.route.to]
    return page{ background = "surface",
        column{ width = "fill", padding = 20, gap = 4,
            background = "tertiary_container",
            text{ words.on_the_way, id = "navigation",
                style = "headline_small", ink = "on_tertiary_container" },
            row{ gap = 8, down = "center",
                icon{ icon = state.route.mode, width = 24, height = 24,
                    ink = "on_tertiary_container" },
                text{ place.name, id = "goal", style = "title_medium",
                    ink = "on_tertiary_container" } } },
        map_of(420, { place }, place.id),
        column{ width = "fill", weight = 1, down = "center",
            across = "center",
            button{ words.stop, id = "stop", style = "danger", height = 52,
                on_click = "stop" } } }
end

-- ---- settings ----

function screens.settings(state)
    local function switch_row(label, sign, name)
        return item{ label, icon = sign, id = name .. "_row",
            switch{ checked = state[name], id = name .. "_switch",
                description = label, on_change = name } }
    end
    return page{ title = words.settings,
        list{ weight = 1, id = "settings_list",
            shuffle_by_skin{
                switch_row(words.miles, "map", "miles"),
                switch_row(words.voice, "volume", "voice"),
                switch_row(words.avoid_tolls, "card", "no_tolls") },
            divider{},
            item{ words.history, icon = "delete", id = "delete_history",
                on_click = { "go", "sure_history" } } } }
end

function screens.sure_history()
    return dialog{ title = words.sure_history, id = "history_dialog",
        buttons = {
            { words.cancel, id = "cancel", on_click = "back" },
            { words.delete, id = "confirm", on_click =
              "delete_history" } } }
end

return {
    package = "org.proctor.maps",
    name = { en = "Maps", zh = "地图" },
    hue = 155,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { places = places, kinds = kinds, found = found,
              no_filters = no_filters, minutes = city.minutes,
              buses = city.buses, closes_at = city.closes_at,
              points = points_of, has_toll = city.has_toll },
}
