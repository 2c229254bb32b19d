-- Stays: searching for a place by city, dates and guests, filters, a map,
-- listings with reviews, bookings and a wishlist.

local words = include("stays_words")
local catalog = include("stays_listings")
local cities, kinds = catalog.cities, catalog.kinds
local amenities, listings = catalog.amenities, catalog.listings
local reviews_of, is_free = catalog.reviews_of, catalog.is_free

local PAGE = 5 -- reviews loaded at a time

-- ---- the state ----

local function no_filters()
    return { bedrooms = 0, kinds = {}, amenities = {}, super = false,
             free_cancel = false }
end

local function no_plan()
    return { city = "", from = 0, to = 0, adults = 1, children = 0, pets = 0 }
end

-- Two trips were booked before, in different cities.
local function first_trips()
    local r, today = random("trips"), dates.today()
    local some, trips, taken = r.shuffle(listings), {}, {}
    for _, listing in ipairs(some) do
        if #trips < 2 and not taken[listing.city.id] and listing.guests > 4 and
           listing.free_cancel == (#trips == 0) then
            taken[listing.city.id] = true
            local from = today + 20 + 30 * #trips + r.int(0, 6)
            table.insert(trips, { listing = listing.id, from = from,
                to = from + r.int(2, 6), adults = 2, children = 0, pets = 0,
                pay = "card", cancelled = false, messages = {} })
        end
    end
    return trips
end

-- The wishlist begins with some of each of two cities.
local function first_saved()
    local some = random("saved").shuffle(cities)
    local function of_city(city, count)
        local list = table.filter(listings, function(listing)
            return listing.city == city
        end)
        return table.map({ table.unpack(list, 1, count) }, function(listing)
            return listing.id
        end)
    end
    return table.join(of_city(some[1], 2), of_city(some[2], 2))
end

local function first_state()
    return { tab = "explore", part = "where", typed = "", plan = no_plan(),
        filters = no_filters(), sort = "recommended", map = false,
        promo = true, saved = first_saved(), reviews = "newest",
        shown_reviews = PAGE, all_text = false, pay = "card",
        trips = first_trips(), typed_message = "", party = {},
        show_total = false, notices = true, picked = 0 }
end

-- ---- finding ----

local function fits_kinds(listing, chosen)
    return #chosen == 0 or table.index(chosen, listing.kind.id) ~= nil
end

local function passes(listing, filters)
    for _, id in ipairs(filters.amenities) do
        if not listing.has[id] then
            return false
        end
    end
    return listing.bedrooms >= filters.bedrooms and
           fits_kinds(listing, filters.kinds) and
           (not filters.super or listing.super) and
           (not filters.free_cancel or listing.free_cancel)
end

local function suits(listing, plan)
    return (plan.city == "" or listing.city.id == plan.city) and
           listing.guests >= plan.adults + plan.children and
           (plan.pets == 0 or listing.has.pets) and
           (plan.to == 0 or is_free(listing, plan.from, plan.to))
end

local orders = {
    price_low = function(a, b) return a.price < b.price end,
    price_high = function(a, b) return a.price > b.price end,
    rating = function(a, b) return a.rating > b.rating end,
    distance = function(a, b) return a.metres < b.metres end,
}

local function found(plan, filters, sort)
    local list = table.filter(listings, function(listing)
        return suits(listing, plan) and passes(listing, filters)
    end)
    return orders[sort] and table.sort(list, orders[sort]) or list
end

local function bill(listing, from, to)
    local nights = to - from
    local stay = listing.price * nights
    local service = stay // 1000 * 100
    return { nights = nights, stay = stay, service = service,
             total = stay + listing.cleaning + service }
end

-- ---- handlers: planning ----

local handlers = {}

function handlers.tab(state, name) state.tab = name end

function handlers.start_plan(state)
    state.part, state.typed = "where", ""
    go("plan")
end

function handlers.part(state, name) state.part = name end

function handlers.typed(state, text) state.typed = text end

function handlers.city(state, id)
    state.plan.city, state.part, state.typed = id, "when", ""
end

-- The first day, then the last; a third one begins again.
function handlers.day(state, day)
    local plan = state.plan
    if plan.from == 0 or plan.to > 0 or day <= plan.from then
        plan.from, plan.to = day, 0
    else
        plan.to = day
    end
end

function handlers.any_dates(state)
    state.plan.from, state.plan.to = 0, 0
end

local guest_limits = { adults = { 1, 12 }, children = { 0, 8 },
                       pets = { 0, 3 } }

local function change_guests(party, name, by)
    local low, high = table.unpack(guest_limits[name])
    party[name] = math.min(math.max(party[name] + by, low), high)
end

function handlers.guests(state, name, by)
    change_guests(state.plan, name, by)
end

function handlers.clear_plan(state) state.plan = no_plan() end

local function open_results(state)
    local plan = state.plan
    if plan.to == 0 then
        plan.from = 0
    end
    state.filters, state.sort, state.map = no_filters(), "recommended", false
    state.picked = 0
    home("results")
    if state.promo then
        state.promo = false
        go("promo")
    end
end

function handlers.find(state) open_results(state) end

function handlers.visit(state, city)
    state.plan = no_plan()
    state.plan.city = city
    open_results(state)
end

-- ---- handlers: results ----

function handlers.no_thanks() back() end

function handlers.sort(state, order)
    state.sort = order
    back()
end

function handlers.map(state, set) state.map, state.picked = set == "on", 0 end

function handlers.pin(state, id) state.picked = id end

function handlers.bedrooms(state, count) state.filters.bedrooms = count end

-- The last argument only says what it is then.
function handlers.kind(state, id) table.toggle(state.filters.kinds, id) end

function handlers.amenity(state, id) table.toggle(state.filters.amenities, id) end

function handlers.only(state, name, set) state.filters[name] = set end

function handlers.reset_filters(state) state.filters = no_filters() end

function handlers.save(state, id) table.toggle(state.saved, id) end

function handlers.open(state, id)
    state.reviews, state.shown_reviews = "newest", PAGE
    state.all_text = false
    go("listing", id)
end

-- ---- handlers: a listing ----

function handlers.read_more(state) state.all_text = true end

function handlers.reviews(state, order)
    state.reviews, state.shown_reviews = order, PAGE
end

function handlers.more_reviews(state, left)
    if left >= 300 or state.shown_reviews >= 15 then
        return false
    end
    state.shown_reviews = state.shown_reviews + PAGE
end

function handlers.share() snack(words.shared) end

-- Without dates they are asked for first.
function handlers.reserve(state, id)
    local plan, listing = state.plan, listings[id]
    if plan.to == 0 then
        go("days", id)
    elseif not is_free(listing, plan.from, plan.to) then
        snack(words.not_free)
    elseif plan.adults + plan.children > listing.guests then
        snack(words.too_many)
    else
        state.pay = "card"
        go("booking", id)
    end
end

function handlers.pay(state, way) state.pay = way end

function handlers.book(state, id)
    local plan = state.plan
    table.insert(state.trips, 1, { listing = id, from = plan.from,
        to = plan.to, adults = plan.adults, children = plan.children,
        pets = plan.pets, pay = state.pay, cancelled = false,
        messages = {} })
    event("booked", id, plan.from, plan.to)
    home("booked", id)
end

function handlers.finish(state)
    state.tab = "trips"
    home()
end

-- ---- handlers: trips ----

function handlers.cancel_trip(state, number)
    state.trips[number].cancelled = true
    back()
end

function handlers.edit_guests(state, number)
    local trip = state.trips[number]
    state.party = { adults = trip.adults, children = trip.children,
                    pets = trip.pets }
    go("party", number)
end

function handlers.party(state, name, by) change_guests(state.party, name, by) end

function handlers.save_party(state, number)
    local trip, party = state.trips[number], state.party
    if party.adults + party.children > listings[trip.listing].guests then
        snack(words.too_many)
        return
    end
    trip.adults, trip.children = party.adults, party.children
    trip.pets = party.pets
    back()
end

function handlers.write_host(state, number)
    state.typed_message = ""
    go("message", number)
end

function handlers.message_typed(state, text) state.typed_message = text end

function handlers.send(state, number)
    local text = state.typed_message:trim()
    if text ~= "" then
        table.insert(state.trips[number].messages, text)
        state.typed_message = ""
        snack(words.sent)
    end
end

function handlers.show_total(state, set) state.show_total = set end

function handlers.notices(state, set) state.notices = set end

-- ---- parts of the screens ----

local function quiet(said, id, parts)
    parts = parts or {}
    parts[1], parts.id = said, id
    parts.style, parts.ink = parts.style or "body_medium",
                             parts.ink or "on_surface_variant"
    return text(parts)
end

local function distance_text(listing)
    local metres = listing.metres
    return metres < 1000 and metres .. " m" or
           string.format("%.2f km", metres / 1000)
end

local function score(listing)
    return row{ gap = 4, down = "center",
        icon{ icon = "star", width = 16, height = 16 },
        text{ string.format("%.2f", listing.rating / 100), id = "rating",
            style = "label_large" } }
end

local function dates_text(from, to)
    return to == 0 and t(words.any_dates) or
           dates.short(from) .. " – " .. dates.short(to)
end

local function guests_text(party)
    local said = string.format(t(words.guests), party.adults + party.children)
    return party.pets == 0 and said or
           said .. " · " .. string.format(t(words.pets_count), party.pets)
end

local function price_text(state, listing)
    local plan = state.plan
    if state.show_total and plan.to > 0 then
        return money(bill(listing, plan.from, plan.to).total), t(words.total)
    end
    return money(listing.price), t(words.per_night)
end

local function price_line(state, listing)
    local price, unit = price_text(state, listing)
    return row{ gap = 4, down = "center",
        text{ price, id = "price", style = "title_medium" },
        quiet(unit, "unit") }
end

local function heart(state, listing)
    local kept = table.index(state.saved, listing.id) ~= nil
    return icon_button{ icon = kept and "heart_full" or "heart", id = "save",
        selected = kept, ink = kept and "#e0245e" or "on_surface",
        description = kept and words.unsave or words.save,
        on_click = { "save", listing.id } }
end

local function listing_facts(listing)
    return string.format(t(words.bedroom_count), listing.bedrooms) .. " · " ..
           string.format(t(words.up_to), listing.guests)
end

local function picture(listing, parts)
    parts.art, parts.seed = listing.kind.art, listing.id * 3
    return art(parts)
end

-- The listing beneath the map.
local function small_card(state, listing)
    return row{ id = "listing_card", key = "l" .. listing.id, width = "fill",
        gap = 16, padding = 16, padding_left = 24, padding_right = 12,
        down = "center", on_click = { "open", listing.id },
        picture(listing, { width = 96, height = 96, radius = 20 }),
        column{ weight = 1, gap = 2,
            text{ listing.name, id = "listing_name", lines = 1,
                style = "title_medium" },
            score(listing), price_line(state, listing),
            quiet(string.format(t(words.from_centre),
                distance_text(listing)), "distance",
                { style = "body_small" }) },
        heart(state, listing) }
end

local function card_of(state, listing)
    return column{ id = "listing_card", key = "l" .. listing.id,
        width = "fill", gap = 4, padding = 10, padding_left = 24,
        padding_right = 24, on_click = { "open", listing.id },
        picture(listing, { width = "fill", height = 190, radius = 20 }),
        row{ width = "fill", down = "center", padding_top = 4,
            text{ listing.name, id = "listing_name", weight = 1, lines = 1,
                style = "title_medium" },
            score(listing), heart(state, listing) },
        quiet(listing_facts(listing), "facts"),
        quiet(string.format(t(words.from_centre), distance_text(listing)),
              "distance"),
        row{ width = "fill", gap = 8, down = "center",
            price_line(state, listing),
            listing.super and text{ words.super, id = "super",
                style = "label_small", outline = "outline", radius = 8,
                padding_left = 6, padding_right = 6, padding_top = 2,
                padding_bottom = 2 } or false,
            listing.free_cancel and quiet(words.free_cancel, "free_cancel",
                { style = "label_small", ink = "tertiary" }) or false } }
end

-- An advertisement between the cards.
local function ad_card()
    return row{ id = "promoted", key = "ad", width = "fill", padding = 12,
        padding_left = 24, padding_right = 24, gap = 16, down = "center",
        on_click = { "go", "ad" },
        art{ art = "umbrella", seed = 5, width = 72, height = 72,
            radius = 16 },
        column{ weight = 1, gap = 2,
            text{ content.brand(random("ad")), style = "title_medium" },
            quiet(words.ad_text),
            text{ words.ad, style = "label_small", ink = "outline" } } }
end

local function city_of(id)
    return table.find(cities, id)
end

local function empty(sign, said)
    return column{ width = "fill", weight = 1, across = "center",
        down = "center", gap = 16, padding = 40,
        icon{ icon = sign, width = 64, height = 64, ink = "outline_variant" },
        text{ said, id = "empty", style = "title_medium",
            ink = "on_surface_variant" } }
end

-- ---- tabs ----

local function search_pill(label, detail, id)
    return row{ id = id, width = "fill", height = 64, radius = 32, gap = 16,
        down = "center", padding_left = 20, padding_right = 20, shadow =
        "shadow", background = "surface_container_lowest",
        on_click = "start_plan",
        icon{ icon = "search", width = 24, height = 24 },
        column{ weight = 1,
            text{ label, style = "title_small", lines = 1 },
            quiet(detail, "plan_detail", { style = "body_small",
                lines = 1 }) } }
end

local function city_tile(city, place)
    return column{ id = "city_tile", key = city.id, width = 132, gap = 6,
        on_click = { "visit", city.id },
        art{ art = "landscape", seed = 40 + place, width = 132, height = 132,
            radius = 24 },
        text{ city.name, id = "city_name", style = "title_small" } }
end

local function explore_tab(state)
    local best = found(no_plan(), no_filters(), "rating")
    return list{ weight = 1, id = "explore",
        column{ width = "fill", padding = 16, padding_left = 24,
            padding_right = 24,
            search_pill(words.where_to, words.any_week, "where_to") },
        text{ words.popular, style = "title_large", padding = 8,
            padding_left = 24 },
        carousel{ id = "cities", height = 176, gap = 12, padding_left = 24,
            padding_right = 24, table.map(cities, city_tile) },
        ad_card(),
        text{ words.weekend, style = "title_large", padding = 8,
            padding_left = 24 },
        table.map({ table.unpack(best, 1, 5) }, function(listing)
            return card_of(state, listing)
        end) }
end

local function saved_tab(state)
    return #state.saved == 0 and empty("heart", words.no_saved) or
        list{ weight = 1, id = "saved_list",
            table.map(state.saved, function(id)
                local listing = listings[id]
                return row{ id = "saved_row", key = "s" .. id, width = "fill",
                    gap = 16, padding = 10, padding_left = 24,
                    padding_right = 12, down = "center",
                    on_click = { "open", id },
                    picture(listing, { width = 84, height = 84,
                        radius = 16 }),
                    column{ weight = 1, gap = 2,
                        text{ listing.name, id = "listing_name", lines = 1,
                            style = "title_small" },
                        quiet(listing.city.name, "city"),
                        price_line(state, listing) },
                    heart(state, listing) }
            end) }
end

local function trip_row(state, number)
    local trip = state.trips[number]
    local listing = listings[trip.listing]
    return column{ width = "fill", padding = 8, padding_left = 24,
        padding_right = 24, key = "t" .. number,
        row{ id = "trip", width = "fill", gap = 16, padding = 12, radius = 20,
            down = "center", background = "surface_container",
            on_click = { "go", "trip", number },
            picture(listing, { width = 72, height = 72, radius = 16 }),
            column{ weight = 1, gap = 2,
                text{ listing.city.name, id = "city",
                    style = "title_medium" },
                quiet(dates_text(trip.from, trip.to), "trip_dates"),
                quiet(listing.name, "listing_name", { lines = 1,
                    style = "body_small" }) },
            text{ trip.cancelled and words.cancelled or words.upcoming,
                id = "trip_state", style = "label_medium",
                ink = trip.cancelled and "error" or "primary" } } }
end

local function trips_tab(state)
    local rows = {}
    for number = 1, #state.trips do
        rows[number] = trip_row(state, number)
    end
    return #rows == 0 and empty("calendar", words.no_trips) or
        list{ weight = 1, id = "trip_list", rows }
end

local function switch_row(label, sign, name, on)
    return item{ label, icon = sign, id = name .. "_row",
        switch{ checked = on, id = name .. "_switch", description = label,
            on_change = name } }
end

local function profile_tab(state)
    return list{ weight = 1, id = "profile",
        row{ width = "fill", gap = 16, padding = 24, down = "center",
            art{ art = "portrait", seed = 11, width = 72, height = 72,
                radius = 36 },
            text{ content.person(random("me")), id = "me",
                style = "headline_small" } },
        shuffle_by_skin{
            switch_row(words.show_total, "card", "show_total",
                       state.show_total),
            switch_row(words.notices, "bell", "notices", state.notices) } }
end

local tab_content = { explore = explore_tab, saved = saved_tab,
                      trips = trips_tab, profile = profile_tab }
local tab_icons = { explore = "search", saved = "heart", trips = "bag",
                    profile = "person" }

local screens = {}

function screens.main(state)
    local name = state.tab
    return page{
        name ~= "explore" and text{ words[name], id = "title",
            style = "headline_large", padding = 24, padding_bottom = 8 } or
            false,
        column{ width = "fill", weight = 1, tab_content[name](state) },
        market.tab_bar(words, name, { "explore", "saved", "trips",
                                      "profile" }, tab_icons) }
end

function screens.ad()
    return ad_page(words.ad, words.ad_page, words.close)
end

-- ---- planning ----

local function fold(name, value)
    return row{ id = "part_" .. name, width = "fill", radius = 20,
        padding = 20, background = "surface_container", across = "spread",
        down = "center", on_click = { "part", name },
        quiet(words[name]), text{ value, style = "title_small" } }
end

local function where_part(state)
    local typed = state.typed:lower():trim()
    local fitting = table.filter(cities, function(city)
        return typed == "" or city.name.en:lower():starts(typed) or
               city.name.zh:find(typed)
    end)
    return column{ width = "fill", radius = 24, padding = 16, gap = 8,
        background = "surface_container_low",
        text{ words.where_to, style = "headline_small" },
        field{ text = state.typed, hint = words.search_place, width = "fill",
            id = "place_input", on_change = "typed" },
        table.map(fitting, function(city)
            return item{ city.name, icon = "place", id = "place",
                key = city.id, on_click = { "city", city.id } }
        end) }
end

local function when_part(state)
    local plan = state.plan
    return column{ width = "fill", weight = 1, radius = 24, padding = 8,
        background = "surface_container_low",
        row{ width = "fill", across = "spread", down = "center",
            padding_left = 8,
            text{ plan.to > 0 and dates_text(plan.from, plan.to) or
                words.when, id = "chosen_dates", style = "title_large" },
            text_button{ words.any_dates, id = "any_dates",
                on_click = "any_dates" } },
        dates.calendar{ least = dates.today(), months = 4,
            from = plan.from > 0 and plan.from or nil,
            to = plan.to > 0 and plan.to or nil, pick = "day" } }
end

local function guest_row(label, name, party, handler)
    return row{ width = "fill", across = "spread", down = "center",
        padding = 8, id = "guest_row_" .. name,
        text{ label, style = "body_large" },
        market.stepper(words, { count = party[name],
            least = guest_limits[name][1], fewer = { handler, name, -1 },
            more = { handler, name, 1 } }) }
end

local function guest_rows(party, handler)
    return { guest_row(words.adults, "adults", party, handler),
             guest_row(words.children, "children", party, handler),
             guest_row(words.pets_with, "pets", party, handler) }
end

local function who_part(state)
    return column{ width = "fill", radius = 24, padding = 16, gap = 4,
        background = "surface_container_low",
        text{ words.who, style = "headline_small" },
        guest_rows(state.plan, "guests") }
end

local plan_parts = { where = where_part, when = when_part, who = who_part }

function screens.plan(state)
    local plan = state.plan
    local values = { where = plan.city ~= "" and city_of(plan.city).name or
                         words.anywhere,
                     when = dates_text(plan.from, plan.to),
                     who = guests_text(plan) }
    return page{ title = "",
        column{ width = "fill", weight = 1, gap = 12, padding_left = 16,
            padding_right = 16,
            table.map({ "where", "when", "who" }, function(name)
                return state.part == name and plan_parts[name](state) or
                    fold(name, values[name])
            end) },
        row{ width = "fill", across = "spread", down = "center",
            padding = 12, padding_left = 20, padding_right = 20,
            text_button{ words.clear, id = "clear_plan",
                on_click = "clear_plan" },
            button{ words.find, icon = "search", id = "find", height = 48,
                on_click = "find" } } }
end

-- ---- results ----

function screens.promo()
    return dialog{ title = words.promo, id = "promo_dialog", modal = true,
        message = words.promo_text,
        buttons = {
            { words.join, id = "join", on_click = { "replace", "ad" } },
            { words.no_thanks, id = "no_thanks",
              on_click = "no_thanks" } } }
end

local function price_pin(state, listing)
    local chosen = state.picked == listing.id
    return { x = listing.x, y = listing.y, size = 32, width = 76,
        part = text{ (price_text(state, listing)), id = "pin",
            key = "p" .. listing.id, height = 32, radius = 16,
            padding = 8, padding_top = 6, style = "label_large",
            selected = chosen,
            background = chosen and "inverse_surface" or
                "surface_container_lowest",
            ink = chosen and "inverse_on_surface" or "on_surface",
            shadow = "shadow", on_click = { "pin", listing.id } } }
end

local function centre_pin()
    return { x = 50, y = 50, size = 28, part = icon{ icon = "target",
        width = 28, height = 28, ink = "primary", description =
        words.centre } }
end

local function result_map(state, list_of)
    local pins = table.map(list_of, function(listing)
        return price_pin(state, listing)
    end)
    table.insert(pins, 1, centre_pin())
    return column{ width = "fill", weight = 1,
        citymap.view{ name = state.plan.city, height = 430, pins = pins },
        state.picked > 0 and small_card(state, listings[state.picked]) or
            quiet(words.centre, nil, { padding = 24 }) }
end

local function result_list(state, list_of)
    local rows = {}
    for i, listing in ipairs(list_of) do
        table.insert(rows, card_of(state, listing))
        if i == 2 then
            table.insert(rows, ad_card())
        end
    end
    return list{ weight = 1, id = "result_list", rows }
end

function screens.results(state)
    local plan = state.plan
    local list_of = found(plan, state.filters, state.sort)
    local name = plan.city ~= "" and city_of(plan.city).name or words.anywhere
    local filtered = #state.filters.kinds + #state.filters.amenities
    return page{
        row{ width = "fill", down = "center", padding = 8, padding_left = 4,
            padding_right = 12,
            icon_button{ icon = "back", on_click = "back",
                description = { en = "Navigate up", zh = "转到上一层级" } },
            column{ weight = 1, search_pill(name, dates_text(plan.from,
                plan.to) .. " · " .. guests_text(plan), "edit_plan") } },
        row{ width = "fill", padding_left = 24, padding_right = 12,
            down = "center",
            quiet(string.format(t(words.results), #list_of), "result_count",
                { weight = 1, lines = 1 }),
            chip{ words[state.sort], icon = "sort", id = "sort",
                selected = state.sort ~= "recommended",
                on_click = { "go", "sort" } },
            icon_button{ icon = "filter", id = "filter",
                selected = filtered > 0, on_click = { "go", "filter" } } },
        #list_of == 0 and empty("search", words.none) or
            state.map and result_map(state, list_of) or
            result_list(state, list_of),
        row{ width = "fill", across = "center", padding = 8,
            button{ state.map and words.list or words.map, id = "map_switch",
                icon = state.map and "list" or "map", style = "tonal",
                on_click = { "map", state.map and "off" or "on" } } } }
end

function screens.sort(state)
    return market.sort_sheet(words, state.sort, { "recommended", "price_low",
        "price_high", "rating", "distance" })
end

local function bedroom_chips(filters)
    return flow{ gap = 8, width = "fill", padding_left = 16,
        padding_right = 16,
        table.map({ 0, 1, 2, 3, 4 }, function(count)
            return chip{ count == 0 and words.any or
                string.format(t(words.at_least), count),
                id = "bedrooms_" .. count, checkable = true,
                checked = filters.bedrooms == count,
                on_click = { "bedrooms", count } }
        end) }
end

local function choice_chips(list_of, chosen, handler)
    return flow{ gap = 8, width = "fill", padding_left = 16,
        padding_right = 16,
        table.map(shuffle_by_skin(list_of), function(one)
            local on = table.index(chosen, one.id) ~= nil
            return chip{ one.name, id = handler .. "_" .. one.id,
                key = one.id, checkable = true, checked = on,
                on_click = { handler, one.id, on and "off" or "on" } }
        end) }
end

local function part_title(said)
    return text{ said, style = "title_medium", padding = 16,
        padding_bottom = 8 }
end

function screens.filter(state)
    local filters = state.filters
    local function only(name, sign)
        return item{ words[name], icon = sign, id = name .. "_row",
            switch{ checked = filters[name], id = name .. "_switch",
                description = words[name], on_change = { "only", name } } }
    end
    return page{ title = words.filters,
        list{ weight = 1, id = "filter_list",
            part_title(words.bedrooms), bedroom_chips(filters),
            part_title(words.kind),
            choice_chips(kinds, filters.kinds, "kind"),
            part_title(words.amenities),
            choice_chips({ table.unpack(amenities, 1, 7) },
                filters.amenities, "amenity"),
            space{ height = 12 },
            only("super", "star"), only("free_cancel", "refresh") },
        divider{},
        row{ width = "fill", across = "spread", padding = 12,
            text_button{ words.clear, id = "reset",
                on_click = "reset_filters" },
            button{ words.show, id = "apply", height = 48,
                on_click = "back" } } }
end

-- ---- a listing ----

local function amenity_row(one)
    return row{ width = "fill", gap = 16, padding = 8, down = "center",
        id = "amenity", key = one.id,
        icon{ icon = one.icon, width = 24, height = 24 },
        text{ one.name, style = "body_large" } }
end

local function offered(listing)
    return table.filter(amenities, function(one)
        return listing.has[one.id]
    end)
end

local function part(said, ...)
    return column{ width = "fill", padding = 16, padding_left = 24,
        padding_right = 24, gap = 8,
        text{ said, style = "title_large" }, table.pack(...) }
end

local function review_block(review)
    return column{ width = "fill", gap = 4, padding_top = 8,
        padding_bottom = 8, id = "review", key = "r" .. review.days,
        row{ gap = 12, down = "center",
            art{ art = "portrait", seed = review.days, width = 36,
                height = 36, radius = 18 },
            column{
                text{ review.who, id = "reviewer", style = "title_small" },
                quiet(string.format(t(words.days_ago), review.days) .. " · " ..
                    string.format(t(words.stayed), review.nights),
                    "review_facts", { style = "body_small" }) },
            badge{ string.format("%.1f", review.score / 10),
                id = "score" } },
        text{ review.text, id = "review_text", style = "body_medium" } }
end

local function listing_head(state, listing)
    return { picture(listing, { width = "fill", height = 220, radius = 0 }),
        column{ width = "fill", gap = 6, padding = 24, padding_bottom = 8,
            text{ listing.name, id = "listing_name",
                style = "headline_small" },
            row{ gap = 12, down = "center", score(listing),
                quiet(listing.city.name, "city"),
                quiet(listing.kind.name, "kind") },
            quiet(listing_facts(listing), "facts"),
            quiet(string.format(t(words.beds), listing.beds) .. " · " ..
                string.format(t(words.baths), listing.baths), "rooms"),
            row{ gap = 8, down = "center",
                quiet(string.format(t(words.hosted), t(listing.host)),
                    "host"),
                listing.super and quiet(words.super, "super",
                    { ink = "primary" }) or false },
            quiet(listing.free_cancel and words.free_cancel or words.strict,
                "cancellation", { ink = listing.free_cancel and "tertiary" or
                    "error" }) } }
end

local function rules_part(listing)
    return part(words.rules,
        quiet(string.format(t(words.check_in), dates.time(listing.check_in)),
              "check_in"),
        quiet(string.format(t(words.check_out),
              dates.time(listing.check_out)), "check_out"),
        quiet(listing.has.pets and words.pets_yes or words.pets_no,
              "pet_rule"))
end

local function location_part(listing)
    return part(words.location,
        quiet(string.format(t(words.from_centre), distance_text(listing)),
              "distance"),
        citymap.view{ name = listing.city.id, height = 180, radius = 20,
            width = math.floor(display().width) - 48,
            pins = { centre_pin(), { x = listing.x, y = listing.y, size = 36,
                part = icon{ icon = "pin_filled", width = 36, height = 36,
                    ink = "#d81b60" } } } })
end

local function reserve_bar(state, listing)
    local plan = state.plan
    return row{ width = "fill", padding = 12, padding_left = 24, gap = 12,
        down = "center", background = "surface_container",
        column{ weight = 1, price_line(state, listing),
            quiet(dates_text(plan.from, plan.to), "chosen_dates",
                { style = "body_small" }) },
        button{ plan.to == 0 and words.choose_dates or words.reserve,
            id = "reserve", height = 48,
            on_click = { "reserve", listing.id } } }
end

function screens.listing(state, id)
    local listing = listings[id]
    local has = offered(listing)
    return page{ title = "",
        actions = {
            icon_button{ icon = "share", id = "share", on_click = "share" },
            heart(state, listing) },
        list{ weight = 1, id = "listing_scroll",
            listing_head(state, listing),
            divider{},
            part(words.about,
                text{ string.format(t(words.about_text),
                    t(listing.kind.name):lower()), style = "body_large" },
                state.all_text and text{ words.more_text,
                        style = "body_large", id = "more_text" } or
                    text{ words.read_more, id = "read_more",
                        style = "label_large", ink = "primary",
                        padding_top = 8, padding_bottom = 8,
                        on_click = "read_more" }),
            part(words.amenities,
                table.map({ table.unpack(has, 1, 3) }, amenity_row),
                #has > 3 and button{ words.all_amenities, id = "amenities",
                    style = "outlined",
                    on_click = { "go", "amenities", id } } or false),
            location_part(listing),
            part(words.reviews,
                review_block(reviews_of(listing, "newest")[1]),
                button{ words.all_reviews, id = "all_reviews",
                    style = "outlined", on_click = { "go", "reviews", id } }),
            rules_part(listing) },
        reserve_bar(state, listing) }
end

function screens.amenities(_, id)
    return sheet{ title = words.amenities, id = "amenity_sheet",
        list{ width = "fill", height = 380, padding_left = 16,
            table.map(offered(listings[id]), amenity_row) } }
end

function screens.reviews(state, id)
    local reviews = reviews_of(listings[id], state.reviews)
    local shown = {}
    for i = 1, math.min(state.shown_reviews, #reviews) do
        shown[i] = review_block(reviews[i])
    end
    return page{ title = words.reviews,
        carousel{ height = 48, gap = 8, padding_left = 24,
            padding_right = 24, down = "center",
            shuffle_by_skin(table.map({ "newest", "highest", "lowest" },
                function(order)
                    return chip{ words[order], id = "reviews_" .. order,
                        checkable = true, checked = state.reviews == order,
                        on_click = { "reviews", order } }
                end)) },
        list{ weight = 1, id = "review_list", on_scroll = "more_reviews",
            padding_left = 24, padding_right = 24, shown } }
end

-- ---- booking ----

function screens.days(state, id)
    local plan = state.plan
    return page{ title = words.choose_dates,
        text{ dates_text(plan.from, plan.to), id = "chosen_dates",
            style = "title_large", padding = 16, padding_left = 24 },
        dates.calendar{ least = dates.today(), months = 4,
            from = plan.from > 0 and plan.from or nil,
            to = plan.to > 0 and plan.to or nil, pick = "day" },
        row{ width = "fill", padding = 12, across = "end",
            button{ words.done, id = "days_done", height = 48,
                disabled = plan.to == 0, on_click = "back" } },
        id = "days_" .. id }
end

local function amount(label, value, id, strong)
    return row{ width = "fill", across = "spread", padding_top = 6,
        text{ label, style = strong and "title_medium" or "body_large" },
        text{ value, id = id,
            style = strong and "title_medium" or "body_large" } }
end

local function price_part(listing, plan)
    local owed = bill(listing, plan.from, plan.to)
    return part(words.breakdown,
        amount(string.format(t(words.nights), owed.nights) .. " × " ..
            money(listing.price), money(owed.stay), "stay_price"),
        amount(words.cleaning, money(listing.cleaning), "cleaning"),
        amount(words.service, money(owed.service), "service"),
        divider{},
        amount(words.total, money(owed.total), "total", true))
end

function screens.booking(state, id)
    local listing, plan = listings[id], state.plan
    local names = { card = words.card, wallet = words.wallet,
                    on_site = words.on_site }
    return page{ title = words.review_trip,
        list{ weight = 1, id = "booking_scroll",
            item{ listing.name, id = "booking_listing", icon = "home_empty",
                detail = listing.city.name },
            item{ words.when, id = "booking_dates", icon = "calendar",
                detail = dates_text(plan.from, plan.to),
                on_click = { "go", "days", id },
                quiet(words.change, nil, { ink = "primary" }) },
            item{ words.who, id = "booking_guests", icon = "people",
                detail = guests_text(plan),
                on_click = { "go", "who" },
                quiet(words.change, nil, { ink = "primary" }) },
            divider{},
            price_part(listing, plan),
            part(words.pay_with, table.map(
                shuffle_by_skin{ "card", "wallet", "on_site" },
                function(way)
                    return item{ names[way], id = "pay_" .. way, key = way,
                        on_click = { "pay", way },
                        radio{ checked = state.pay == way,
                            clickable = false } }
                end)) },
        row{ width = "fill", padding = 12, padding_left = 24, gap = 12,
            down = "center", background = "surface_container",
            text{ plan.to > 0 and
                money(bill(listing, plan.from, plan.to).total) or "",
                id = "booking_total", weight = 1, style = "title_large" },
            button{ words.pay, id = "confirm_booking", height = 48,
                disabled = plan.to == 0 or not suits(listing, plan),
                on_click = { "go", "sure", id } } } }
end

function screens.who(state)
    return sheet{ title = words.who, id = "who_sheet",
        column{ width = "fill", padding_left = 16, padding_right = 16,
            guest_rows(state.plan, "guests") },
        row{ width = "fill", across = "end", padding = 16,
            button{ words.done, id = "done", on_click = "back" } } }
end

function screens.sure(state, id)
    local plan = state.plan
    return dialog{ title = words.sure, id = "sure_dialog",
        message = t(listings[id].name) .. ", " ..
            dates_text(plan.from, plan.to) .. ", " ..
            money(bill(listings[id], plan.from, plan.to).total),
        buttons = {
            { words.cancel, id = "cancel", on_click = "back" },
            { words.confirm, id = "confirm", on_click = { "book", id } } } }
end

function screens.booked(_, id)
    local listing = listings[id]
    return page{
        column{ width = "fill", weight = 1, across = "center",
            down = "center", gap = 16, padding = 32,
            picture(listing, { width = 200, height = 200, radius = 100 }),
            text{ words.booked, id = "booked", style = "headline_small" },
            text{ listing.name, id = "listing_name", style = "body_large" },
            button{ words.done, id = "finish", on_click = "finish" } } }
end

-- ---- trips ----

function screens.trip(state, number)
    local trip = state.trips[number]
    local listing = listings[trip.listing]
    return page{ title = listing.city.name,
        list{ weight = 1, id = "trip_scroll",
            picture(listing, { width = "fill", height = 160, radius = 0 }),
            item{ listing.name, id = "trip_listing", icon = "home_empty",
                detail = listing.address,
                on_click = { "open", listing.id } },
            item{ words.when, icon = "calendar", id = "trip_when",
                detail = dates_text(trip.from, trip.to) },
            item{ words.who, icon = "people", id = "trip_who",
                detail = guests_text(trip) },
            item{ words.total, icon = "card", id = "trip_total",
                detail = money(bill(listing, trip.from, trip.to).total) },
            not trip.cancelled and { divider{},
                shuffle_by_skin{
                    item{ words.write_host, icon = "chat", id = "write_host",
                        on_click = { "write_host", number } },
                    item{ words.change_guests, icon = "people",
                        id = "change_guests",
                        on_click = { "edit_guests", number } },
                    item{ words.cancel_trip, icon = "close",
                        id = "cancel_trip",
                        on_click = { "go", "cancel_trip", number } } } } or
                text{ words.cancelled, id = "trip_state", ink = "error",
                    style = "title_medium", padding = 24 } } }
end

function screens.cancel_trip(state, number)
    local listing = listings[state.trips[number].listing]
    return dialog{ title = words.sure_cancel, id = "cancel_dialog",
        message = listing.free_cancel and words.refund or words.no_refund,
        buttons = {
            { words.keep, id = "keep", on_click = "back" },
            { words.yes_cancel, id = "confirm",
              on_click = { "cancel_trip", number } } } }
end

function screens.party(state, number)
    return sheet{ title = words.who, id = "party_sheet",
        column{ width = "fill", padding_left = 16, padding_right = 16,
            guest_rows(state.party, "party") },
        row{ width = "fill", across = "end", padding = 16,
            button{ words.save_change, id = "save_party",
                on_click = { "save_party", number } } } }
end

function screens.message(state, number)
    local trip = state.trips[number]
    return page{ title = listings[trip.listing].host,
        list{ weight = 1, id = "messages", padding = 16, gap = 8,
            table.map(trip.messages, function(said, place)
                return row{ width = "fill", across = "end",
                    key = "m" .. place,
                    text{ said, id = "sent_message", radius = 16,
                        padding = 12, background = "primary_container",
                        ink = "on_primary_container" } }
            end) },
        row{ width = "fill", down = "center", padding = 8, gap = 4,
            field{ text = state.typed_message, hint = words.message,
                weight = 1, id = "message_input",
                on_change = "message_typed" },
            icon_button{ icon = "send", id = "send", ink = "primary",
                description = words.send, on_click = { "send", number } } } }
end

-- ---- the app ----

return {
    package = "org.proctor.stays",
    name = { en = "Stays", zh = "民宿" },
    hue = 12,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { cities = cities, listings = listings, found = found,
              no_filters = no_filters, no_plan = no_plan, bill = bill,
              reviews = reviews_of, first_trips = first_trips,
              first_saved = first_saved },
    on_back = function(state)
        if current() == "main" and state.tab ~= "explore" then
            state.tab = "explore"
            return true
        end
        return false
    end,
}
