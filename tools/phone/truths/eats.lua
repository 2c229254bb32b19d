-- When the tasks in the restaurant app are done.
local eats = use("eats")

local truths = {}

local function ids(list)
    return table.map(list, function(one) return one.id end)
end

local function filtered(name)
    local filters = eats.no_filters()
    filters[name] = true
    return filters
end

-- ---- the nearest open restaurant ----

local function nearest_open()
    return table.unpack(eats.found({ filters = filtered("open_now"),
                                     sort = "distance" }, "", ""), 1, 2)
end

truths.nearest = {
    facts = function()
        local restaurant, other = nearest_open()
        return { id = restaurant.id, name = t(restaurant.name),
                 other = other.id }
    end,
    clauses = function(fact)
        local saved = last("eats.save " .. fact.id) or last("eats.save *")
        local opened = last("eats.open " .. (saved and saved.args[1] or "*"),
                            nil, saved)
        local was = opened and before(opened)
        local state = was and (on_screen(was, "main") or
                               on_screen(was, "results")) and was.state
        local ended = ended("eats")
        local right = opened and at(opened, nearest_open).id or fact.id
        return {
            { "open_now", state and state.filters.open_now },
            { "by_distance", state and state.sort == "distance" },
            { "saved", ended and table.index(ended.saved, right) },
            { "nothing_else_saved", not ended or #ended.saved < 2 },
        }
    end,
}

-- ---- an order for pickup ----

-- A restaurant that is open, and stays so for a while.
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
        local dish, other = table.unpack(random("dish").shuffle(
            table.filter(restaurant.menu, function(one)
                return not one.drink
            end)))
        return { id = restaurant.id, name = t(restaurant.name),
                 dish = t(dish.name), dish_id = dish.id,
                 total = money(dish.price + eats.larger),
                 other_dish = other.id }
    end,
    clauses = function(fact)
        local ordered = all("eats.ordered *")
        local state = #ordered > 0 and before(ordered[#ordered]).state or
                      ended("eats") or { order = { lines = {} } }
        local order = state.order
        local line = order.lines[1] or {}
        return {
            { "ordered_once", #ordered == 1 },
            { "one_of_the_dish", order.restaurant == fact.id and
              #order.lines == 1 and line.dish == fact.dish_id and
              line.count == 1 },
            { "large", line.size == "large" },
            { "picked_up", order.way == "pickup" },
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
        local restaurant, other = table.unpack(random("review task").shuffle(
            table.filter(eats.restaurants, is_reviewed)))
        return { id = restaurant.id, name = t(restaurant.name),
                 helpful = eats.reviews(restaurant, "newest")[1].helpful,
                 other = other.id, other_name = t(other.name),
                 wrong = eats.reviews(restaurant, "helpful")[1].helpful }
    end,
    -- The last list of reviews that was shown counts.
    clauses = function(fact, answer)
        local its, newest = false, false
        for _, event in ipairs(all("eats.*")) do
            local app = afterwards(event)
            local reads = on_screen(app, "restaurant") and
                          app.state.section == "reviews"
            local here = reads and on_screen(app, "restaurant", fact.id)
            its = its or here
            if here or reads and not its then
                newest = app.state.reviews == "newest"
            end
        end
        return {
            { "its_reviews", its },
            { "newest_first", newest },
            { "answered", number_in(answer) == fact.helpful },
        }
    end,
}

return truths
