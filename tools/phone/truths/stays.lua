-- When the tasks in Stays are done.
local stays = use("stays")

local truths = {}

-- A plan for a city, with dates on which enough places are free.
local function make_plan(name, guests, fits)
    local r, today = random(name), dates.today()
    for _ = 1, 60 do
        local plan = stays.no_plan()
        plan.city = r.pick(stays.cities).id
        plan.from = today + r.int(4, 26)
        plan.to = plan.from + r.int(2, 5)
        for key, value in pairs(guests) do
            plan[key] = value
        end
        if fits(plan) then
            return plan
        end
    end
    error("no plan fits " .. name)
end

local function city_name(id)
    for _, city in ipairs(stays.cities) do
        if city.id == id then
            return t(city.name)
        end
    end
end

-- What an instruction and gold need to know of a plan.
local function plan_facts(plan)
    return { city = city_name(plan.city), city_id = plan.city,
             from = plan.from, to = plan.to, from_text = dates.long(plan.from),
             to_text = dates.long(plan.to), from_short =
             dates.short(plan.from), to_short = dates.short(plan.to),
             nights = plan.to - plan.from, later = plan.to + 1,
             adults = plan.adults, children = plan.children,
             pets = plan.pets }
end

local function other_city(id)
    return table.filter(stays.cities, function(city)
        return city.id ~= id
    end)[1].id
end

local function filters_with(amenities, bedrooms)
    local filters = stays.no_filters()
    filters.amenities, filters.bedrooms = amenities, bedrooms or 0
    return filters
end

-- Is it a list in that order?
local function listed_by(app, order)
    return on_screen(app, "results") and app.state.sort == order
end

-- The state of the search from which a listing was opened or saved.
local function search_before(event)
    local app = event and before(event)
    if app and on_screen(app, "listing") then
        local opened = last("stays.open " .. event.args[1], nil, event)
        app = opened and before(opened)
    end
    return app and on_screen(app, "results") and app or nil
end

local function new_saved(state)
    local old = once(stays.first_saved)
    return table.filter(state and state.saved or {}, function(id)
        return not table.has(old, id)
    end)
end

local function last_saving(id)
    return last("stays.save " .. id) or last("stays.save *")
end

local function is_new(listing)
    return not table.has(once(stays.first_saved), listing.id)
end

-- ---- the cheapest ----

local function cheapest_of(plan)
    return stays.found(plan, stays.no_filters(), "price_low")
end

local function cheapest_plan()
    return make_plan("cheapest task", { adults = 3 }, function(plan)
        local some = cheapest_of(plan)
        local any = stays.no_plan()
        any.city = plan.city
        return #some > 2 and is_new(some[1]) and is_new(some[2]) and
               cheapest_of(any)[1] ~= some[1]
    end)
end

truths.cheapest = {
    facts = function()
        local plan = once(cheapest_plan)
        local some = cheapest_of(plan)
        local fact = plan_facts(plan)
        fact.id, fact.name, fact.other = some[1].id, t(some[1].name),
                                         some[2].id
        fact.other_city = other_city(plan.city)
        return fact
    end,
    clauses = function(fact)
        local app = search_before(last_saving(fact.id))
        local plan = app and app.state.plan or {}
        local saved = new_saved(ended("stays"))
        return {
            { "dates", plan.from == fact.from and plan.to == fact.to },
            { "guests", plan.adults == 3 and plan.children == 0 },
            { "by_price", app and listed_by(app, "price_low") },
            { "saved", table.index(saved, fact.id) },
            { "nothing_else", #saved < 2 },
        }
    end,
}

-- ---- with a pool, the best rated ----

local function pool_choice(plan)
    return stays.found(plan, filters_with({ "pool" }, 2), "rating")
end

local function pool_plan()
    return make_plan("pool task", {}, function(plan)
        plan.from, plan.to = 0, 0
        local some = pool_choice(plan)
        local all = stays.found(plan, stays.no_filters(), "rating")
        return #some > 1 and is_new(some[1]) and is_new(some[2]) and
               all[1] ~= some[1]
    end)
end

truths.pool = {
    facts = function()
        local plan = once(pool_plan)
        local some = pool_choice(plan)
        return { city = city_name(plan.city), city_id = plan.city,
                 id = some[1].id, name = t(some[1].name), other = some[2].id }
    end,
    clauses = function(fact)
        local app = search_before(last_saving(fact.id))
        local filters = app and app.state.filters or stays.no_filters()
        local saved = new_saved(ended("stays"))
        return {
            { "pool", table.index(filters.amenities, "pool") },
            { "bedrooms", filters.bedrooms == 2 },
            { "by_rating", app and listed_by(app, "rating") },
            { "saved", table.index(saved, fact.id) },
            { "nothing_else", #saved < 2 },
        }
    end,
}

-- ---- with a dog, near the centre ----

local function dog_choice(plan)
    return stays.found(plan, filters_with({ "pets" }), "distance")
end

local function dog_plan()
    return make_plan("dog task", {}, function(plan)
        plan.from, plan.to = 0, 0
        local some = dog_choice(plan)
        local all = stays.found(plan, stays.no_filters(), "distance")
        return #some > 1 and all[1] ~= some[1]
    end)
end

truths.dog = {
    facts = function()
        local plan = once(dog_plan)
        local some = dog_choice(plan)
        return { city = city_name(plan.city), city_id = plan.city,
                 id = some[1].id, name = t(some[1].name),
                 host = t(some[1].host), other = some[2].id,
                 wrong = t(some[2].host) }
    end,
    clauses = function(fact, answer)
        local opened = last("stays.open " .. fact.id) or last("stays.open *")
        local app = search_before(opened)
        local state = app and app.state
        return {
            { "with_pets", state and (state.plan.pets > 0 or
              table.index(state.filters.amenities, "pets")) },
            { "by_distance", app and listed_by(app, "distance") },
            { "opened", happened("stays.open " .. fact.id) },
            { "answered", says(answer, fact.host) },
        }
    end,
}

-- ---- a booking ----

local function booking_plan()
    return make_plan("booking task", { adults = 2, children = 1 },
        function(plan)
            return #stays.found(plan, stays.no_filters(), "rating") > 1
        end)
end

truths.book = {
    facts = function()
        local plan = once(booking_plan)
        local some = stays.found(plan, stays.no_filters(), "rating")
        local fact = plan_facts(plan)
        fact.id, fact.name, fact.other = some[1].id, t(some[1].name),
                                         some[2].id
        fact.total = money(stays.bill(some[1], plan.from, plan.to).total)
        return fact
    end,
    clauses = function(fact)
        local state = ended("stays")
        local count = #all("stays.booked *")
        local trip = count > 0 and state.trips[1] or {}
        return {
            { "booked_once", count == 1 },
            { "the_place", trip.listing == fact.id },
            { "dates", trip.from == fact.from and trip.to == fact.to },
            { "guests", trip.adults == 2 and trip.children == 1 },
            { "on_arrival", trip.pay == "on_site" },
        }
    end,
}

-- ---- reviews ----

truths.worst = {
    facts = function()
        local r = random("review task")
        local listing, other = table.unpack(r.shuffle(stays.listings))
        local reviews = stays.reviews(listing, "lowest")
        local best = reviews[#reviews]
        return { id = listing.id, name = t(listing.name),
                 city = t(listing.city.name), city_id = listing.city.id,
                 who = t(reviews[1].who), wrong = t(best.who),
                 other = other.id, other_city = other.city.id }
    end,
    clauses = function(fact, answer)
        local its, lowest = false, false
        for _, event in ipairs(all("stays.*")) do
            local app = afterwards(event)
            local here = on_screen(app, "reviews", fact.id)
            its = its or here
            if here or on_screen(app, "reviews") and not its then
                lowest = app.state.reviews == "lowest"
            end
        end
        return {
            { "its_reviews", its },
            { "lowest_first", lowest },
            { "answered", says(answer, fact.who) },
        }
    end,
}

-- ---- what it costs ----

-- What is free on these dates, and also one night longer.
local function total_choice(plan)
    local longer = table.copy(plan)
    longer.to = plan.to + 1
    local free = stays.found(longer, stays.no_filters(), "rating")
    return table.filter(stays.found(plan, stays.no_filters(), "rating"),
        function(listing)
            return table.has(free, listing)
        end)
end

local function total_plan()
    return make_plan("total task", {}, function(plan)
        return #total_choice(plan) > 2
    end)
end

truths.total = {
    facts = function()
        local plan = once(total_plan)
        local listing = total_choice(plan)[3]
        local fact = plan_facts(plan)
        local owed = stays.bill(listing, plan.from, plan.to)
        fact.id, fact.name = listing.id, t(listing.name)
        fact.total, fact.wrong = decimal(owed.total), decimal(owed.stay)
        return fact
    end,
    clauses = function(fact, answer)
        local seen = false
        for _, event in ipairs(all("stays.*")) do
            local app = afterwards(event)
            local plan = app and app.state.plan or {}
            local total = on_screen(app, "booking", fact.id) or
                app and app.state.show_total and
                (on_screen(app, "results") or
                 on_screen(app, "listing", fact.id))
            seen = seen or total and plan.from == fact.from and
                   plan.to == fact.to
        end
        return {
            { "priced_for_the_dates", seen },
            { "answered", number_in(answer) == tonumber(fact.total) },
            { "nothing_booked", not happened("stays.booked *") },
        }
    end,
}

-- ---- nearer to the centre ----

truths.nearer = {
    facts = function()
        local r = random("nearer task")
        local city = r.pick(stays.cities)
        local some = r.shuffle(table.filter(stays.listings, function(one)
            return one.city == city
        end))
        local a, b = some[1], some[2]
        local near, far = a, b
        if b.metres < a.metres then
            near, far = b, a
        end
        return { city = t(city.name), city_id = city.id, a = a.id, b = b.id,
                 a_name = t(a.name), b_name = t(b.name), near = t(near.name),
                 far = t(far.name), near_id = near.id,
                 third = some[3].id }
    end,
    clauses = function(fact, answer)
        local listed = false
        for _, event in ipairs(all("stays.*")) do
            local app = afterwards(event)
            listed = listed or on_screen(app, "results") and
                     app.state.plan.city == fact.city_id and
                     not app.state.map
        end
        local both = happened("stays.open " .. fact.a) and
                     happened("stays.open " .. fact.b)
        return {
            { "compared", listed or both },
            { "answered", says(answer, fact.near) and
              not says(answer, fact.far) },
        }
    end,
}

-- ---- how many are left ----

local function safe_filters()
    local filters = stays.no_filters()
    filters.super, filters.free_cancel = true, true
    return filters
end

local function safe_plan()
    return make_plan("safe task", {}, function(plan)
        plan.from, plan.to = 0, 0
        local some = stays.found(plan, safe_filters(), "rating")
        return #some > 0 and #some < 7
    end)
end

truths.safe = {
    facts = function()
        local plan = once(safe_plan)
        local count = #stays.found(plan, safe_filters(), "rating")
        return { city = city_name(plan.city), city_id = plan.city,
                 count = count, more = count + 1,
                 other_city = other_city(plan.city) }
    end,
    -- The last filters while the city was chosen count.
    clauses = function(fact, answer)
        local filters = stays.no_filters()
        for _, event in ipairs(all("stays.*")) do
            local app = afterwards(event)
            if app and app.state.plan.city == fact.city_id then
                filters = app.state.filters
            end
        end
        return {
            { "superhosts", filters.super },
            { "free_cancellation", filters.free_cancel },
            { "answered", number_in(answer) == fact.count },
        }
    end,
}

-- ---- trips ----

local function trip_facts(number)
    local trips = stays.first_trips()
    local trip, other = trips[number], trips[3 - number]
    local listing = stays.listings[trip.listing]
    return { city = t(listing.city.name), number = number,
             other_number = 3 - number, id = listing.id,
             name = t(listing.name),
             other_name = t(stays.listings[other.listing].city.name),
             when = dates.short(trip.from) .. " – " .. dates.short(trip.to) },
           trip, listing
end

truths.cancel = {
    facts = function() return (trip_facts(1)) end,
    clauses = function()
        local state = ended("stays")
        return {
            { "cancelled", state and state.trips[1].cancelled },
            { "other_kept", not state or not state.trips[2].cancelled },
        }
    end,
}

truths.party = {
    facts = function() return (trip_facts(2)) end,
    clauses = function()
        local state = ended("stays")
        local trip = state and state.trips[2] or {}
        local other = state and state.trips[1] or {}
        return {
            { "four_adults", trip.adults == 4 },
            { "one_dog", trip.pets == 1 },
            { "no_children", not state or trip.children == 0 },
            { "other_kept", not state or other.adults == 2 and
              other.pets == 0 },
        }
    end,
}

truths.host = {
    facts = function()
        local fact = trip_facts(2)
        fact.text = t(random("host task").pick{
            { en = "We will arrive after ten at night",
              zh = "我们晚上十点以后到" },
            { en = "May we leave our bikes in the hall",
              zh = "自行车可以放在走廊吗" },
            { en = "Is there a baker nearby", zh = "附近有面包店吗" } })
        return fact
    end,
    clauses = function(fact)
        local state = ended("stays")
        local said = state and state.trips[2].messages or {}
        return {
            { "written", #said == 1 and says(said[1], fact.text) },
            { "to_no_other", not state or #state.trips[1].messages == 0 },
        }
    end,
}

truths.arrival = {
    facts = function()
        local fact, _, listing = trip_facts(1)
        fact.time = dates.time(listing.check_in)
        fact.wrong = dates.time(listing.check_out)
        fact.hour = tostring(listing.check_in // 60)
        return fact
    end,
    clauses = function(fact, answer)
        return {
            { "looked_up", happened("stays.open " .. fact.id) },
            { "answered", says(answer, fact.time) },
        }
    end,
}

-- ---- the wishlist and the profile ----

truths.wishlist = {
    facts = function()
        local saved = stays.first_saved()
        local city = stays.listings[saved[1]].city
        return { city = t(city.name), id1 = saved[1], id2 = saved[2],
                 kept = saved[3], name1 = t(stays.listings[saved[1]].name),
                 name2 = t(stays.listings[saved[2]].name),
                 kept_name = t(stays.listings[saved[3]].name),
                 kept_name2 = t(stays.listings[saved[4]].name) }
    end,
    clauses = function(fact)
        local state, old = ended("stays"), once(stays.first_saved)
        local saved = state and state.saved or old
        return {
            { "both_removed", not table.has(saved, fact.id1) and
              not table.has(saved, fact.id2) },
            { "others_kept", table.index(saved, old[3]) and
              table.index(saved, old[4]) and #saved < 5 },
        }
    end,
}

truths.prices = {
    clauses = function()
        local state = ended("stays")
        return {
            { "total_prices", state and state.show_total },
            { "offers_kept", not state or state.notices },
        }
    end,
}

return truths
