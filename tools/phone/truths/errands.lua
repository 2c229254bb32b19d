-- When the tasks that use two apps are done.
local shop, eats = use("shop"), use("eats")

local truths = {}

-- ---- a price, shared ----

-- Its price has four digits, and divides into whole cents.
local function shared_product()
    for _, product in ipairs(random("share task").shuffle(shop.products)) do
        for people = 3, 8 do
            if product.price % people == 0 and product.price < 10000 and
               product.price % 10 > 0 then
                return product, people
            end
        end
    end
end

truths.share = {
    facts = function()
        local product, people = shared_product()
        local price = product.price
        local other = shop.products[product.id % #shop.products + 1]
        return { id = product.id, name = t(product.name), people = people,
                 price = decimal(price), part = decimal(price // people),
                 p1 = price // 1000, p2 = price // 100 % 10,
                 p3 = price // 10 % 10, p4 = price % 10,
                 other = other.id, other_name = t(other.name),
                 more_people = people + 1 }
    end,
    clauses = function(fact, answer)
        return {
            { "looked_up", happened("shop.open " .. fact.id) },
            { "worked_out", happened("calculator.result " .. fact.part) },
            { "answered", number_in(answer) == tonumber(fact.part) },
        }
    end,
}

-- ---- a timer as long as a delivery ----

-- A cuisine with exactly one fastest restaurant that delivers.
local function quick_cuisine()
    for _, cuisine in ipairs(random("delivery task").shuffle(eats.cuisines)) do
        local some = eats.found({ filters = eats.no_filters(),
                                  sort = "fastest" }, "", cuisine.id)
        if some[1].takeout and some[1].minutes < some[2].minutes then
            return cuisine, some[1]
        end
    end
end

-- Were all restaurants of the cuisine listed, and no others?
local function lists(app, cuisine)
    local _, query, tile = table.unpack(app.stack[#app.stack])
    local some = eats.found(app.state, query or "", tile or "")
    return #some == 3 and #table.filter(some, function(one)
        return one.cuisine.id == cuisine
    end) == 3
end

truths.delivery = {
    facts = function()
        local cuisine, restaurant = quick_cuisine()
        local other = table.filter(eats.cuisines, function(one)
            return one.id ~= cuisine.id
        end)[1]
        local minutes = restaurant.minutes
        return { cuisine = t(cuisine.name), cuisine_id = cuisine.id,
                 id = restaurant.id, name = t(restaurant.name),
                 minutes = minutes, m1 = minutes // 10, m2 = minutes % 10,
                 other = other.id, other_digit = (minutes + 1) % 10 }
    end,
    clauses = function(fact)
        local set = last("clock.timer_set *")
        local looked, sorted = false, false
        for _, event in ipairs(all("eats.*", nil, set)) do
            local app = afterwards(event)
            local list = on_screen(app, "results") or on_screen(app, "main")
            local its = list and lists(app, fact.cuisine_id)
            looked = looked or its
            if its or list and not looked then
                sorted = app.state.sort == "fastest"
            end
        end
        local clock = in_the_end("clock")
        local timer = clock and clock.state.timers[1]
        return {
            { "cuisine", looked },
            { "fastest_first", sorted },
            { "timer", timer and timer.length == fact.minutes * 60 },
            { "running", timer and timer.running },
        }
    end,
}

return truths
