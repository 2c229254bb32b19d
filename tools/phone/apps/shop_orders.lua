-- The screens of Shop after an order: its parcel, returns and reviews; the
-- coupons for the next one, and alerts for what was sold out.

local words = include("shop_words")
local catalog = include("shop_catalog")
local products, coupons = catalog.products, catalog.coupons

-- Shop's own, which its other screens use as well.
local picture, variant_text, fold, amounts, find_order, usable, savings

local screens = {}

-- ---- orders ----

local order_icons = { packing = "bag", shipped = "truck",
                      delivered = "check", cancelled = "close" }

local function status_text(order)
    return text{ words[order.status], id = "order_status",
        style = "label_large",
        ink = order.status == "cancelled" and "outline" or "primary" }
end

local function order_card(order)
    local first = products[order.lines[1].product]
    return column{ id = "order_card", key = order.number, width = "fill",
        padding = 16, gap = 12, radius = 16,
        background = "surface_container_low",
        on_click = { "order", order.number },
        row{ width = "fill", down = "center",
            quiet(dates.short(order.day), "order_date", { weight = 1 }),
            status_text(order) },
        row{ width = "fill", gap = 12, down = "center", picture(first, 56),
            column{ weight = 1, gap = 2,
                text{ first.name, id = "product_name", lines = 2,
                    style = "body_medium" },
                #order.lines > 1 and quiet(string.format(t(words.and_more),
                                                         #order.lines - 1)) or
                    false },
            text{ money(order.total), id = "order_total",
                style = "title_small" } } }
end

function screens.orders(state)
    local shown = table.filter(state.orders, function(order)
        return state.order_filter == "all" or
               state.order_filter == order.status
    end)
    return page{ title = words.orders,
        carousel{ id = "order_filters", height = 48, gap = 8,
            padding_left = 16, padding_right = 16, down = "center",
            table.map({ "all", "packing", "shipped", "delivered",
                        "cancelled" }, function(status)
                return chip{ status == "all" and words.all_orders or
                    words[status], id = "orders_" .. status, checkable = true,
                    checked = state.order_filter == status,
                    on_click = { "orders_of", status } }
            end) },
        #shown == 0 and text{ words.empty, padding = 24 } or
        list{ weight = 1, id = "order_list", padding = 16, gap = 12,
            table.map(shown, order_card) } }
end

local function can_be_returned(order, line)
    return order.status == "delivered" and line.returned == "" and
           dates.today() - order.arrives <= 30
end

-- What can be done with what was delivered.
local function line_actions(order, place, line)
    if line.returned ~= "" then
        return quiet(words.returned, "returned")
    end
    return flow{ gap = 8,
        can_be_returned(order, line) and
            button{ words.send_back, id = "return", style = "outlined",
                ink = "primary",
                on_click = { "send_back", order.number, place } } or
            quiet(words.too_late),
        line.stars == 0 and button{ words.rate, id = "rate",
            style = "outlined", ink = "primary",
            on_click = { "rate", order.number, place } } or
            quiet(string.format(t(words.rated), line.stars), "own_rating") }
end

local function order_line(order, place, line)
    local product = products[line.product]
    return column{ id = "order_line", key = "line" .. place, width = "fill",
        gap = 8,
        row{ width = "fill", gap = 12, down = "center",
            on_click = { "open", product.id },
            picture(product, 56),
            column{ weight = 1, gap = 2,
                text{ product.name, id = "product_name", lines = 2,
                    style = "body_medium" },
                quiet(variant_text(line) .. " × " .. line.count, "variant") },
            text{ money(line.price), id = "price_paid",
                style = "title_small" } },
        order.status == "delivered" and line_actions(order, place, line) or
            false }
end

local milestones = {
    { "step_ordered", 0 }, { "step_packed", 1 }, { "step_left", 1 },
    { "step_city", 3 }, { "step_delivered", 4 },
}
local reached = { packing = 1, shipped = 3, delivered = 5, cancelled = 1 }

local function tracking(order)
    local days = math.max(order.arrives - order.day, 1)
    local rows = {}
    for i = reached[order.status], 1, -1 do
        table.insert(rows, row{ width = "fill", gap = 12, down = "center",
            id = "milestone", padding_top = 10, padding_bottom = 10,
            icon{ icon = i == reached[order.status] and "target" or "check",
                width = 20, height = 20, ink = "primary" },
            text{ words[milestones[i][1]], weight = 1,
                style = "body_medium" },
            quiet(dates.short(order.day + days * milestones[i][2] // 4)) })
    end
    local coming = order.status == "packing" or order.status == "shipped"
    return { coming and text{ string.format(t(words.expected),
                                            t(dates.medium(order.arrives))),
                 id = "expected", style = "title_small" } or false, rows }
end

function screens.order(state, number)
    local order = find_order(state, number)
    local lines = {}
    for place, line in ipairs(order.lines) do
        lines[place] = order_line(order, place, line)
    end
    return page{ title = words.order_details,
        scroll{ weight = 1, id = "order_scroll", gap = 16, padding = 16,
            row{ width = "fill", gap = 12, down = "center",
                icon{ icon = order_icons[order.status], width = 32,
                    height = 32, ink = "primary" },
                column{ weight = 1,
                    text{ words[order.status], id = "order_status",
                        style = "title_large" },
                    quiet(string.format(t(words.ordered_on),
                                        t(dates.medium(order.day)))) } },
            fold(state, "tracking", words.tracking, function()
                return tracking(order)
            end),
            divider{},
            lines,
            divider{},
            column{ width = "fill", gap = 8, amounts(order),
                row{ width = "fill", across = "spread",
                    text{ words.total, style = "title_medium" },
                    text{ money(order.total), id = "order_total",
                        style = "title_medium" } } },
            divider{},
            quiet(string.format(t(words.order), order.number),
                  "order_number"),
            quiet(words[order.payment], "payment") },
        row{ id = "order_bar", width = "fill", gap = 12, padding = 12,
            background = "surface_container",
            order.status == "packing" and
                button{ words.cancel_order, weight = 1, height = 48,
                    style = "outlined", ink = "primary", id = "cancel_order",
                    on_click = { "go", "sure_cancel", number } } or false,
            button{ words.again, weight = 1, height = 48, id = "buy_again",
                style = "tonal", on_click = { "again", number } } } }
end

function screens.sure_cancel(state, number)
    return dialog{ title = words.sure_cancel, id = "cancel_dialog",
        message = money(find_order(state, number).total),
        buttons = {
            { words.keep_order, id = "keep", on_click = "back" },
            { words.yes_cancel, id = "yes_cancel",
              on_click = { "cancel_order", number } } } }
end

function screens.send_back(state)
    local refund = state.refund
    local order = find_order(state, refund.number)
    local line = order.lines[refund.place]
    local product = products[line.product]
    return page{ title = words.return_of,
        scroll{ weight = 1, id = "return_scroll",
            row{ width = "fill", gap = 12, padding = 16, down = "center",
                picture(product, 72),
                column{ weight = 1, gap = 2,
                    text{ product.name, id = "product_name", lines = 2,
                        style = "body_large" },
                    quiet(variant_text(line)),
                    text{ money(line.price * line.count), id = "refund",
                        style = "title_small", ink = "primary" } } },
            divider{},
            text{ words.reason, style = "title_small", padding = 16 },
            table.map(shuffle_by_skin{ "too_small", "damaged", "wrong_one",
                                       "not_needed" }, function(reason)
                return item{ words[reason], id = "reason_" .. reason,
                    key = reason, on_click = { "reason", reason },
                    radio{ checked = refund.reason == reason,
                        clickable = false } }
            end),
            divider{},
            text{ words.refund_to, style = "title_small", padding = 16 },
            table.map({ "original", "wallet" }, function(way)
                return item{ words[way], id = "refund_" .. way, key = way,
                    on_click = { "refund_to", way },
                    detail = way == "original" and words[order.payment] or nil,
                    radio{ checked = refund.to == way, clickable = false } }
            end) },
        row{ width = "fill", padding = 12,
            button{ words.send_request, weight = 1, height = 48,
                id = "send_request", disabled = refund.reason == "",
                on_click = "request_return" } } }
end

function screens.return_sent(state, number, place)
    local line = find_order(state, number).lines[place]
    return page{ title = "",
        column{ width = "fill", weight = 1, across = "center",
            down = "center", gap = 16, padding = 24,
            icon{ icon = "swap", width = 72, height = 72, ink = "primary" },
            text{ words.return_sent, style = "headline_small",
                id = "return_sent", text_align = "center" },
            text{ string.format(t(words.return_code), line.returned),
                id = "return_code", style = "title_large",
                ink = "primary" },
            quiet(words.bring_it, "bring_it",
                  { style = "body_medium", text_align = "center" }) } }
end

function screens.rate(state)
    local review = state.review
    local line = find_order(state, review.number).lines[review.place]
    local shown = {}
    for i = 1, 5 do
        shown[i] = icon_button{ icon = "star", id = "star_" .. i,
            description = string.format(t(words.stars_of_five), i),
            selected = i == review.stars,
            ink = i <= review.stars and "primary" or "outline_variant",
            on_click = { "stars", i } }
    end
    return sheet{ title = words.rate_title, id = "rate_sheet",
        column{ width = "fill", gap = 16, padding = 16, across = "center",
            quiet(products[line.product].name),
            row{ gap = 4, shown },
            area{ text = review.text, hint = words.your_words,
                id = "review_field", width = "fill", height = 96,
                on_change = "review_text" },
            button{ words.publish, width = "fill", height = 48,
                id = "publish", disabled = review.stars == 0,
                on_click = "publish" } } }
end

-- ---- coupons ----

local function category_name(id)
    for _, category in ipairs(catalog.kinds) do
        if category.id == id then
            return category.name
        end
    end
end

local function value_of(coupon)
    return coupon.cents and string.format(t(words.off_money),
                                          money(coupon.cents)) or
           string.format(t(words.off_percent), coupon.percent)
end

local function terms_of(coupon)
    local where = coupon.category == "" and t(words.for_all) or
        string.format(t(words.for_category), t(category_name(coupon.category)))
    return coupon.least == 0 and where or
        string.format(t(words.from_money), money(coupon.least)) .. " · " ..
        where
end

local function coupon_state(state, coupon)
    if coupon.ends < dates.today() then
        return quiet(words.expired, "coupon_state")
    elseif table.index(state.coupons.used, coupon.id) then
        return quiet(words.used, "coupon_state")
    elseif usable(state, coupon) then
        return quiet(words.taken, "coupon_state")
    end
    return button{ words.take, id = "collect",
        on_click = { "collect", coupon.id } }
end

-- A ticket: what it is worth on the left, its terms beside it.
local function coupon_card(state, coupon)
    local over = coupon.ends < dates.today()
    return row{ id = "coupon_card", key = "coupon" .. coupon.id,
        width = "fill", radius = 16, down = "center",
        background = "surface_container_low",
        column{ width = 112, height = 96, across = "center", down = "center",
            padding = 8,
            background = over and "surface_container_high" or
                "primary_container",
            text{ value_of(coupon), id = "coupon_value",
                style = "title_medium", text_align = "center",
                ink = over and "outline" or "on_primary_container" } },
        column{ weight = 1, gap = 4, padding = 12,
            text{ terms_of(coupon), id = "coupon_terms",
                style = "body_medium" },
            quiet(string.format(t(words.until_day),
                                t(dates.short(coupon.ends)))) },
        column{ padding_right = 12, coupon_state(state, coupon) } }
end

function screens.coupons(state)
    return page{ title = words.coupons,
        list{ weight = 1, id = "coupon_list", padding = 16, gap = 12,
            table.map(coupons, function(coupon)
                return coupon_card(state, coupon)
            end) } }
end

-- Coupons that were collected; those that do not fit have no button.
function screens.choose_coupon(state)
    local had = table.filter(coupons, function(coupon)
        return usable(state, coupon)
    end)
    return sheet{ title = words.coupon, id = "coupon_sheet",
        table.map(had, function(coupon)
            local off = savings(state, coupon)
            return item{ value_of(coupon), detail = terms_of(coupon),
                id = "coupon_choice", key = "choice" .. coupon.id,
                disabled = off == 0,
                on_click = off > 0 and { "coupon", coupon.id } or nil,
                radio{ checked = state.order.coupon == coupon.id,
                    disabled = off == 0, clickable = false } }
        end),
        item{ words.no_coupon, id = "no_coupon", on_click = { "coupon", 0 },
            radio{ checked = state.order.coupon == 0, clickable = false } } }
end

function screens.new_coupons()
    return dialog{ title = words.new_here, id = "coupon_dialog",
        message = words.new_here_text,
        buttons = {
            { words.later, id = "later", on_click = "back" },
            { words.show_coupons, id = "show_coupons",
              on_click = "show_coupons" } } }
end

-- ---- what is sold out ----

function screens.sold_out(state, id, size)
    local product = products[id]
    return sheet{ id = "sold_out_sheet",
        title = string.format(t(words.size_sold_out), size),
        column{ width = "fill", gap = 16, padding = 16,
            row{ width = "fill", gap = 12, down = "center",
                picture(product, 56),
                text{ product.name, weight = 1, lines = 2,
                    style = "body_medium" } },
            button{ words.notify, width = "fill", height = 48, id = "notify",
                on_click = { "notify", id, size } } } }
end

function screens.waiting(state)
    return page{ title = words.waiting,
        #state.waiting == 0 and text{ words.empty, padding = 24 } or
        list{ weight = 1, id = "waiting_list",
            table.map(state.waiting, function(one)
                local product = products[one.product]
                return item{ product.name, id = "waiting_item",
                    key = "wait" .. one.product .. one.size,
                    detail = one.size, icon = "bell",
                    on_click = { "open", product.id },
                    icon_button{ icon = "delete", id = "stop_waiting",
                        description = words.delete,
                        on_click = { "stop_waiting", one.product,
                                     one.size } } }
            end) } }
end

return function(shop)
    picture, variant_text, fold = shop.picture, shop.variant_text, shop.fold
    amounts, find_order = shop.amounts, shop.find_order
    usable, savings = shop.usable, shop.savings
    return screens
end
