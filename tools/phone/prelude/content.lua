-- Generated content of apps: derived from the seed, so that no two phones have
-- the same, and nothing of it can be known beforehand.
local phone = ...

content = {}

local starts = { "Ba", "Ce", "Do", "Fa", "Ga", "Ho", "Ka", "Lu", "Ma", "Ne",
                 "Or", "Pe", "Quo", "Ri", "Sa", "Te", "Va", "We", "Xy", "Zo",
                 "Bri", "Cla", "Dre", "Fli", "Gro", "Kri", "Pla", "Sto", "Tri",
                 "Vel" }
local middles = { "la", "ri", "no", "ve", "mi", "sa", "to", "de", "lo", "ne",
                  "ra", "vi", "do", "ke", "lu", "ma", "si", "ta", "bo", "ze" }
local ends = { "x", "n", "ra", "lis", "vo", "ta", "mo", "nic", "dex", "ly",
               "rn", "que", "sse", "nt", "ro", "ka", "wn", "th", "ll", "sk" }
local hanzi = { "云", "山", "海", "星", "木", "禾", "青", "白", "远", "安",
                "宁", "乐", "和", "信", "达", "科", "博", "雅", "晨", "朗",
                "启", "元", "微", "界", "森", "原", "松", "柏", "帆", "舟",
                "玉", "琪", "瑞", "丰", "庆", "新", "优", "品", "佳", "宜" }

-- An invented name, in both languages.
function content.brand(r)
    local zh = ""
    for _ = 1, r.int(2, 3) do
        zh = zh .. r.pick(hanzi)
    end
    return { en = r.pick(starts) .. r.pick(middles) .. r.pick(ends), zh = zh }
end

local first_names = {
    { en = "Ada", zh = "思远" }, { en = "Ben", zh = "子轩" },
    { en = "Clara", zh = "雨桐" }, { en = "David", zh = "浩然" },
    { en = "Elena", zh = "欣怡" }, { en = "Felix", zh = "宇航" },
    { en = "Grace", zh = "诗涵" }, { en = "Hugo", zh = "俊杰" },
    { en = "Iris", zh = "梦琪" }, { en = "Jonas", zh = "志强" },
    { en = "Kira", zh = "晓雯" }, { en = "Liam", zh = "建国" },
    { en = "Mina", zh = "美玲" }, { en = "Noah", zh = "天宇" },
    { en = "Olga", zh = "秀英" }, { en = "Paul", zh = "文博" },
    { en = "Quinn", zh = "若曦" }, { en = "Rosa", zh = "佳怡" },
    { en = "Sam", zh = "一鸣" }, { en = "Tara", zh = "语嫣" },
}
local last_names = {
    { en = "Adler", zh = "王" }, { en = "Brandt", zh = "李" },
    { en = "Castro", zh = "张" }, { en = "Dunn", zh = "刘" },
    { en = "Eriksen", zh = "陈" }, { en = "Fischer", zh = "杨" },
    { en = "Gallo", zh = "黄" }, { en = "Hale", zh = "赵" },
    { en = "Ito", zh = "吴" }, { en = "Jensen", zh = "周" },
    { en = "Khan", zh = "徐" }, { en = "Lopez", zh = "孙" },
    { en = "Moore", zh = "马" }, { en = "Novak", zh = "朱" },
    { en = "Okafor", zh = "胡" }, { en = "Price", zh = "郭" },
}

function content.person(r)
    local first, last = r.pick(first_names), r.pick(last_names)
    return { en = first.en .. " " .. last.en, zh = last.zh .. first.zh }
end

-- The same, but with a name that none of the list has, in either language.
function content.another_person(r, people)
    local person
    local function taken(other)
        return other.en == person.en or other.zh == person.zh
    end
    repeat
        person = content.person(r)
    until #table.filter(people, taken) == 0
    return person
end

-- A number that is not among those of the list, which it joins.
function content.new_number(r, low, high, taken)
    local number
    repeat
        number = r.int(low, high)
    until not table.index(taken, number)
    taken[#taken + 1] = number
    return number
end

local streets = {
    { en = "Maple Street", zh = "枫林路" }, { en = "Harbor Road", zh = "滨江路" },
    { en = "Station Avenue", zh = "车站大街" }, { en = "Mill Lane", zh = "磨坊巷" },
    { en = "Garden Row", zh = "花园路" }, { en = "Kings Road", zh = "国王道" },
    { en = "Lakeside Drive", zh = "湖滨路" }, { en = "Market Square", zh = "集市广场" },
}

function content.address(r)
    local number, street = r.int(1, 240), r.pick(streets)
    return { en = number .. " " .. street.en, zh = street.zh .. number .. "号" }
end

-- Prices in cents, between limits and all different. Those of two seeds
-- differ, too: all of one seed have the same remainder.
function content.prices(name)
    local step = 103
    local rest = phone.seed * 37 % step
    local r, taken = random(name, "prices"), {}
    return function(low, high)
        local price
        repeat
            price = r.int(low // step, high // step) * step + rest
            high = high + step // 10
        until not taken[price]
        taken[price] = true
        return price
    end
end

-- From 2.8 to 5.0, in tenths; most are good.
function content.rating(r)
    return 50 - math.floor((r.real() * r.real()) * 22)
end

local praise = {
    { en = "Exactly what I was looking for.", zh = "正是我想要的。" },
    { en = "Works well, and looks good too.", zh = "好用，外观也不错。" },
    { en = "Great value for the money.", zh = "性价比很高。" },
    { en = "Arrived a day early. Very happy.", zh = "提前一天送到，很满意。" },
    { en = "My second one; the first still works.", zh = "第二次购买，质量可靠。" },
}
local blame = {
    { en = "It is all right, but smaller than I thought.",
      zh = "还行，比想象中小。" },
    { en = "Stopped working after two weeks.", zh = "用了两周就坏了。" },
    { en = "The colour is not as in the picture.", zh = "颜色和图片不一样。" },
    { en = "Delivery took far too long.", zh = "物流太慢了。" },
}

-- Stars are 1 to 5; days is the age of the review.
function content.review(r, stars)
    return { who = content.person(r), stars = stars,
             text = r.pick(stars >= 4 and praise or blame),
             days = r.int(1, 300) }
end

-- 1234567 as "1,234,567".
function grouped(number)
    local whole, done = tostring(number), ""
    while #whole > 3 do
        done = "," .. whole:sub(-3) .. done
        whole = whole:sub(1, -4)
    end
    return whole .. done
end

-- 1234567 as "1.2M" or "123万", for screens.
function shortened(number)
    local function parts(unit, sign)
        local tenths = number * 10 // unit
        return (tenths < 100 and tenths % 10 > 0 and
                string.format("%d.%d", tenths // 10, tenths % 10) or
                tostring(tenths // 10)) .. sign
    end
    if t{ en = "en", zh = "zh" } == "zh" then
        return number >= 100000000 and parts(100000000, "亿") or
               number >= 10000 and parts(10000, "万") or tostring(number)
    end
    return number >= 1000000 and parts(1000000, "M") or
           number >= 1000 and parts(1000, "K") or tostring(number)
end

-- Cents in the format of the phone's language, for screens.
function money(cents)
    return t{ en = "$", zh = "¥" } .. grouped(cents // 100) ..
           string.format(".%02d", cents % 100)
end
