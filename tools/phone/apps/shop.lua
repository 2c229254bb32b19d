-- A shop: search, filters, products and their variants, a cart, coupons, orders
-- and returns.

local words = include("shop_words")
local catalog = include("shop_catalog")
local products, coupons = catalog.products, catalog.coupons
local kinds, grounds = catalog.kinds, catalog.grounds
local owner = content.person(random("owner"))
local street = content.address(random("owner", "street"))

-- ---- the state ----

local function no_filters()
    return { free = false, rating = 0, min = "", max = "", brands = {} }
end

-- Which coupons were collected, and which were used.
local function first_coupons()
    local had = { taken = {}, used = {} }
    for _, coupon in ipairs(coupons) do
        if coupon.taken then
            table.insert(had.taken, coupon.id)
        end
    end
    return had
end

local function first_state()
    return { tab = "home", shown = 12, query = "", typed = "", category = "",
             recent = {}, sort = "relevance", filters = no_filters(),
             choice = { color = "", size = "", count = 1 }, cart = {},
             next_line = 1, favorites = {}, orders = catalog.orders,
             order = { delivery = "standard", payment = "card", coupon = 0 },
             review_sort = "newest", unfolded = {}, order_filter = "all",
             waiting = {}, coupons = first_coupons(), coupons_shown = false,
             refund = {}, review = {} }
end

-- ---- searching ----

local search_texts = {} -- by product

local function search_text(product)
    search_texts[product] = search_texts[product] or
        (product.name.en .. " " .. product.name.zh .. " " ..
         product.category):lower()
    return search_texts[product]
end

local function matches(product, query)
    return market.finder(query)(search_text(product))
end

local function cents(text)
    local value = tonumber(text)
    return value and math.floor(value * 100 + 0.5)
end

local function filter_of(filters)
    local low, high = cents(filters.min), cents(filters.max)
    return function(product)
        return (not filters.free or product.free) and
               product.rating >= filters.rating and
               (not low or product.price >= low) and
               (not high or product.price <= high) and
               (#filters.brands == 0 or
                table.index(filters.brands, product.brand))
    end
end

local orders = {
    price_asc = function(a, b) return a.price < b.price end,
    price_desc = function(a, b) return a.price > b.price end,
    rating = function(a, b) return a.rating > b.rating end,
    sold = function(a, b) return a.sold > b.sold end,
}

local function search(state, filters)
    local has_words, passes = market.finder(state.query), filter_of(filters)
    local list = table.filter(products, function(product)
        return (state.category == "" or product.category == state.category) and
               has_words(search_text(product)) and passes(product)
    end)
    return orders[state.sort] and table.sort(list, orders[state.sort]) or list
end

local last_search = { key = "", list = {} }

-- The list is the same for the same search: not to be changed.
local function found(state, filters)
    local key = table.concat({ state.query, state.category, state.sort,
                               tostring(filters.free), filters.rating,
                               filters.min, filters.max,
                               table.concat(filters.brands, "\n") }, "\0")
    if last_search.key ~= key then
        last_search = { key = key, list = search(state, filters) }
    end
    return last_search.list
end

-- ---- handlers ----

local handlers = {}

-- The shop praises its coupons once, in the way of what was wanted.
function handlers.tab(state, name)
    state.tab = name
    if name == "account" and not state.coupons_shown then
        state.coupons_shown = true
        go("new_coupons")
    end
end

function handlers.more(state, left)
    if left >= 400 or state.shown >= #products then
        return false
    end
    state.shown = state.shown + 8
end

market.add_search_handlers(handlers)

local function begin_results(state)
    state.sort, state.filters, state.shown = "relevance", no_filters(), 12
end

function handlers.search(state, text)
    state.query, state.category = text:trim(), ""
    if state.query == "" then
        return
    end
    state.typed = state.query
    state.recent = market.remember(state.recent, state.query)
    begin_results(state)
    home("results")
end

function handlers.category(state, id)
    state.query, state.typed, state.category = "", "", id
    begin_results(state)
    go("results")
end

function handlers.sort(state, order)
    state.sort, state.shown = order, 12
    back()
end

function handlers.free(state, on) state.filters.free = on end
function handlers.rating(state, tenths) state.filters.rating = tenths end
function handlers.min_price(state, text) state.filters.min = text end
function handlers.max_price(state, text) state.filters.max = text end
function handlers.reset_filters(state) state.filters = no_filters() end

function handlers.brand(state, name, on)
    local brands = state.filters.brands
    if on then
        table.insert(brands, name)
    else
        table.remove(brands, table.index(brands, name))
    end
end

function handlers.open(state, id)
    state.choice = { color = products[id].colors[1].id, size = "", count = 1 }
    state.review_sort, state.unfolded = "newest", {}
    go("product", id)
end

function handlers.favorite(state, id)
    table.toggle(state.favorites, id)
end

function handlers.color(state, id) state.choice.color = id end
function handlers.size(state, size) state.choice.size = size end

function handlers.count(state, by)
    state.choice.count = math.min(math.max(state.choice.count + by, 1), 9)
end

local function put_into_cart(state, id, only)
    local choice = state.choice
    for _, line in ipairs(state.cart) do
        line.checked = line.checked and not only
        if line.product == id and line.color == choice.color and
           line.size == choice.size then
            line.count = math.min(line.count + choice.count, 99)
            line.checked = true
            return
        end
    end
    table.insert(state.cart, { id = state.next_line, product = id,
        color = choice.color, size = choice.size, count = choice.count,
        checked = true })
    state.next_line = state.next_line + 1
end

-- A product with sizes is added to the cart after one was chosen.
function handlers.add(state, id)
    if #products[id].sizes > 0 and state.choice.size == "" then
        go("variants", id)
        return
    end
    put_into_cart(state, id)
    event("added", id, state.choice.color, state.choice.size,
          state.choice.count)
    if current() == "variants" then
        back()
    end
    snack(words.added, words.view, "show_cart")
end

function handlers.buy(state, id)
    if #products[id].sizes > 0 and state.choice.size == "" then
        go("variants", id)
        return
    end
    put_into_cart(state, id, true)
    if current() == "variants" then
        back()
    end
    go("checkout")
end

function handlers.show_cart(state)
    state.tab = "cart"
    home()
end

local function find_line(state, id)
    return table.find(state.cart, id)
end

function handlers.line_count(state, id, by)
    local line = find_line(state, id)
    line.count = math.min(math.max(line.count + by, 1), 99)
end

function handlers.line_check(state, id, on)
    find_line(state, id).checked = on
end

function handlers.check_all(state, on)
    for _, line in ipairs(state.cart) do
        line.checked = on
    end
end

function handlers.remove(state, id)
    local _, place = find_line(state, id)
    table.remove(state.cart, place)
    snack(words.removed)
end

function handlers.delivery(state, way) state.order.delivery = way end
function handlers.payment(state, way) state.order.payment = way end
function handlers.review_sort(state, order) state.review_sort = order end

local shipping = { standard = 499, express = 1299, pickup = 0 }

-- What would be bought, each with its price.
local function chosen_lines(state)
    return table.map(table.filter(state.cart, function(line)
        return line.checked
    end), function(line)
        local product = products[line.product]
        return { product = line.product, color = line.color, size = line.size,
                 count = line.count, price = product.price,
                 cents = product.price * line.count }
    end)
end

local function usable(state, coupon)
    return table.index(state.coupons.taken, coupon.id) ~= nil and
           not table.index(state.coupons.used, coupon.id)
end

-- Cents that a coupon takes off what is in the cart.
local function savings(state, coupon)
    return usable(state, coupon) and
           catalog.discount_of(coupon, chosen_lines(state)) or 0
end

local function bill(state)
    local sum, count, free = 0, 0, true
    for _, line in ipairs(chosen_lines(state)) do
        sum, count = sum + line.cents, count + line.count
        free = free and products[line.product].free
    end
    local fee = shipping[state.order.delivery]
    if free and state.order.delivery == "standard" then
        fee = 0
    end
    local coupon = coupons[state.order.coupon]
    local off = coupon and savings(state, coupon) or 0
    return { sum = sum, count = count, fee = fee, off = off,
             total = sum + fee - off }
end

local function ordered_line(line)
    return { product = line.product, color = line.color, size = line.size,
             count = line.count, price = line.price, returned = "", stars = 0 }
end

function handlers.place(state)
    local r = random("order", #state.orders + 1)
    local paid = bill(state)
    local express = state.order.delivery == "express"
    local order = { number = tostring(r.int(10000000, 99999999)),
                    day = dates.today(), status = "packing",
                    arrives = dates.today() + (express and 1 or 4),
                    lines = table.map(chosen_lines(state), ordered_line),
                    delivery = state.order.delivery,
                    payment = state.order.payment, fee = paid.fee,
                    off = paid.off, total = paid.total, count = paid.count }
    table.insert(state.orders, 1, order)
    state.cart = table.filter(state.cart, function(line)
        return not line.checked
    end)
    if paid.off > 0 then
        table.insert(state.coupons.used, state.order.coupon)
    end
    state.order.coupon = 0
    event("ordered", order.number, order.total)
    home("placed")
end

function handlers.go_on(state)
    state.tab = "home"
    home()
end

function handlers.fold(state, part, open)
    state.unfolded[part] = open
end

function handlers.notify(state, id, size)
    table.insert(state.waiting, { product = id, size = size })
    back()
    snack(words.noted)
end

function handlers.stop_waiting(state, id, size)
    state.waiting = table.filter(state.waiting, function(one)
        return one.product ~= id or one.size ~= size
    end)
end

-- ---- coupons ----

function handlers.show_coupons()
    replace("coupons")
end

function handlers.collect(state, id)
    table.insert(state.coupons.taken, id)
    snack(words.taken)
end

function handlers.coupon(state, id)
    state.order.coupon = id
    back()
end

-- ---- orders ----

local function find_order(state, number)
    return table.find(state.orders, number, "number")
end

function handlers.orders_of(state, filter) state.order_filter = filter end

function handlers.order(state, number)
    state.unfolded = {}
    go("order", number)
end

function handlers.again(state, number)
    for _, line in ipairs(state.cart) do
        line.checked = false
    end
    for _, line in ipairs(find_order(state, number).lines) do
        state.choice = { color = line.color, size = line.size,
                         count = line.count }
        put_into_cart(state, line.product)
    end
    handlers.show_cart(state)
end

function handlers.cancel_order(state, number)
    find_order(state, number).status = "cancelled"
    back()
    snack(words.was_cancelled)
end

-- ---- returns and reviews ----

local function return_code(number, place)
    return tostring(random("return", number, place).int(100000, 999999))
end

function handlers.send_back(state, number, place)
    state.refund = { number = number, place = place, reason = "",
                     to = "original" }
    go("send_back")
end

function handlers.reason(state, name) state.refund.reason = name end
function handlers.refund_to(state, way) state.refund.to = way end

function handlers.request_return(state)
    local refund = state.refund
    local line = find_order(state, refund.number).lines[refund.place]
    line.returned = return_code(refund.number, refund.place)
    event("returned", refund.number, line.product, refund.reason, refund.to)
    replace("return_sent", refund.number, refund.place)
end

function handlers.rate(state, number, place)
    state.review = { number = number, place = place, stars = 0, text = "" }
    go("rate")
end

function handlers.stars(state, count) state.review.stars = count end
function handlers.review_text(state, text) state.review.text = text end

function handlers.publish(state)
    local review = state.review
    local line = find_order(state, review.number).lines[review.place]
    line.stars = review.stars
    event("rated", line.product, review.stars, review.text)
    back()
    snack(words.published)
end

-- ---- parts of the screens ----

local function picture(product, size, radius)
    return stack{ width = size, height = size == "fill" and 160 or size,
        radius = radius or 12, background = product.ground, across = "center",
        down = "center", id = "product_image",
        text{ product.emoji, text_size = size == "fill" and 64 or size * 0.5 } }
end

local function stars(product, with_votes)
    return row{ gap = 4, down = "center",
        rating{ value = product.rating / 10, text_size = 14 },
        text{ string.format("%.1f", product.rating / 10), id = "rating",
            style = "body_small", ink = "on_surface_variant" },
        with_votes and text{ "(" .. product.votes .. ")", id = "votes",
            style = "body_small", ink = "on_surface_variant" } or false }
end

local function prices(product, style)
    return row{ gap = 8, down = "center",
        text{ money(product.price), id = "price", style = style,
            ink = "primary" },
        product.was > 0 and text{ money(product.was), id = "old_price",
            style = "body_small", ink = "outline" } or false }
end

local function tile(product)
    return column{ id = "product_card", key = "p" .. product.id, gap = 4,
        width = "fill", padding = 8, radius = 16,
        background = "surface_container_low",
        on_click = { "open", product.id },
        picture(product, "fill"),
        text{ product.name, id = "product_name", lines = 2,
            style = "body_medium" },
        stars(product),
        prices(product, "title_medium"),
        product.free and text{ words.free, id = "shipping",
            style = "label_small", ink = "tertiary" } or false }
end

local function result_row(product)
    return row{ id = "result_item", key = "r" .. product.id, width = "fill",
        gap = 16, padding = 12, padding_left = 16, padding_right = 16,
        on_click = { "open", product.id },
        picture(product, 96),
        column{ weight = 1, gap = 4,
            text{ product.name, id = "product_name", lines = 2,
                style = "body_large" },
            stars(product, true),
            prices(product, "title_medium"),
            row{ gap = 8,
                product.free and text{ words.free, id = "shipping",
                    style = "label_medium", ink = "tertiary" } or false,
                text{ string.format(t(words.count_sold), product.sold),
                    style = "body_small", ink = "on_surface_variant" } } } }
end

-- An advertisement, which opens a web page.
local function banner(number)
    local r = random("banner", number)
    local brand, emoji = content.brand(r), r.pick{ "🚗", "📱", "🏖️", "🍕" }
    local off = r.int(2, 7) * 10
    return row{ id = "ad_banner", key = "ad" .. number, width = 300,
        height = 132, radius = 20, padding = 20, gap = 12, down = "center",
        background = grounds[number], on_click = { "go", "ad", number },
        column{ weight = 1, gap = 4,
            text{ words.ad, style = "label_small",
                ink = "on_surface_variant" },
            text{ { en = brand.en .. ": " .. off .. "% off",
                    zh = brand.zh .. "：" .. 10 - off // 10 .. " 折起" },
                style = "title_large", lines = 2 } },
        text{ emoji, text_size = 48 } }
end

local function search_box(state)
    return column{ width = "fill", padding_left = 16, padding_right = 16,
        padding_bottom = 8, padding_top = 8,
        search_bar{ id = "search_bar", on_click = "start_search",
            icon{ icon = "search" },
            text{ state.query ~= "" and state.query or words.search,
                weight = 1, lines = 1, ink = "on_surface_variant" },
            icon_button{ icon = "photo", description = words.scan,
                on_click = "start_search" } } }
end

-- ---- the tabs ----

local function home_tab(state)
    local shown = {}
    for i = 1, math.min(state.shown, #products) do
        shown[i] = tile(products[i])
    end
    return { search_box(state),
        list{ weight = 1, id = "home_list", gap = 12, padding_left = 16,
            padding_right = 16, padding_bottom = 16, on_scroll = "more",
            carousel{ id = "banners", height = 132, gap = 12,
                table.map({ 1, 2, 3 }, banner) },
            carousel{ id = "shortcuts", gap = 8, height = 32,
                table.map(shuffle_by_skin(kinds), function(category)
                    return chip{ category.name, id = "category_chip",
                        on_click = { "category", category.id } }
                end) },
            text{ words.for_you, style = "title_medium" },
            grid{ columns = 2, gap = 12, width = "fill", shown } } }
end

local function categories_tab(state)
    return { search_box(state),
        list{ weight = 1, id = "category_list",
            table.map(shuffle_by_skin(kinds), function(category)
                return item{ id = "category_item", key = category.id,
                    on_click = { "category", category.id },
                    text{ category.emoji, text_size = 32 },
                    text{ category.name, weight = 1, style = "body_large" },
                    icon{ icon = "right", ink = "on_surface_variant",
                        width = 24, height = 24 } }
            end) } }
end

local function find_color(id)
    return table.find(catalog.colors, id)
end

local function variant_text(line)
    local text = t(find_color(line.color).name)
    return line.size ~= "" and text .. " · " .. line.size or text
end

-- Variants of a line of the cart, or of a product to be added.
local function stepper(count, action, line)
    local function by(amount)
        local action = { action, line }
        table.insert(action, amount)
        return action
    end
    return market.stepper(words, { count = count, least = 1, fewer = by(-1),
                                   more = by(1) })
end

local function cart_line(line)
    local product = products[line.product]
    return row{ id = "cart_item", key = "line" .. line.id, width = "fill",
        gap = 12, padding = 12, down = "center",
        checkbox{ checked = line.checked, id = "item_check",
            description = product.name,
            on_change = { "line_check", line.id } },
        picture(product, 72),
        column{ weight = 1, gap = 4,
            text{ product.name, id = "product_name", lines = 2,
                style = "body_medium", on_click = { "open", product.id } },
            text{ variant_text(line), id = "variant", style = "body_small",
                ink = "on_surface_variant" },
            row{ width = "fill", down = "center", across = "spread",
                text{ money(product.price), id = "price",
                    style = "title_small", ink = "primary" },
                icon_button{ icon = "delete", id = "remove",
                    description = words.delete,
                    on_click = { "remove", line.id } } },
            stepper(line.count, "line_count", line.id) } }
end

local function cart_tab(state)
    local owed = bill(state)
    local all = true
    for _, line in ipairs(state.cart) do
        all = all and line.checked
    end
    if #state.cart == 0 then
        return { column{ width = "fill", weight = 1, across = "center",
            down = "center", gap = 16,
            text{ "🛒", text_size = 72 },
            text{ words.empty_cart, style = "title_medium" },
            button{ words.go_on, id = "continue", style = "tonal",
                on_click = "go_on" } } }
    end
    return {
        list{ weight = 1, id = "cart_list", table.map(state.cart, cart_line) },
        row{ id = "cart_bar", width = "fill", padding = 12, gap = 12,
            down = "center", background = "surface_container",
            checkbox{ words.select_all, checked = all, id = "select_all",
                on_change = "check_all" },
            column{ weight = 1, across = "end",
                text{ words.total, style = "label_medium",
                    ink = "on_surface_variant" },
                text{ money(owed.sum), id = "cart_total",
                    style = "title_large" } },
            button{ words.checkout, id = "checkout",
                disabled = owed.count == 0, on_click = { "go", "checkout" } } },
    }
end

local function account_tab(state)
    return { list{ weight = 1,
        item{ owner, detail = street, id = "profile", icon = "person" },
        divider{},
        shuffle_by_skin{
            item{ words.orders, icon = "bag", id = "orders",
                detail = tostring(#state.orders),
                on_click = { "go", "orders" } },
            item{ words.coupons, icon = "ticket", id = "coupons",
                detail = tostring(#table.filter(coupons, function(coupon)
                    return usable(state, coupon)
                end)),
                on_click = { "go", "coupons" } },
            item{ words.favorites, icon = "heart", id = "favorites",
                detail = tostring(#state.favorites),
                on_click = { "go", "favorites" } },
            item{ words.waiting, icon = "bell", id = "waiting",
                detail = tostring(#state.waiting),
                on_click = { "go", "waiting" } },
        } } }
end

local tabs = { home = home_tab, categories = categories_tab, cart = cart_tab,
               account = account_tab }
local icons = { home = "home", categories = "apps", cart = "cart",
                account = "person" }

-- ---- the screens ----

local screens = {}

function screens.main(state)
    local title = state.tab ~= "home" and words[state.tab] or nil
    return page{ title = title, back = false, tabs[state.tab](state),
        market.tab_bar(words, state.tab,
            { "home", "categories", "cart", "account" }, icons) }
end

-- The field fills the bar, and has no visible frame.
function screens.search(state)
    return market.search_page(words, state, { icon = "refresh",
        autofocus = true,
        button = icon_or_text{ words.find, icon = "search",
            id = "search_button", on_click = { "search", state.typed } } })
end

local function tools(state)
    return carousel{ id = "result_tools", height = 48, gap = 8,
        padding_left = 16, padding_right = 16, down = "center",
        shuffle_by_skin{
            chip{ words.sort, icon = "sort", id = "sort",
                selected = state.sort ~= "relevance",
                on_click = { "go", "sort" } },
            chip{ words.filter, icon = "filter", id = "filter",
                on_click = { "go", "filter" } },
            chip{ words.free, id = "free_shipping", checkable = true,
                checked = state.filters.free, on_change = "free" },
        } }
end

function screens.results(state)
    local list_of = found(state, state.filters)
    local rows = {}
    for i = 1, math.min(state.shown, #list_of) do
        table.insert(rows, result_row(list_of[i]))
        if i == 3 then
            table.insert(rows, row{ width = "fill", padding = 16, banner(4) })
        end
    end
    return page{
        row{ width = "fill", down = "center",
            icon_button{ icon = "back", on_click = "back",
                description = { en = "Navigate up", zh = "转到上一层级" } },
            column{ weight = 1, search_box(state) } },
        tools(state),
        text{ string.format(t(words.results), #list_of), id = "result_count",
            padding_left = 16, style = "body_small",
            ink = "on_surface_variant" },
        #rows == 0 and text{ words.none, width = "fill", padding = 48,
            text_align = "center", id = "no_results" } or
            list{ weight = 1, id = "result_list", on_scroll = "more", rows } }
end

function screens.sort(state)
    return market.sort_sheet(words, state.sort,
        { "relevance", "price_asc", "price_desc", "rating", "sold" })
end

function screens.filter(state)
    local filters = state.filters
    return sheet{ title = words.filter, id = "filter_sheet",
        column{ width = "fill", gap = 12, padding_left = 16,
            padding_right = 16,
            text{ words.price, style = "title_small" },
            row{ width = "fill", gap = 12,
                field{ text = filters.min, hint = words.min, weight = 1,
                    id = "min_price", on_change = "min_price" },
                field{ text = filters.max, hint = words.max, weight = 1,
                    id = "max_price", on_change = "max_price" } },
            flow{ gap = 8, width = "fill",
                table.map({ 0, 35, 40, 45 }, function(tenths)
                    return chip{ tenths == 0 and words.any_rating or
                        string.format(t(words.stars_up), tenths / 10),
                        id = "rating_" .. tenths, checkable = true,
                        checked = filters.rating == tenths,
                        on_click = { "rating", tenths } }
                end) } },
        item{ words.free, id = "free_row",
            switch{ checked = filters.free, on_change = "free",
                description = words.free, id = "free_switch" } },
        item{ words.brand, id = "brand_row", on_click = { "go", "brands" },
            detail = #filters.brands == 0 and words.all_brands or
                string.format(t(words.chosen), #filters.brands),
            icon{ icon = "right", width = 24, height = 24 } },
        row{ width = "fill", gap = 12, padding = 16, across = "end",
            shuffle_by_skin{
                button{ words.reset, style = "outlined", ink = "primary",
                    id = "reset", on_click = "reset_filters" },
                button{ words.show, id = "apply", on_click = "back" } } } }
end

-- A sheet above a sheet.
function screens.brands(state)
    local names = {}
    for _, product in ipairs(found(state, no_filters())) do
        if not table.index(names, product.brand) then
            table.insert(names, product.brand)
        end
    end
    return sheet{ title = words.brand, id = "brand_sheet",
        list{ width = "fill", height = 360,
            table.map(table.sort(names), function(name)
                return checkbox{ name, width = "fill", key = name,
                    padding_left = 8, padding_right = 16, id = "brand_check",
                    checked = table.index(state.filters.brands, name) ~= nil,
                    on_change = { "brand", name } }
            end) },
        row{ width = "fill", across = "end", padding = 16,
            button{ words.done, id = "done", on_click = "back" } } }
end

local function variants(state, product)
    return { row{ width = "fill", down = "center",
            text{ words.color, weight = 1, style = "title_small" } },
        flow{ width = "fill", gap = 8,
            table.map(product.colors, function(color)
                return chip{ color.name, id = "color_" .. color.id,
                    checkable = true, checked = state.choice.color == color.id,
                    on_click = { "color", color.id } }
            end) },
        #product.sizes > 0 and text{ words.size, style = "title_small" } or
            false,
        #product.sizes > 0 and flow{ width = "fill", gap = 8,
            table.map(product.sizes, function(size)
                if size == product.sold_out then
                    return chip{ size .. " · " .. t(words.sold_out),
                        id = "size_" .. size, ink = "outline",
                        on_click = { "go", "sold_out", product.id, size } }
                end
                return chip{ size, id = "size_" .. size, checkable = true,
                    checked = state.choice.size == size,
                    on_click = { "size", size } }
            end) } or false }
end

-- A heading that shows or hides what is below it.
local function fold(state, part, name, content)
    local open = state.unfolded[part] == true
    return column{ width = "fill",
        row{ width = "fill", height = 48, down = "center", id = part,
            on_click = { "fold", part, not open },
            text{ name, weight = 1, style = "title_medium" },
            icon{ icon = open and "up" or "down", width = 24, height = 24 } },
        open and content() or false }
end

local function specification(name, value)
    return row{ width = "fill", height = 36, down = "center",
        quiet(name, "specification", { weight = 1, style = "body_medium" }),
        text{ value, weight = 1, id = "value", style = "body_medium" } }
end

local function specifications(state, product)
    return fold(state, "specifications", words.specifications, function()
        return { specification(words.warranty,
                               string.format(t(words.months),
                                             product.warranty)),
                 specification(words.weight, grouped(product.weight) .. " g"),
                 specification(words.material, product.material) }
    end)
end

local function review_block(review)
    return column{ width = "fill", gap = 4, padding_top = 8,
        padding_bottom = 8, id = "review",
        row{ gap = 8, down = "center",
            text{ review.who, style = "title_small", id = "reviewer" },
            rating{ value = review.stars, text_size = 12 } },
        text{ review.text, style = "body_medium", id = "review_text" },
        text{ string.format(t(words.days_ago), review.days),
            style = "body_small", ink = "on_surface_variant",
            id = "review_date" } }
end

local function sorted_reviews(product, order)
    local by = {
        newest = function(a, b) return a.days < b.days end,
        highest = function(a, b) return a.stars > b.stars end,
        lowest = function(a, b) return a.stars < b.stars end,
    }
    return table.sort(table.join(product.reviews), by[order])
end

local function buy_bar(id)
    return row{ id = "buy_bar", width = "fill", gap = 12, padding = 12,
        background = "surface_container", shuffle_by_skin{
            button{ words.add, weight = 1, height = 48, style = "tonal",
                id = "add_to_cart", on_click = { "add", id } },
            button{ words.buy, weight = 1, height = 48, id = "buy_now",
                on_click = { "buy", id } } } }
end

function screens.product(state, id)
    local product = products[id]
    local liked = table.index(state.favorites, id)
    local newest = sorted_reviews(product, "newest")
    return page{ title = "",
        actions = shuffle_by_skin{
            icon_button{ icon = liked and "heart_full" or "heart",
                id = "favorite", selected = liked ~= nil,
                description = liked and words.unfavorite or words.favorite,
                on_click = { "favorite", id } },
            icon_button{ icon = "cart", id = "open_cart",
                description = words.cart, on_click = "show_cart" } },
        scroll{ weight = 1, id = "product_scroll", gap = 12,
            padding_left = 16, padding_right = 16, padding_bottom = 16,
            stack{ width = "fill", height = 260, radius = 24,
                background = product.ground, across = "center",
                down = "center", id = "product_image",
                text{ product.emoji, text_size = 120 } },
            prices(product, "headline_medium"),
            text{ product.name, id = "product_name", style = "title_large" },
            row{ width = "fill", gap = 12, down = "center",
                stars(product, true),
                text{ string.format(t(words.count_sold), product.sold),
                    style = "body_small", ink = "on_surface_variant" } },
            row{ gap = 8, down = "center",
                icon{ icon = "truck", width = 20, height = 20 },
                text{ product.free and words.free or words.standard,
                    id = "shipping", style = "body_medium" } },
            divider{},
            specifications(state, product),
            variants(state, product),
            row{ width = "fill", down = "center", across = "spread",
                text{ words.quantity, style = "title_small" },
                stepper(state.choice.count, "count") },
            divider{},
            text{ words.reviews, style = "title_medium" },
            review_block(newest[1]), review_block(newest[2]),
            button{ words.all_reviews, style = "plain", id = "all_reviews",
                on_click = { "go", "reviews", id } } },
        buy_bar(id) }
end

function screens.variants(state, id)
    local product = products[id]
    local ready = #product.sizes == 0 or state.choice.size ~= ""
    return sheet{ id = "variant_sheet",
        column{ width = "fill", gap = 12, padding = 16,
            row{ width = "fill", gap = 12, picture(product, 72),
                column{ weight = 1, gap = 4,
                    prices(product, "title_large"),
                    text{ product.name, lines = 2,
                        style = "body_small" } } },
            variants(state, product),
            row{ width = "fill", down = "center", across = "spread",
                text{ words.quantity, style = "title_small" },
                stepper(state.choice.count, "count") },
            button{ words.add, width = "fill", height = 48, id = "confirm",
                disabled = not ready, on_click = { "add", id } } } }
end

function screens.reviews(state, id)
    return page{ title = words.reviews,
        row{ width = "fill", gap = 8, padding_left = 16,
            table.map({ "newest", "highest", "lowest" }, function(order)
                return chip{ words[order], id = "reviews_" .. order,
                    checkable = true, checked = state.review_sort == order,
                    on_click = { "review_sort", order } }
            end) },
        list{ weight = 1, id = "review_list", padding = 16,
            table.map(sorted_reviews(products[id], state.review_sort),
                      review_block) } }
end

local function choices(state, field, list)
    return table.map(list, function(way)
        return item{ words[way], id = field .. "_" .. way, key = way,
            on_click = { field, way },
            detail = shipping[way] and (shipping[way] > 0 and
                money(shipping[way]) or t(words.free_word)) or nil,
            radio{ checked = state.order[field] == way, clickable = false } }
    end)
end

local function amount(label, value, id)
    return row{ width = "fill", across = "spread",
        text{ label, style = "body_medium", ink = "on_surface_variant" },
        text{ value, id = id, style = "body_medium" } }
end

-- What is paid, line by line; of a bill or an order.
local function amounts(owed)
    return { amount(words.subtotal, money(owed.total - owed.fee + owed.off),
                    "subtotal"),
             amount(words.delivery, owed.fee == 0 and t(words.free_word) or
                    money(owed.fee), "fee"),
             owed.off > 0 and amount(words.discount, "−" .. money(owed.off),
                                     "discount") or false }
end

local function coupon_row(state, owed)
    local fitting = table.filter(coupons, function(coupon)
        return savings(state, coupon) > 0
    end)
    return item{ words.coupon, icon = "ticket", id = "coupon",
        on_click = { "go", "choose_coupon" },
        detail = owed.off > 0 and "−" .. money(owed.off) or
            t(words.none_chosen) .. " · " ..
            string.format(t(words.can_use), #fitting),
        icon{ icon = "right", width = 24, height = 24 } }
end

local function bought_line(line)
    local product = products[line.product]
    return row{ width = "fill", gap = 12, down = "center", id = "bought",
        picture(product, 40),
        column{ weight = 1,
            text{ product.name, id = "product_name", lines = 1,
                style = "body_medium" },
            quiet(variant_text(line) .. " × " .. line.count, "variant") },
        text{ money(line.price), id = "price", style = "title_small" } }
end

function screens.checkout(state)
    local owed = bill(state)
    return page{ title = words.checkout,
        scroll{ weight = 1, id = "checkout_scroll",
            item{ owner, detail = street, icon = "place", id = "address" },
            divider{},
            column{ width = "fill", padding = 16, gap = 12,
                table.map(chosen_lines(state), bought_line) },
            divider{},
            text{ words.delivery, style = "title_small", padding = 16 },
            choices(state, "delivery", { "standard", "express", "pickup" }),
            divider{},
            text{ words.payment, style = "title_small", padding = 16 },
            choices(state, "payment",
                    shuffle_by_skin{ "card", "wallet", "cash" }),
            divider{},
            coupon_row(state, owed),
            divider{},
            column{ width = "fill", padding = 16, gap = 8,
                amount(string.format(t(words.items), owed.count), "", "items"),
                amounts(owed) } },
        row{ width = "fill", padding = 16, gap = 12, down = "center",
            background = "surface_container",
            column{ weight = 1,
                text{ words.total, style = "label_medium",
                    ink = "on_surface_variant" },
                text{ money(owed.total), id = "order_total",
                    style = "title_large" } },
            button{ words.place, height = 48, id = "place_order",
                disabled = owed.count == 0, on_click = { "go", "confirm" } } } }
end

function screens.confirm(state)
    return market.confirm_dialog(words, bill(state).total)
end

function screens.placed(state)
    local order = state.orders[1]
    return page{
        column{ width = "fill", weight = 1, across = "center",
            down = "center", gap = 16, padding = 24,
            text{ "🎉", text_size = 72 },
            text{ words.thanks, style = "headline_small", id = "thanks" },
            text{ string.format(t(words.order), order.number),
                id = "order_number", style = "body_large" },
            text{ money(order.total), id = "order_total",
                style = "title_large", ink = "primary" },
            button{ words.go_on, id = "continue", on_click = "go_on" } } }
end

function screens.favorites(state)
    return page{ title = words.favorites,
        #state.favorites == 0 and text{ words.empty, padding = 24 } or
        list{ weight = 1, id = "favorite_list",
            table.map(state.favorites, function(id)
                return result_row(products[id])
            end) } }
end

function screens.ad(state, number)
    local brand = content.brand(random("banner", number))
    return page{ title = words.ad,
        web{ weight = 1,
            text{ brand, style = "headline_large" },
            text{ { en = "You are leaving the shop. This page has nothing to "
                        .. "do with your order.",
                    zh = "您已离开商城。此页面与您的订单无关。" } },
            button{ words.close, on_click = "back" } } }
end

for name, screen in pairs(include("shop_orders"){ picture = picture,
        variant_text = variant_text, fold = fold, amounts = amounts,
        find_order = find_order, usable = usable, savings = savings }) do
    screens[name] = screen
end

return {
    package = "org.proctor.shop",
    name = { en = "Shop", zh = "商城" },
    hue = 25,
    state = first_state,
    screens = screens,
    handlers = handlers,
    knows = { products = products, kinds = kinds, found = found,
              matches = matches, reviews = sorted_reviews,
              shipping = shipping, no_filters = no_filters,
              orders = catalog.orders, coupons = coupons,
              color = find_color, return_code = return_code },
    on_back = function(state)
        if current() == "main" and state.tab ~= "home" then
            state.tab = "home"
            return true
        end
        return false
    end,
}
