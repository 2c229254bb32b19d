-- When the tasks in the shop are done.
local shop = use("shop")

local truths = {}
local package = "org.proctor.shop"

-- Matching products, the best first.
local function best(fits, before)
    return table.sort(table.filter(shop.products, fits), before)
end

local function ids(list)
    return table.map(list, function(one) return one.id end)
end

-- The search whose results a product was opened from, ignoring filters; nil if
-- it was opened from elsewhere.
local function searched(app)
    return on_screen(app, "results") and app.state.query ~= "" and
           ids(shop.found(app.state, shop.no_filters())) or {}
end

local function same(some, others)
    return #some == #others and #table.filter(some, function(one)
        return table.index(others, one)
    end) == #some
end

-- ---- the cheapest headphones, by sorting ----

local function headphones_by_price()
    return best(function(one) return shop.matches(one, "headphones") end,
                function(a, b) return a.price < b.price end)
end

-- Does the app list all of them, and nothing else?
local function lists_headphones(app)
    return same(searched(app), ids(once(headphones_by_price)))
end

truths.cheapest = {
    facts = function()
        local product, other = table.unpack(once(headphones_by_price))
        return { id = product.id, name = t(product.name), other = other.id,
                 query = t{ en = "headphones", zh = "耳机" } }
    end,
    clauses = function(fact)
        local opened = last("shop.open *")
        local was = opened and before(opened)
        return {
            { "searched", was and once(lists_headphones, was) },
            { "sorted", was and was.state.sort == "price_asc" },
            { "opened", front == package and
              on_screen(in_the_end("shop"), "product", fact.id) },
        }
    end,
}

-- ---- the bestseller with free shipping ----

local function sold_most(category, free)
    return best(function(one)
        return one.category == category and (one.free or not free)
    end, function(a, b) return a.sold > b.sold end)
end

-- A category in which the filter changes the result, if there is one.
local function choosy_category()
    local chosen
    for _, category in ipairs(shop.kinds) do
        local free = sold_most(category.id, true)
        if #free > 1 then
            chosen = chosen or category
            if free[1] ~= sold_most(category.id, false)[1] then
                return category
            end
        end
    end
    return chosen
end

truths.bestseller = {
    facts = function()
        local category = choosy_category()
        local product, other = table.unpack(sold_most(category.id, true))
        return { id = product.id, name = t(product.name), other = other.id,
                 category = t(category.name), category_id = category.id }
    end,
    clauses = function(fact)
        local saved = last("shop.favorite " .. fact.id) or
                      last("shop.favorite *")
        local opened = last("shop.open " .. (saved and saved.args[1] or "*"),
                            nil, saved)
        local was = opened and before(opened)
        local state = was and on_screen(was, "results") and was.state
        local ended = ended("shop")
        return {
            { "category", state and state.category == fact.category_id },
            { "free_shipping_only", state and state.filters.free },
            { "sorted_by_sales", state and state.sort == "sold" },
            { "saved", ended and table.index(ended.favorites, fact.id) },
            { "nothing_else_saved", not ended or #ended.favorites < 2 },
        }
    end,
}

-- ---- two of one colour in the cart ----

truths.cart = {
    facts = function()
        local product, other = table.unpack(random("cart task").shuffle(
            table.filter(shop.products, function(one)
                return #one.sizes == 0
            end)))
        local color = product.colors[2]
        return { id = product.id, name = t(product.name), other = other.id,
                 other_name = t(other.name), color = t(color.name),
                 color_id = color.id, other_color = product.colors[1].id }
    end,
    clauses = function(fact)
        local state = ended("shop")
        local line = state and table.filter(state.cart, function(one)
            return one.product == fact.id
        end)[1]
        return {
            { "in_the_cart", line },
            { "colour", line and line.color == fact.color_id },
            { "two_of_it", line and line.count == 2 },
            { "nothing_else", state and #state.cart == 1 },
            { "cart_shown", front == package and state.tab == "cart" and
              on_screen(in_the_end("shop"), "main") },
            { "nothing_ordered", not happened("shop.ordered *") },
        }
    end,
}

-- ---- an order ----

truths.order = {
    facts = function()
        local product, other = table.unpack(random("order task").shuffle(
            table.filter(shop.products, function(one)
                return one.category == "clothes"
            end)))
        return { id = product.id, name = t(product.name), size = "L",
                 total = money(product.price + shop.shipping.express),
                 other = other.id, other_name = t(other.name) }
    end,
    clauses = function(fact)
        local ordered = all("shop.ordered *")
        local state = #ordered > 0 and before(ordered[#ordered]).state or
                      ended("shop") or { cart = {}, order = {} }
        local bought = table.filter(state.cart, function(line)
            return line.checked
        end)
        local line = bought[1] or {}
        return {
            { "ordered_once", #ordered == 1 },
            { "one_of_it", #bought == 1 and line.product == fact.id and
                           line.count == 1 },
            { "size", line.size == fact.size },
            { "express", state.order.delivery == "express" },
            { "cash", state.order.payment == "cash" },
        }
    end,
}

-- ---- the worst review ----

-- A product with exactly one worst review.
local function most_blamed()
    for _, product in ipairs(random("review task").shuffle(shop.products)) do
        local reviews = shop.reviews(product, "lowest")
        if reviews[1].stars < reviews[2].stars and
           reviews[1].who.en ~= reviews[#reviews].who.en then
            return product, reviews[1]
        end
    end
end

truths.review = {
    facts = function()
        local product, review = most_blamed()
        local other = shop.products[product.id % #shop.products + 1]
        local reviews = shop.reviews(product, "lowest")
        return { id = product.id, name = t(product.name),
                 who = t(review.who), other = other.id,
                 other_name = t(other.name),
                 wrong = t(reviews[#reviews].who) }
    end,
    -- The last list of reviews that was shown counts.
    clauses = function(fact, answer)
        local its, lowest = false, false
        for _, event in ipairs(all("shop.*")) do
            local app = afterwards(event)
            local here = on_screen(app, "reviews", fact.id)
            its = its or here
            if here or on_screen(app, "reviews") and not its then
                lowest = app.state.review_sort == "lowest"
            end
        end
        return {
            { "its_reviews", its },
            { "lowest_first", lowest },
            { "answered", says(answer, fact.who) },
        }
    end,
}

return truths
