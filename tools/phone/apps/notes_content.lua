-- The notes that are in Notes at first: texts and check lists, each with its
-- colour, folder, and days since it was made and last changed.

local r = random("notes")

local cities = { { en = "Lisbon", zh = "里斯本" }, { en = "Oslo", zh = "奥斯陆" },
                 { en = "Prague", zh = "布拉格" }, { en = "Athens", zh = "雅典" },
                 { en = "Dublin", zh = "都柏林" }, { en = "Vienna", zh = "维也纳" } }
local months = { { en = "July", zh = "7月" }, { en = "August", zh = "8月" },
                 { en = "September", zh = "9月" }, { en = "October", zh = "10月" } }
local woods = { "maple", "cedar", "birch", "aspen", "hazel", "alder", "rowan",
                "olive" }
local beasts = { "otter", "heron", "badger", "falcon", "lynx", "beaver" }

local notes = {}

-- Texts with %s show the amount, in cents.
local function add(note)
    note.id = #notes + 1
    note.items = note.items or {}
    note.colour = note.colour or "plain"
    note.folder = note.folder or 1
    notes[note.id] = note
    return note.id
end

local function both(en, zh, ...)
    return { en = string.format(en, ...), zh = string.format(zh, ...) }
end

local function with(pattern, part)
    return { en = string.format(pattern.en, part.en),
             zh = string.format(pattern.zh, part.zh) }
end

-- ---- passwords ----

local places = { { en = "at home", zh = "家里" }, { en = "at the office", zh = "办公室" },
                 { en = "at Grandma's", zh = "奶奶家" } }
local wifi = {}
for i, place in ipairs(places) do
    local code = r.pick(woods) .. "-" .. r.int(1000, 9999) .. "-" ..
                 r.pick(beasts)
    wifi[i] = { place = place, code = code, id = add{
        title = with({ en = "Wi-Fi %s", zh = "%s的Wi-Fi" }, place),
        body = both("The box is behind the shelf; the label on it is wrong." ..
            " Password: %s", "路由器在架子后面，上面贴的标签是错的。密码：%s",
            code) } }
end

-- ---- bills ----

local cents = content.prices("notes")
local bills, water = {}, {}
for i, month in ipairs(months) do
    local amount = cents(3000, 9900)
    bills[i] = { month = month, amount = amount, id = add{ folder = 2,
        title = with({ en = "Electricity, %s", zh = "%s电费" }, month),
        body = both("Meter reading %d kWh, sent by post, paid from the joint" ..
            " account. Amount: %%s", "电表读数 %d 度，已邮寄，从共同账户支付。" ..
            "金额：%%s", r.int(20000, 60000)), amount = amount } }
end
for i = 1, 2 do
    local amount = cents(1000, 2900)
    water[i] = { amount = amount, id = add{ folder = 2,
        title = with({ en = "Water, %s", zh = "%s水费" }, months[i + 2]),
        body = both("%d cubic metres, less than the neighbours." ..
            " Paid on time, for once. Amount: %%s",
            "%d 立方米，比邻居家少。这次按时交了。金额：%%s", r.int(9, 30)),
        amount = amount } }
end

-- ---- trips ----

local spending = {
    { { en = "%s: hotel", zh = "%s：酒店" },
      { en = "Three nights with breakfast, quiet room to the yard." ..
             " Paid by card: %s",
        zh = "三晚含早餐，房间朝院子，很安静。刷卡支付：%s" }, 18000, 42000 },
    { { en = "%s: train", zh = "%s：火车" },
      { en = "There and back, second class, seats by the window." ..
             " Both tickets: %s",
        zh = "往返二等座，靠窗的位置。两张票一共：%s" }, 6000, 15000 },
    { { en = "%s: museum", zh = "%s：博物馆" },
      { en = "The line was long, the café good. Ticket and audio guide: %s",
        zh = "排队很久，咖啡馆不错。门票加语音导览：%s" }, 1500, 4900 },
}
local chosen = r.shuffle(cities)
local trips = {}
for i = 1, 2 do
    local trip = { city = chosen[i], ids = {}, total = 0 }
    for j, part in ipairs(spending) do
        local amount = cents(part[3], part[4])
        trip.ids[j] = add{ folder = 3, title = with(part[1], chosen[i]),
                           body = part[2], amount = amount }
        trip.total = trip.total + amount
    end
    trips[i] = trip
end

-- ---- check lists ----

local function list(title, folder, things, done)
    local items = {}
    for i, thing in ipairs(things) do
        items[i] = { text = thing, done = i <= done }
    end
    return add{ title = title, folder = folder, check = true, body = "",
                items = items }
end

local gear = {
    { en = "Rain jacket", zh = "雨衣" }, { en = "Torch", zh = "手电筒" },
    { en = "First-aid kit", zh = "急救包" }, { en = "Sun cream", zh = "防晒霜" },
    { en = "Sleeping bag", zh = "睡袋" }, { en = "Water bottle", zh = "水壶" },
    { en = "Spare socks", zh = "备用袜子" }, { en = "Charger", zh = "充电器" },
    { en = "Map", zh = "纸质地图" },
}
local packing = {}
for i, place in ipairs{ { en = "the lake", zh = "湖边" },
                        { en = "the mountains", zh = "山区" } } do
    local things = { table.unpack(r.shuffle(gear), 1, 7) }
    packing[i] = { place = place, things = things,
        id = list(with({ en = "Packing for %s", zh = "去%s的行李" }, place), 3,
                  things, i == 2 and 2 or 0) }
end

local groceries = list({ en = "Groceries", zh = "买菜清单" }, 1, {
    { en = "Oat milk", zh = "燕麦奶" }, { en = "Tomatoes", zh = "西红柿" },
    { en = "Rye bread", zh = "黑麦面包" }, { en = "Coffee", zh = "咖啡" },
    { en = "Lemons", zh = "柠檬" } }, 1)
list({ en = "Repairs in the flat", zh = "家里要修的东西" }, 1, {
    { en = "Dripping tap", zh = "滴水的水龙头" },
    { en = "Loose handle", zh = "松动的把手" },
    { en = "Kitchen lamp", zh = "厨房的灯" } }, 3)
list({ en = "Before the holidays", zh = "放假前要做的事" }, 1, {
    { en = "Return the library books", zh = "还图书馆的书" },
    { en = "Water the plants", zh = "给植物浇水" },
    { en = "Empty the fridge", zh = "清空冰箱" } }, 3)

-- ---- a move to another flat ----

local moving = {}
for i, part in ipairs{
    { { en = "Moving: van", zh = "搬家：货车" },
      { en = "The firm at the station has one free on Saturday.",
        zh = "车站旁边那家公司周六有一辆空车。" } },
    { { en = "Moving: boxes", zh = "搬家：纸箱" },
      { en = "Thirty large ones; the neighbour still has some in the cellar.",
        zh = "要三十个大的，邻居地下室里还有一些。" } },
    { { en = "Moving: keys", zh = "搬家：钥匙" },
      { en = "Hand over three, and keep the receipt.",
        zh = "交还三把，收条要留好。" } } } do
    moving[i] = add{ title = part[1], body = part[2] }
end

-- ---- what else there is ----

for _, part in ipairs{
    { { en = "Soup recipe", zh = "汤的做法" },
      { en = "Two leeks, four potatoes, a litre of stock, nutmeg.",
        zh = "两根大葱，四个土豆，一升高汤，一点豆蔻。" } },
    { { en = "Book club", zh = "读书会" },
      { en = "Each of us brings one book and reads the first page aloud.",
        zh = "每人带一本书，朗读第一页。" } },
    { { en = "Curtains", zh = "窗帘" },
      { en = "The left window is wider than the right one. Measure again.",
        zh = "左边的窗户比右边宽，再量一次。" } },
    { { en = "Ideas for the garden", zh = "花园的想法" },
      { en = "Lavender along the path, beans where the shed was.",
        zh = "小路两旁种薰衣草，旧棚子那里种豆角。" } } } do
    add{ title = part[1], body = part[2] }
end

local locker = { number = r.int(101, 899) }
locker.id = add{ title = { en = "Swimming pool", zh = "游泳馆" }, trashed = true,
    body = both("Open until ten; bring a coin. My locker has the number %d.",
                "开到晚上十点，要带硬币。我的储物柜是 %d 号。", locker.number) }
add{ title = { en = "Old phone", zh = "旧手机" }, trashed = true,
     body = { en = "The battery lasts for an hour. Recycle it.",
              zh = "电池只能用一小时，拿去回收。" } }

-- ---- ages ----

-- Days since the last change, and since it was made: both all different.
local changed, made = {}, {}
for i = 1, #notes do
    changed[i], made[i] = i * 4 + r.int(0, 3), i * 9 + r.int(0, 8)
end
changed, made = r.shuffle(changed), r.shuffle(made)
for i, note in ipairs(notes) do
    note.changed = changed[i]
    note.made = math.max(made[i], changed[i] + 1)
end
local colours = { "plain", "plain", "yellow", "blue", "pink", "plain" }
for _, note in ipairs(notes) do
    note.colour = note.check and "plain" or r.pick(colours)
end

return { notes = notes, wifi = wifi, bills = bills, water = water,
         trips = trips, packing = packing, groceries = groceries,
         moving = moving, locker = locker }
