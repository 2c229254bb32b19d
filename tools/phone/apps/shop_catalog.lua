-- What Shop sells, its coupons, and what was ordered before.

-- ---- products ----

local kinds = {
    { id = "audio", name = { en = "Audio", zh = "影音" }, emoji = "🎧",
      { en = "Wireless Headphones", zh = "无线耳机", emoji = "🎧",
        low = 2900, high = 29900 },
      { en = "Bluetooth Speaker", zh = "蓝牙音箱", emoji = "🔊",
        low = 1900, high = 19900 },
      { en = "Desk Radio", zh = "桌面收音机", emoji = "📻",
        low = 2500, high = 12900 } },
    { id = "watches", name = { en = "Watches", zh = "手表" }, emoji = "⌚",
      { en = "Smart Watch", zh = "智能手表", emoji = "⌚",
        low = 4900, high = 39900 },
      { en = "Alarm Clock", zh = "闹钟", emoji = "⏰",
        low = 1200, high = 5900 },
      { en = "Wall Clock", zh = "挂钟", emoji = "🕰️",
        low = 1900, high = 8900 } },
    { id = "home", name = { en = "Home", zh = "家居" }, emoji = "🛋️",
      { en = "Table Lamp", zh = "台灯", emoji = "💡",
        low = 1500, high = 9900 },
      { en = "Armchair", zh = "单人沙发", emoji = "🛋️",
        low = 14900, high = 79900 },
      { en = "House Plant", zh = "绿植", emoji = "🪴",
        low = 1200, high = 6900 } },
    { id = "kitchen", name = { en = "Kitchen", zh = "厨房" }, emoji = "☕",
      { en = "Coffee Maker", zh = "咖啡机", emoji = "☕",
        low = 3900, high = 34900 },
      { en = "Frying Pan", zh = "平底锅", emoji = "🍳",
        low = 1900, high = 11900 },
      { en = "Tea Pot", zh = "茶壶", emoji = "🫖",
        low = 1600, high = 7900 } },
    { id = "clothes", name = { en = "Clothing", zh = "服饰" }, emoji = "👕",
      sizes = { "S", "M", "L", "XL" },
      { en = "T-Shirt", zh = "短袖", emoji = "👕", low = 1200, high = 4900 },
      { en = "Rain Jacket", zh = "雨衣", emoji = "🧥",
        low = 3900, high = 18900 },
      { en = "Wool Scarf", zh = "羊毛围巾", emoji = "🧣",
        low = 1900, high = 8900 } },
    { id = "shoes", name = { en = "Shoes", zh = "鞋靴" }, emoji = "👟",
      sizes = { "39", "40", "41", "42", "43" },
      { en = "Running Shoes", zh = "跑步鞋", emoji = "👟",
        low = 3900, high = 18900 },
      { en = "Hiking Boots", zh = "登山靴", emoji = "🥾",
        low = 5900, high = 24900 },
      { en = "Sandals", zh = "凉鞋", emoji = "🩴",
        low = 1500, high = 6900 } },
    { id = "sports", name = { en = "Sports", zh = "运动" }, emoji = "⚽",
      { en = "Football", zh = "足球", emoji = "⚽", low = 1200, high = 6900 },
      { en = "Tent", zh = "帐篷", emoji = "⛺", low = 5900, high = 39900 },
      { en = "Skateboard", zh = "滑板", emoji = "🛹",
        low = 2900, high = 13900 } },
    { id = "bags", name = { en = "Bags", zh = "箱包" }, emoji = "🎒",
      { en = "Backpack", zh = "双肩包", emoji = "🎒",
        low = 2500, high = 14900 },
      { en = "Suitcase", zh = "行李箱", emoji = "🧳",
        low = 4900, high = 29900 },
      { en = "Handbag", zh = "手提包", emoji = "👜",
        low = 2900, high = 24900 } },
}

local colors = {
    { id = "black", name = { en = "Black", zh = "黑色" } },
    { id = "white", name = { en = "White", zh = "白色" } },
    { id = "blue", name = { en = "Blue", zh = "蓝色" } },
    { id = "green", name = { en = "Green", zh = "绿色" } },
    { id = "red", name = { en = "Red", zh = "红色" } },
    { id = "sand", name = { en = "Sand", zh = "沙色" } },
}

-- A muted background for each picture, light or dark as the screen.
local grounds = { "primary_container", "secondary_container",
                  "tertiary_container", "surface_container_high" }

local function make_reviews(r, rating)
    local reviews = {}
    for i = 1, r.int(4, 9) do
        local stars = rating // 10 + (r.chance(0.5) and 1 or 0)
        if r.chance(0.2) then
            stars = r.int(1, 3)
        end
        reviews[i] = content.review(r, math.min(stars, 5))
    end
    return reviews
end

local function make_product(r, price, category, kind, brand)
    local model = string.char(r.int(65, 90)) .. r.int(11, 989)
    local cost = price(kind.low, kind.high)
    local rating = content.rating(r)
    local some = r.shuffle(colors)
    return {
        category = category.id, kind = kind.en, emoji = kind.emoji,
        brand = brand.en,
        name = { en = brand.en .. " " .. kind.en .. " " .. model,
                 zh = brand.zh .. kind.zh .. " " .. model },
        price = cost, was = r.chance(0.3) and cost * r.int(115, 160) // 100 or 0,
        rating = rating, votes = r.int(12, 4800), sold = r.int(30, 9000),
        free = r.chance(0.45), ground = r.pick(grounds),
        colors = { some[1], some[2], r.chance(0.6) and some[3] or nil },
        sizes = category.sizes or {}, reviews = make_reviews(r, rating),
    }
end

local function make_products()
    local products, price = {}, content.prices("shop")
    for _, category in ipairs(kinds) do
        local r = random("shop", category.id)
        local brands = { content.brand(r), content.brand(r), content.brand(r) }
        for _, kind in ipairs(category) do
            for i = 1, 3 do
                table.insert(products, make_product(r, price, category, kind,
                                                    brands[i]))
            end
        end
    end
    products = random("shop", "order").shuffle(products)
    for id, product in ipairs(products) do
        product.id = id
    end
    return products
end

local materials = {
    { en = "Aluminium", zh = "铝合金" }, { en = "Bamboo", zh = "竹" },
    { en = "Cotton", zh = "棉" }, { en = "Leather", zh = "皮革" },
    { en = "Recycled plastic", zh = "再生塑料" },
    { en = "Stainless steel", zh = "不锈钢" },
}

-- Months of warranty and weights differ between the products of a kind.
local function add_specifications(products)
    local rest = {} -- by name of a kind
    for _, product in ipairs(products) do
        local r = random("specification", product.id)
        local kind = product.kind
        rest[kind] = rest[kind] or
                     random("warranty", kind).shuffle{ 6, 12, 18, 24, 30, 36 }
        product.warranty = table.remove(rest[kind])
        product.weight = r.int(4, 60) * 30 + #rest[kind]
        product.material = r.pick(materials)
        product.sold_out = #product.sizes > 0 and r.chance(0.6) and
                           r.pick{ product.sizes[1],
                                   product.sizes[#product.sizes] } or ""
    end
end

local products = make_products()
add_specifications(products)

-- ---- coupons ----

-- A part of the price or an amount off, from a price on, on a category or on
-- everything. Some have to be collected before they can be used.
local function make_coupons()
    local r = random("shop", "coupons")
    local some = r.shuffle(table.filter(kinds, function(category)
        return not category.sizes
    end))
    local today = dates.today()
    local coupons = {
        { percent = r.int(3, 5), least = 0, category = "", taken = true,
          ends = today + r.int(9, 30) },
        { percent = r.int(12, 18), least = 0, category = some[1].id,
          taken = true, ends = today + r.int(2, 8) },
        { percent = r.int(20, 28), least = 0, category = some[2].id,
          taken = false, ends = today + r.int(3, 12) },
        { cents = r.int(10, 18) * 100, least = 30000, category = "",
          taken = true, ends = today + r.int(5, 20) },
        { percent = r.int(8, 10), least = 0, category = some[2].id,
          taken = true, ends = today + r.int(5, 25) },
        { percent = r.int(30, 40), least = 0, category = some[3].id,
          taken = true, ends = today - r.int(2, 9) },
        { percent = r.int(12, 16), least = 0, category = some[4].id,
          taken = false, ends = today + r.int(4, 16) },
    }
    for id, coupon in ipairs(coupons) do
        coupon.id = id
    end
    return coupons
end

local coupons = make_coupons()

-- Cents off for what is bought: a list of { product =, cents = }.
local function discount_of(coupon, bought)
    local sum = 0
    for _, line in ipairs(bought) do
        local fits = coupon.category == "" or
                     products[line.product].category == coupon.category
        sum = sum + (fits and line.cents or 0)
    end
    if sum == 0 or sum < coupon.least or coupon.ends < dates.today() then
        return 0
    end
    return math.min(coupon.cents or sum * coupon.percent // 100, sum)
end

-- ---- orders of the last months ----

-- Days ago at least and at most, how far it got, and the days that it takes.
local past = {
    { 0, 0, "packing", 5, 8 }, { 2, 2, "shipped", 3, 6 },
    { 7, 9, "delivered", 3, 5 }, { 13, 17, "delivered", 2, 6 },
    { 21, 26, "delivered", 3, 6 }, { 33, 40, "cancelled", 3, 6 },
    { 52, 70, "delivered", 2, 5 }, { 95, 120, "delivered", 3, 7 },
}

local function make_order(r, stock, days, status, lines)
    local order = { number = tostring(r.int(10000000, 99999999)),
                    day = dates.today() - days, status = status,
                    delivery = "standard", fee = r.chance(0.3) and 0 or 499,
                    payment = r.pick{ "card", "wallet" }, off = 0, lines = {} }
    local sum, count = 0, 0
    for i = 1, lines do
        local product = table.remove(stock)
        local sizes = table.filter(product.sizes, function(size)
            return size ~= product.sold_out
        end)
        local line = { product = product.id, color = r.pick(product.colors).id,
                       size = #sizes > 0 and r.pick(sizes) or "",
                       count = r.chance(0.2) and 2 or 1,
                       price = product.price * r.int(82, 97) // 100,
                       returned = "", stars = 0 }
        sum, count = sum + line.price * line.count, count + line.count
        order.lines[i] = line
    end
    order.total, order.count = sum + order.fee, count
    return order
end

-- No product is in two of them; the newest order is the first.
local function make_orders()
    local r = random("shop", "past orders")
    local stock, orders = r.shuffle(products), {}
    for i, one in ipairs(past) do
        orders[i] = make_order(r, stock, r.int(one[1], one[2]), one[3],
                               r.int(1, 3))
        orders[i].arrives = orders[i].day + r.int(one[4], one[5])
    end
    return orders
end

return { kinds = kinds, colors = colors, grounds = grounds,
         products = products, coupons = coupons, discount_of = discount_of,
         orders = make_orders() }
