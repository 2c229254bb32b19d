-- What can be rented in Stays: places, listings, and their reviews.

local cities = {
    { id = "halden", name = { en = "Halden", zh = "海登" } },
    { id = "westport", name = { en = "Westport", zh = "西港" } },
    { id = "marwick", name = { en = "Marwick", zh = "马威克" } },
    { id = "lindau", name = { en = "Lindau", zh = "林岛" } },
    { id = "ostera", name = { en = "Ostera", zh = "奥斯特拉" } },
    { id = "calvora", name = { en = "Calvora", zh = "卡沃拉" } },
}
local PER_CITY = 7

local kinds = {
    { id = "flat", art = "flat", name = { en = "Apartment", zh = "公寓" } },
    { id = "house", art = "house", name = { en = "House", zh = "整栋房屋" } },
    { id = "cabin", art = "cabin", name = { en = "Cabin", zh = "木屋" } },
    { id = "loft", art = "skyline", name = { en = "Loft", zh = "阁楼" } },
}

local adjectives = {
    { en = "Sunny", zh = "阳光" }, { en = "Quiet", zh = "静谧" },
    { en = "Old Town", zh = "老城" }, { en = "Garden", zh = "花园" },
    { en = "Riverside", zh = "河畔" }, { en = "Hillside", zh = "山坡" },
    { en = "Harbour", zh = "港湾" }, { en = "Little", zh = "迷你" },
}

-- Those that filters know come first.
local amenities = {
    { id = "pool", icon = "pool", name = { en = "Pool", zh = "泳池" } },
    { id = "pets", icon = "paw", name = { en = "Pets allowed", zh = "可带宠物" } },
    { id = "wifi", icon = "wifi_sign", name = { en = "Wi-Fi", zh = "无线网络" } },
    { id = "kitchen", icon = "food", name = { en = "Kitchen", zh = "厨房" } },
    { id = "parking", icon = "car", name = { en = "Parking", zh = "停车位" } },
    { id = "washer", icon = "refresh", name = { en = "Washing machine",
      zh = "洗衣机" } },
    { id = "air", icon = "display", name = { en = "Air conditioning",
      zh = "空调" } },
    { id = "desk", icon = "edit", name = { en = "Desk", zh = "书桌" } },
    { id = "crib", icon = "bed", name = { en = "Cot for babies",
      zh = "婴儿床" } },
    { id = "sauna", icon = "bath", name = { en = "Sauna", zh = "桑拿" } },
}

local function pick_amenities(r)
    local has = {}
    for _, one in ipairs(amenities) do
        local part = one.id == "pool" and 0.45 or one.id == "pets" and 0.45 or
                     0.6
        has[one.id] = r.chance(part)
    end
    return has
end

local function make_listing(r, city, price, taken)
    local kind = r.pick(kinds)
    local brand = content.brand(r)
    local adjective = r.pick(adjectives)
    local bedrooms = r.int(1, 4)
    local x, y = r.int(6, 94), r.int(8, 90)
    local away = math.floor(((x - 50) ^ 2 + (y - 50) ^ 2) ^ 0.5 * 70)
    return { city = city, kind = kind, bedrooms = bedrooms,
        name = { en = adjective.en .. " " .. kind.name.en .. " " .. brand.en,
                 zh = brand.zh .. adjective.zh .. kind.name.zh },
        beds = bedrooms + r.int(0, 2), baths = r.int(1, 2),
        guests = bedrooms * 2 + r.int(0, 1), price = price(4200, 26000),
        cleaning = r.int(15, 70) * 100, has = pick_amenities(r),
        rating = content.new_number(r, 361, 499, taken), votes = r.int(12, 480),
        x = x, y = y, metres = content.new_number(r, away, away + 60, taken),
        host = content.person(r), super = r.chance(0.4),
        free_cancel = r.chance(0.5), check_in = r.int(26, 36) * 30,
        check_out = r.int(18, 24) * 30, resting = r.int(0, 27),
        address = content.address(r) }
end

local function make_listings()
    local made = {}
    local price = content.prices("stays")
    for _, city in ipairs(cities) do
        local r, taken = random("city", city.id), {}
        for _ = 1, PER_CITY do
            table.insert(made, make_listing(r, city, price, taken))
        end
    end
    made = random("order").shuffle(made)
    for id, listing in ipairs(made) do
        listing.id = id
    end
    return made
end

local listings = make_listings()

-- ---- availability ----

-- Every listing rests for six days out of 28.
local function is_free(listing, from, to)
    for day = from, to - 1 do
        if (day + listing.resting) % 28 < 6 then
            return false
        end
    end
    return true
end

-- ---- reviews ----

local praise = {
    { en = "Exactly as in the pictures. We slept very well.",
      zh = "和图片完全一致，睡得很好。" },
    { en = "The host answered every question at once.",
      zh = "房东有问必答，非常及时。" },
    { en = "Spotless, and everything is nearby.", zh = "干净整洁，去哪儿都方便。" },
    { en = "The view in the morning!", zh = "早晨的风景太美了！" },
    { en = "Our children did not want to leave.", zh = "孩子们都不想走了。" },
}
local blame = {
    { en = "The neighbours were loud until midnight.", zh = "邻居吵到半夜。" },
    { en = "The shower was cold on two days.", zh = "有两天没有热水。" },
    { en = "Smaller than we thought.", zh = "比想象中小。" },
    { en = "It took an hour to get the key.", zh = "等了一个小时才拿到钥匙。" },
}

local review_orders = {
    newest = function(a, b) return a.days < b.days end,
    highest = function(a, b) return a.score > b.score end,
    lowest = function(a, b) return a.score < b.score end,
}

-- Scores are of ten, in tenths, and all different.
local function reviews_of(listing, order)
    local r, ages, scores, names = random("reviews", listing.id), {}, {}, {}
    local reviews = {}
    while #reviews < 9 + listing.id % 6 do
        local who = content.person(r)
        if not names[who.en] and not names[who.zh] then
            names[who.en], names[who.zh] = true, true
            local score = content.new_number(r, r.chance(0.3) and 21 or 60,
                                             100, scores)
            table.insert(reviews, { who = who, score = score,
                days = content.new_number(r, 2, 500, ages), nights = r.int(1, 9),
                text = r.pick(score >= 60 and praise or blame) })
        end
    end
    return table.sort(reviews, review_orders[order])
end

return { cities = cities, kinds = kinds, amenities = amenities,
         listings = listings, is_free = is_free, reviews_of = reviews_of }
