-- The content of Pay: people, cards, bills, requests and what the
-- mini-programs offer.

local categories = {
    { id = "food", name = { en = "Food", zh = "餐饮" }, icon = "food" },
    { id = "transport", name = { en = "Transport", zh = "交通" },
      icon = "bus" },
    { id = "shopping", name = { en = "Shopping", zh = "购物" }, icon = "bag" },
    { id = "home", name = { en = "Household", zh = "居家" }, icon = "home" },
    { id = "fun", name = { en = "Leisure", zh = "娱乐" }, icon = "ticket" },
    { id = "health", name = { en = "Health", zh = "健康" }, icon = "heart" },
    { id = "transfer", name = { en = "Transfers", zh = "转账" },
      icon = "send" },
    { id = "income", name = { en = "Income", zh = "收入" },
      icon = "download" },
}
local SPENDING = 6 -- the first of them are of expenses

-- What a merchant's name ends with, by category.
local trades = {
    { { en = "Bakery", zh = "面包房" }, { en = "Noodles", zh = "面馆" },
      { en = "Grill", zh = "烧烤店" } },
    { { en = "Taxi", zh = "出行" }, { en = "Rail", zh = "铁路" },
      { en = "Parking", zh = "停车场" } },
    { { en = "Outfitters", zh = "服饰" }, { en = "Books", zh = "书店" },
      { en = "Electronics", zh = "数码" } },
    { { en = "Furniture", zh = "家具" }, { en = "Water Works", zh = "自来水" },
      { en = "Hardware", zh = "五金" } },
    { { en = "Cinema", zh = "影城" }, { en = "Games", zh = "电玩" },
      { en = "Karaoke", zh = "歌厅" } },
    { { en = "Pharmacy", zh = "药房" }, { en = "Dental", zh = "口腔诊所" },
      { en = "Fitness", zh = "健身" } },
}

local function digits(r, count)
    local said = ""
    for _ = 1, count do
        said = said .. r.int(0, 9)
    end
    return said
end

local function new_name(make, taken)
    local name
    repeat
        name = make()
    until not taken[name.en] and not taken[name.zh]
    taken[name.en], taken[name.zh] = true, true
    return name
end

local function join_names(first, second)
    return { en = first.en .. " " .. second.en, zh = first.zh .. second.zh }
end

-- ---- people ----

local PEOPLE = 10
local TWIN = 7 -- has the name of the second person

local function make_people()
    local r, taken, tails, list = random("people"), {}, {}, {}
    for id = 1, PEOPLE do
        local tail
        repeat
            tail = "2" .. digits(r, 3)
        until not tails[tail]
        tails[tail] = true
        list[id] = { id = id, tail = tail,
            name = id == TWIN and list[2].name or
                new_name(function() return content.person(r) end, taken),
            phone = "1" .. digits(r, 2) .. " " .. digits(r, 4) .. " " ..
                digits(r, 4) }
    end
    return list
end

local people = make_people()

-- ---- ways to pay ----

local function make_ways()
    local r, taken = random("cards"), {}
    local list = { { id = "balance", name = { en = "Balance", zh = "余额" } } }
    local kinds = { { en = "Debit card", zh = "储蓄卡" },
                    { en = "Credit card", zh = "信用卡" },
                    { en = "Debit card", zh = "储蓄卡" } }
    for i, kind in ipairs(kinds) do
        local bank = new_name(function() return content.brand(r) end, taken)
        list[#list + 1] = { id = "card" .. i, kind = kind,
            name = join_names(bank, { en = "Bank", zh = "银行" }),
            tail = "8" .. i .. digits(r, 2) }
    end
    return list
end

local ways = make_ways()

-- ---- bills ----

-- A month is counted from year 0.
local function month_of(day)
    local year, month = dates.parts(day)
    return year * 12 + month - 1
end

local function first_day(month)
    return dates.day(month // 12, month % 12 + 1, 1)
end

local MONTHS = 4
local this_month = month_of(dates.today())
local months = {}
for i = 0, MONTHS - 1 do
    months[#months + 1] = this_month - i
end

local function make_merchants()
    local r, taken, list = random("merchants"), {}, {}
    for place = 1, SPENDING do
        for _, trade in ipairs(trades[place]) do
            local brand = new_name(function() return content.brand(r) end,
                                   taken)
            list[#list + 1] = { id = #list + 1,
                name = join_names(brand, trade),
                category = categories[place].id }
        end
    end
    return list
end

local merchants = make_merchants()

-- Those of today are of the night, before the phone was switched on.
local function make_bill(r, day, who, category, cents)
    local minute = r.int(7 * 60, 22 * 60)
    return { day = day, minute = day < dates.today() and minute or
             minute // 10, who = who,
             category = category, cents = cents, way = r.pick(ways).id,
             number = digits(r, 6) .. digits(r, 6) }
end

local function make_bills()
    local r, price, list = random("bills"), content.prices("bills"), {}
    local employer = join_names(content.brand(r), { en = "Ltd", zh = "公司" })
    for i = 0, MONTHS - 1 do
        local first = first_day(this_month - i)
        local final = math.min(first_day(this_month - i + 1) - 1,
                               dates.today())
        local function some_day() return r.int(first, final) end
        for _ = 1, 15 do
            local shop = r.pick(merchants)
            list[#list + 1] = make_bill(r, some_day(), shop.name,
                shop.category, -price(300, 24000))
        end
        local someone, other = r.pick(people), r.pick(people)
        list[#list + 1] = make_bill(r, some_day(), someone.name, "transfer",
            -price(2000, 40000))
        list[#list + 1] = make_bill(r, some_day(), other.name, "transfer",
            price(2000, 40000))
        list[#list + 1] = make_bill(r, first, employer, "income",
            price(300000, 500000))
    end
    table.sort(list, function(a, b)
        return a.day > b.day or a.day == b.day and a.minute > b.minute
    end)
    for id, bill in ipairs(list) do
        bill.id = id
    end
    return list
end

local bills = make_bills()

-- ---- requests ----

local reasons = { { en = "Concert tickets", zh = "演唱会门票" },
                  { en = "Dinner on Friday", zh = "周五晚饭" },
                  { en = "Petrol", zh = "油费" },
                  { en = "Birthday present", zh = "生日礼物" },
                  { en = "Hotel", zh = "酒店" },
                  { en = "Groceries", zh = "买菜" },
                  { en = "Football pitch", zh = "足球场地费" } }

-- Incoming: the third person asks twice, and one of both is paid already.
-- Outgoing: the largest one is paid already.
local function make_requests()
    local r, price, list = random("requests"), content.prices("requests"), {}
    local some = r.shuffle(reasons)
    local function add(mine, person, status)
        list[#list + 1] = { id = #list + 1, mine = mine, person = person,
            status = status, cents = price(1200, 19000), note =
            some[#list % #some + 1], day = dates.today() - 2 * #list -
            r.int(1, 2) }
    end
    add(false, 4, "open")
    add(false, 3, "paid")
    add(false, 3, "open")
    add(false, 9, "declined")
    add(false, 6, "open")
    for _, person in ipairs{ 1, 5, 8, 10 } do
        add(true, person, "open")
    end
    local most = 0
    for _, request in ipairs(list) do
        most = request.mine and math.max(most, request.cents) or most
    end
    add(true, 6, "paid")
    list[#list].cents = most + price(500, 900)
    return list
end

local requests = make_requests()

-- ---- automatic payments ----

-- Each year means that the price is of a year.
local function make_autos()
    local r, price, taken, list = random("autos"), content.prices("autos"),
                                  {}, {}
    local services = { { en = "Video", zh = "视频会员" },
                       { en = "Cloud", zh = "云盘" },
                       { en = "Music", zh = "音乐会员" },
                       { en = "News", zh = "新闻订阅" } }
    for id, service in ipairs(r.shuffle(services)) do
        local brand = new_name(function() return content.brand(r) end, taken)
        local yearly = id == 2
        list[id] = { id = id, name = join_names(brand, service),
            yearly = yearly, way = r.pick(ways).id,
            cents = yearly and price(3000, 6000) or price(800, 2600),
            day = dates.today() + r.int(2, 27) }
    end
    return list
end

local autos = make_autos()

-- ---- mini-programs ----

-- What one unit of the phone's currency buys, in units of 1/10000. Several is
-- the English name for an amount, as tasks say it.
local currencies = {
    { id = "EUR", name = { en = "Euro", zh = "欧元" }, several = "euros",
      usd = 9200, cny = 1280 },
    { id = "JPY", name = { en = "Japanese yen", zh = "日元" },
      several = "Japanese yen",
      usd = 1510000, cny = 209000 },
    { id = "GBP", name = { en = "British pound", zh = "英镑" },
      several = "British pounds", usd = 7800, cny = 1090 },
    { id = "THB", name = { en = "Thai baht", zh = "泰铢" },
      several = "Thai baht", usd = 345000, cny = 48000 },
    { id = "NZD", name = { en = "New Zealand dollar", zh = "新西兰元" },
      several = "New Zealand dollars",
      usd = 16600, cny = 2310 },
    { id = "NOK", name = { en = "Norwegian krone", zh = "挪威克朗" },
      several = "Norwegian kroner",
      usd = 108000, cny = 15000 },
}
for _, currency in ipairs(currencies) do
    local r = random("rate", currency.id)
    currency.usd = currency.usd * r.int(930, 1070) // 1000
    currency.cny = currency.cny * r.int(930, 1070) // 1000
end

local function rate_of(currency)
    return t{ en = "usd", zh = "cny" } == "usd" and currency.usd or
           currency.cny
end

-- The rate and the amount that is received, in hundredths.
local function exchanged(cents, currency, backwards)
    local rate = rate_of(currency)
    return backwards and cents * 10000 // rate or cents * rate // 10000
end

local function make_meters()
    local r, price, list = random("meters"), content.prices("meters"), {}
    for id, name in ipairs{ { en = "My flat", zh = "我家" },
                            { en = "My parents' flat", zh = "爸妈家" },
                            { en = "The studio", zh = "工作室" } } do
        list[id] = { id = id, name = name, address = content.address(r),
            number = digits(r, 8), due = id == 1 and 0 or price(3000, 12000) }
    end
    return list
end

local meters = make_meters()

-- The two nearest bicycles have little charge left.
local function make_bikes()
    local r, price, list = random("bikes"), content.prices("bikes"), {}
    local metres = 40
    for place = 1, 7 do
        metres = metres + r.int(25, 90)
        list[place] = { metres = metres, code = digits(r, 6),
            price = price(120, 400), battery = place < 3 and r.int(12, 48) or
            place == 3 and r.int(62, 80) or r.int(20, 99) }
    end
    list = r.shuffle(list)
    for id, bike in ipairs(list) do
        bike.id = id
    end
    return list
end

return { categories = categories, spending = SPENDING, people = people,
         ways = ways, months = months, merchants = merchants, bills = bills,
         requests = requests, autos = autos, currencies = currencies,
         rate_of = rate_of, exchanged = exchanged, meters = meters,
         bikes = make_bikes(), month_of = month_of, first_day = first_day,
         code = digits(random("code"), 4),
         balance = random("balance").int(90000, 250000) }
