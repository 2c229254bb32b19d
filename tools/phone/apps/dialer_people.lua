-- Who is known to Phone, the calls of the last weeks, and blocked numbers.

local COUNT = 22

local firms = { { en = "Harbor Dental", zh = "滨江口腔" },
                { en = "Mill Lane School", zh = "磨坊巷小学" },
                { en = "Northgate Garage", zh = "北门汽修" },
                { en = "Lakeside Clinic", zh = "湖滨诊所" },
                { en = "Union Printing", zh = "联合印刷" } }

local taken = {}

local function new_number(r)
    local number
    repeat
        number = r.pick{ "0151", "0160", "0176" } .. " 555 " ..
                 string.format("%04d", r.int(1000, 9998))
    until not taken[number]
    taken[number] = true
    return number
end

-- The same but for the last digit.
local function next_number(number)
    local last = (tonumber(number:sub(-1)) + 1) % 10
    local near = number:sub(1, -2) .. last
    taken[near] = true
    return near
end

local function make_people()
    local r, people, names = random("people"), {}, {}
    while #people < COUNT do
        local name = content.person(r)
        if not names[name.en] and not names[name.zh] then
            names[name.en], names[name.zh] = true, true
            local id = #people + 1
            local employed = id % 2 == 0
            table.insert(people, { id = id, name = name,
                mobile = new_number(r),
                work = employed and new_number(r) or "",
                firm = employed and r.pick(firms) or "" })
        end
    end
    return people
end

local people = make_people()

local r = random("calls")
local unknown = new_number(r)
local strangers = { unknown, next_number(unknown), new_number(r) }
local blocked = { new_number(r), people[5].mobile, new_number(r),
                  new_number(r) }

-- ---- calls ----

-- number, kind, days ago, minute of the day, seconds. Those of a day are not
-- at the same minute.
local calls, minutes = {}, {}
local function call(number, kind, days)
    local minute
    repeat
        minute = r.int(8 * 60, 21 * 60 + 59)
    until not minutes[minute]
    minutes[minute] = true
    table.insert(calls, { number = number, kind = kind, days = days,
        minute = minute,
        seconds = kind == "missed" and 0 or r.int(40, 2400) })
end

local mixed = r.shuffle{ 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12 }
local missed_most, missed_some = people[mixed[1]], people[mixed[2]]
for _, days in ipairs{ 3, 6, 9, 12 } do
    call(missed_most.mobile, "missed", days)
end
for _, days in ipairs{ 4, 7 } do
    call(missed_some.mobile, "missed", days)
end
call(strangers[1], "missed", 2)
call(strangers[1], "missed", 5)
call(strangers[2], "incoming", 8)
call(strangers[3], "missed", 10)
for i = 3, 9 do
    local one = people[mixed[i]]
    call(one.mobile, "incoming", i + 2)
    call(one.mobile, "outgoing", i)
    if one.work ~= "" then
        call(one.work, "outgoing", i + 9)
    end
end
call(people[mixed[10]].mobile, "incoming", 1)
call(people[mixed[11]].mobile, "outgoing", 2)
calls = table.sort(calls, function(a, b)
    if a.days ~= b.days then
        return a.days < b.days
    end
    return a.minute > b.minute
end)

return { people = people, calls = calls, strangers = strangers,
         blocked = blocked, favourites = { mixed[3], mixed[6], mixed[9], 20 },
         missed_most = missed_most.id, missed_some = missed_some.id,
         talked = mixed }
