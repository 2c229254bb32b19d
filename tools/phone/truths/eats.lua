-- What it means to have done the tasks in the app of restaurants.
local eats = use("eats")

local truths = {}

local function final()
    local app = in_the_end("eats")
    return app and app.state
end

local function ids(list)
    return table.map(list, function(one) return one.id end)
end

local function filtered(name)
    local filters = eats.no_filters()
    filters[name] = true
    return filters
end

-- ---- the nearest that is open ----

local function nearest_open()
    return eats.found({ filters = filtered("open_now"), sort = "distance" },
                      "", "")[1]
end

truths.nearest = {
    facts = function()
        local restaurant = nearest_open()
        return { id = restaurant.id, name = t(restaurant.name) }
    end,
    clauses = function(fact)
        local saved = last("eats.save *")
        local opened = last("eats.open *", nil, saved)
        local was = opened and before(opened)
        local state = was and (on_screen(was, "main") or
                               on_screen(was, "results")) and was.state
        local ended = final()
        local right = opened and at(opened, nearest_open).id or fact.id
        return {
            { "open now", state and state.filters.open_now },
            { "by distance", state and state.sort == "distance" },
            { "saved", ended and #ended.saved == 1 and
              ended.saved[1] == right },
        }
    end,
}

-- ---- an order to be picked up ----

-- One that is open, and stays so for a while.
local function open_for_takeout(name)
    local open = eats.found({ filters = filtered("open_now"),
                              sort = "recommended" }, "", "")
    return random(name).pick(table.filter(open, function(one)
        return one.takeout and one.cuisine.id ~= "tea"
    end))
end

truths.order = {
    facts = function()
        local restaurant = open_for_takeout("order task")
        local dish = random("dish").pick(table.filter(restaurant.menu,
            function(one) return not one.drink end))
        return { id = restaurant.id, name = t(restaurant.name),
                 dish = t(dish.name), dish_id = dish.id }
    end,
    clauses = function(fact)
        local ordered = all("eats.ordered *")
        local state = #ordered > 0 and before(ordered[#ordered]).state or
                      final() or { order = { lines = {} } }
        local order = state.order
        local line = order.lines[1] or {}
        return {
            { "ordered once", #ordered == 1 },
            { "one of the dish", order.restaurant == fact.id and
              #order.lines == 1 and line.dish == fact.dish_id and
              line.count == 1 },
            { "large", line.size == "large" },
            { "picked up", order.way == "pickup" },
        }
    end,
}

-- ---- the newest review ----

local function is_reviewed(restaurant)
    local newest = eats.reviews(restaurant, "newest")[1]
    local top = eats.reviews(restaurant, "helpful")[1]
    return newest.helpful ~= top.helpful and newest.helpful > 5
end

truths.review = {
    facts = function()
        local restaurant = random("review task").pick(
            table.filter(eats.restaurants, is_reviewed))
        return { id = restaurant.id, name = t(restaurant.name),
                 helpful = eats.reviews(restaurant, "newest")[1].helpful }
    end,
    clauses = function(fact, answer)
        local opened = last("eats.open *")
        local state = opened and opened.args[1] == fact.id and final()
        return {
            { "its reviews", state and state.section == "reviews" },
            { "newest first", final() and final().reviews == "newest" },
            { "answered", number_in(answer) == fact.helpful },
        }
    end,
}

return truths
