-- When the tasks in the shop on orders, returns and coupons are done.
local shop = use("shop")

local truths = {}

local function final()
    local app = in_the_end("shop")
    return app and app.state or { orders = {}, cart = {}, favorites = {},
                                  waiting = {} }
end

local function product_of(line)
    return shop.products[line.product]
end

-- Lines of past orders that fit, each with its order and its place in it.
local function past_lines(name, fits)
    local list = {}
    for _, order in ipairs(shop.orders) do
        for place, line in ipairs(order.lines) do
            if fits(order, line) then
                table.insert(list, { order = order, line = line,
                                     place = place })
            end
        end
    end
    return random(name).shuffle(list)
end

local function is_of(status)
    return function(order)
        return order.status == status
    end
end

local function returnable(order)
    return order.status == "delivered" and
           dates.today() - order.arrives <= 28
end

-- The first of a list, and the first that is of another order.
local function one_and_other(list)
    return list[1], table.filter(list, function(one)
        return one.order ~= list[1].order
    end)[1]
end

-- What instructions and gold need of what was bought, and of something else.
local function line_facts(list, more)
    local one, other = one_and_other(list)
    local facts = more or {}
    facts.name, facts.id = t(product_of(one.line).name), one.line.product
    facts.number, facts.place = one.order.number, one.place
    facts.wrong_number, facts.wrong_place = other.order.number, other.place
    return facts
end

local function order_number(number)
    for _, order in ipairs(final().orders) do
        if order.number == number then
            return order
        end
    end
end

-- ---- returns ----

-- The only return, and what was said of it.
local function only_return()
    local some = all("shop.returned *")
    return #some == 1 and some[1].args or {}
end

-- Paid by card, so that the wallet is another way.
local function return_lines()
    return table.join(past_lines("return task", function(order)
        return returnable(order) and order.payment == "card"
    end), past_lines("return task", returnable))
end

truths.refund = {
    facts = function()
        return line_facts(once(return_lines))
    end,
    clauses = function(fact)
        local sent = only_return()
        return {
            { "item", sent[1] == fact.number and sent[2] == fact.id },
            { "reason", sent[3] == "too_small" },
            { "to_wallet", sent[4] == "wallet" },
        }
    end,
}

local function code_of(one)
    return shop.return_code(one.order.number, one.place)
end

local function broken_lines()
    return past_lines("broken task", returnable)
end

truths.code = {
    facts = function()
        local list = once(broken_lines)
        local one, other = one_and_other(list)
        return line_facts(list, { code = code_of(one),
                                  wrong = code_of(other) })
    end,
    clauses = function(fact, answer)
        local sent = only_return()
        return {
            { "item", sent[1] == fact.number and sent[2] == fact.id },
            { "reason", sent[3] == "damaged" },
            { "answered", number_in(answer) == tonumber(fact.code) },
        }
    end,
}

-- ---- a review of one's own ----

local function rated_lines()
    return past_lines("rate task", is_of("delivered"))
end

truths.rate = {
    facts = function()
        local r = random("rate words")
        return line_facts(once(rated_lines), {
            stars = r.int(2, 4),
            text = t(r.pick{
                { en = "Lighter than expected", zh = "比想象中轻" },
                { en = "The colour has faded a little", zh = "颜色有点褪了" },
                { en = "Fine for the price", zh = "这个价格还不错" } }) })
    end,
    clauses = function(fact)
        local some = all("shop.rated *")
        local said = #some == 1 and some[1].args or {}
        return {
            { "item", said[1] == fact.id },
            { "stars", said[2] == fact.stars },
            { "words", said[3] and said[3]:trim() == fact.text },
        }
    end,
}

-- ---- what was paid, and when it comes ----

-- Was the order of that number read, with what is folded there?
local function read(number, part)
    for _, event in ipairs(all("shop.*")) do
        local app = afterwards(event)
        if on_screen(app, "order", number) and
           (not part or app.state.unfolded[part]) then
            return true
        end
    end
    return false
end

local function paid_lines()
    return past_lines("paid task", function(order, line)
        return order.status == "delivered" and line.count == 1 and
               line.price ~= order.total
    end)
end

truths.paid = {
    facts = function()
        local list = once(paid_lines)
        local line = list[1].line
        return line_facts(list, { paid = decimal(line.price),
                                  paid_money = money(line.price),
                                  now = decimal(product_of(line).price),
                                  total = decimal(list[1].order.total) })
    end,
    clauses = function(fact, answer)
        return {
            { "order_read", read(fact.number) },
            { "answered", number_in(answer) == tonumber(fact.paid) },
        }
    end,
}

local function coming_lines()
    return table.join(past_lines("tracking task", is_of("shipped")),
                      past_lines("tracking task", is_of("packing")))
end

truths.tracking = {
    facts = function()
        local list = once(coming_lines)
        local order = list[1].order
        return line_facts(list, { day = dates.short(order.arrives),
                                  day_text = dates.medium(order.arrives),
                                  ordered = dates.short(order.day) })
    end,
    clauses = function(fact, answer)
        return {
            { "parcel_tracked", read(fact.number, "tracking") },
            { "answered", says(answer, fact.day) },
        }
    end,
}

-- ---- orders that are called off, and repeated ----

truths.cancel = {
    facts = function()
        return line_facts(table.join(
            past_lines("cancel task", is_of("packing")),
            past_lines("cancel task", is_of("shipped"))))
    end,
    clauses = function(fact)
        local order = order_number(fact.number)
        return {
            { "cancelled", order and order.status == "cancelled" },
            { "nothing_ordered", not happened("shop.ordered *") },
        }
    end,
}

-- Best of an order with several products, so that buying all of it again is
-- wrong, and not of the colour that is chosen at first.
local function repeated_lines()
    local function without_sizes(order, line)
        return order.status == "delivered" and #product_of(line).sizes == 0
    end
    local function other_colour(order, line)
        return without_sizes(order, line) and line.count == 1 and
               line.color ~= product_of(line).colors[1].id
    end
    local list = past_lines("again task", other_colour)
    local several = table.filter(list, function(one)
        return #one.order.lines > 1
    end)
    return table.join(several, list, past_lines("again task", without_sizes),
                      past_lines("again task", is_of("delivered")))
end

-- The last order, its first line, and whether only one of it was ordered.
local function ordered()
    local some = all("shop.ordered *")
    local order = #some > 0 and
                  afterwards(some[#some]).state.orders[1] or { lines = {} }
    local line = order.lines[1] or {}
    return order, line, #some == 1 and #order.lines == 1 and line.count == 1
end

truths.again = {
    facts = function()
        local list = once(repeated_lines)
        local line, product = list[1].line, product_of(list[1].line)
        return line_facts(list, {
            color = line.color, color_name = t(shop.color(line.color).name),
            other_color = product.colors[1].id,
            total = money(product.price + shop.shipping.pickup) })
    end,
    clauses = function(fact)
        local order, line, one = ordered()
        return {
            { "one_of_it", one and line.product == fact.id },
            { "as_before", line.color == fact.color },
            { "order_read", read(fact.number) },
            { "picked_up", order.delivery == "pickup" },
        }
    end,
}

-- ---- coupons ----

-- Something to buy, and the coupon that saves most on it.
local function bargain()
    local best = shop.coupons[3]
    local fitting = random("coupon task").shuffle(table.filter(shop.products,
        function(one)
            return one.category == best.category and one.price < 25000
        end))
    return fitting[1], best, fitting[2]
end

truths.coupon = {
    facts = function()
        local product, best, other = bargain()
        local off = product.price * best.percent // 100
        local fee = product.free and 0 or shop.shipping.standard
        return { id = product.id, name = t(product.name), coupon = best.id,
                 off = "−" .. money(off), worse = shop.coupons[5].id,
                 least = shop.coupons[1].id, other = other.id,
                 other_name = t(other.name),
                 total = money(product.price - off + fee) }
    end,
    clauses = function(fact)
        local order, line, one = ordered()
        local _, best = bargain()
        local sum = order.off and order.total - order.fee + order.off
        return {
            { "one_of_it", one and line.product == fact.id },
            { "most_saved", sum and order.off == sum * best.percent // 100 },
            { "cash", order.payment == "cash" },
        }
    end,
}

-- ---- the longest warranty ----

local function same_kind()
    local kind = random("warranty task").pick(shop.products).kind
    return table.sort(table.filter(shop.products, function(one)
        return one.kind == kind
    end), function(a, b) return a.warranty > b.warranty end)
end

local function months(product)
    return string.format(t{ en = "%d months", zh = "%d 个月" },
                         product.warranty)
end

local function kind_name(id)
    for _, category in ipairs(shop.kinds) do
        for _, kind in ipairs(category) do
            if kind.en == id then
                return t(kind)
            end
        end
    end
end

truths.warranty = {
    facts = function()
        local a, b, c = table.unpack(once(same_kind))
        return { kind = kind_name(a.kind), id = a.id, name = t(a.name),
                 second = b.id, second_name = t(b.name), third = c.id,
                 third_name = t(c.name),
                 months = months(a), second_months = months(b),
                 third_months = months(c) }
    end,
    clauses = function(fact)
        local seen = {}
        for _, event in ipairs(all("shop.*")) do
            local app = afterwards(event)
            if app and on_screen(app, "product") and
               app.state.unfolded.specifications then
                seen[app.stack[#app.stack][2]] = true
            end
        end
        local state = final()
        return {
            { "all_compared", seen[fact.id] and seen[fact.second] and
              seen[fact.third] },
            { "saved", table.has(state.favorites, fact.id) },
            { "nothing_else", #state.favorites < 2 },
        }
    end,
}

-- ---- the best that the money buys ----

-- A category, and an amount that buys one of its best products no more, but
-- some others of which one is the best.
local function budget()
    for _, category in ipairs(random("budget task").shuffle(shop.kinds)) do
        local some = table.sort(table.filter(shop.products, function(one)
            return one.category == category.id
        end), function(a, b) return a.rating > b.rating end)
        for _, dearest in ipairs(category.sizes and {} or some) do
            local limit = (dearest.price // 500 + 1) * 500
            local best, second = table.unpack(table.filter(some,
                function(one) return one.price <= limit end))
            local dear = table.filter(some, function(one)
                return one.price > limit and one.rating >= best.rating
            end)[1]
            if dear and second and best.rating > second.rating then
                return category, limit, best, second, dear
            end
        end
    end
    error("no budget fits")
end

truths.budget = {
    facts = function()
        local category, limit, best, second, dear = budget()
        return { category = t(category.name), category_id = category.id,
                 limit = limit // 100, limit_money = money(limit),
                 id = best.id, name = t(best.name), second = second.id,
                 second_name = t(second.name), dear = dear.id,
                 dear_name = t(dear.name) }
    end,
    clauses = function(fact)
        local state = final()
        local line = state.cart[1] or {}
        return {
            { "best_affordable", line.product == fact.id },
            { "one_of_it", #state.cart == 1 and line.count == 1 },
            { "nothing_ordered", not happened("shop.ordered *") },
        }
    end,
}

-- ---- what is sold out ----

local function missed()
    return random("alert task").shuffle(table.filter(shop.products,
        function(one)
            return one.sold_out ~= ""
        end))
end

truths.alert = {
    facts = function()
        local one, other = table.unpack(once(missed))
        return { id = one.id, name = t(one.name), size = one.sold_out,
                 other = other.id, other_name = t(other.name),
                 other_size = other.sold_out }
    end,
    clauses = function(fact)
        local some = final().waiting
        return {
            { "registered", #table.filter(some, function(one)
                return one.product == fact.id and one.size == fact.size
            end) > 0 },
            { "nothing_else", #some < 2 },
        }
    end,
}

return truths
