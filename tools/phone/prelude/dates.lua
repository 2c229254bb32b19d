-- Days and times, for screens and truths. A day is a number: that of the days
-- since January 1, 1970.

dates = {}

local month_names = {
    { en = "January", zh = "1月" }, { en = "February", zh = "2月" },
    { en = "March", zh = "3月" }, { en = "April", zh = "4月" },
    { en = "May", zh = "5月" }, { en = "June", zh = "6月" },
    { en = "July", zh = "7月" }, { en = "August", zh = "8月" },
    { en = "September", zh = "9月" }, { en = "October", zh = "10月" },
    { en = "November", zh = "11月" }, { en = "December", zh = "12月" },
}
local day_names = {
    { en = "Monday", zh = "星期一" }, { en = "Tuesday", zh = "星期二" },
    { en = "Wednesday", zh = "星期三" }, { en = "Thursday", zh = "星期四" },
    { en = "Friday", zh = "星期五" }, { en = "Saturday", zh = "星期六" },
    { en = "Sunday", zh = "星期日" },
}
local day_letters = {
    { en = "M", zh = "一" }, { en = "T", zh = "二" }, { en = "W", zh = "三" },
    { en = "T", zh = "四" }, { en = "F", zh = "五" }, { en = "S", zh = "六" },
    { en = "S", zh = "日" },
}

-- ---- days ----

function dates.today()
    return math.floor(now()) // 86400
end

-- Monday is 1.
function dates.weekday(day)
    return (day + 3) % 7 + 1
end

-- Years begin in March, so that a leap day is the last of its year.
function dates.day(year, month, day)
    local y = month > 2 and year or year - 1
    local m = (month + 9) % 12
    return 365 * y + y // 4 - y // 100 + y // 400 + (153 * m + 2) // 5 +
           day - 1 - 719468
end

-- Year, month, and day of the month.
function dates.parts(day)
    local days = day + 719468
    local era = days // 146097
    local rest = days - era * 146097
    local year = (rest - rest // 1460 + rest // 36524 - rest // 146096) // 365
    local in_year = rest - (365 * year + year // 4 - year // 100)
    local month = (5 * in_year + 2) // 153
    local of_month = in_year - (153 * month + 2) // 5 + 1
    month = month < 10 and month + 3 or month - 9
    return era * 400 + year + (month <= 2 and 1 or 0), month, of_month
end

-- ---- texts ----

-- "November", "11月".
function dates.month_name(day)
    local _, month = dates.parts(day)
    return t(month_names[month])
end

-- "November 2026", "2026年11月".
function dates.month(day)
    local year, month = dates.parts(day)
    return t{ en = month_names[month].en .. " " .. year,
              zh = year .. "年" .. month .. "月" }
end

-- "Wednesday", "星期三".
function dates.weekday_name(day)
    return t(day_names[dates.weekday(day)])
end

-- "Nov 18", "11月18日".
function dates.short(day)
    local _, month, of_month = dates.parts(day)
    return t{ en = month_names[month].en:sub(1, 3) .. " " .. of_month,
              zh = month .. "月" .. of_month .. "日" }
end

-- "Nov 18, 2026", "2026年11月18日".
function dates.full(day)
    local year = dates.parts(day)
    return t{ en = dates.short(day) .. ", " .. year,
              zh = year .. "年" .. dates.short(day) }
end

-- "Wednesday, November 18", "11月18日星期三".
function dates.long(day)
    local _, month, of_month = dates.parts(day)
    local name = day_names[dates.weekday(day)]
    return t{ en = name.en .. ", " .. month_names[month].en .. " " .. of_month,
              zh = month .. "月" .. of_month .. "日" .. name.zh }
end

-- "Wed, Nov 18", "11月18日 周三".
function dates.medium(day)
    local name = day_names[dates.weekday(day)]
    return t{ en = name.en:sub(1, 3) .. ", " .. dates.short(day),
              zh = dates.short(day) .. " 周" ..
                   day_letters[dates.weekday(day)].zh }
end

-- Minutes since midnight: "09:05".
function dates.time(minutes)
    return string.format("%02d:%02d", minutes // 60 % 24, minutes % 60)
end

-- Of minutes since January 1, 1970: the time of that day, the date of others.
function dates.recent(minute, day)
    if minute // 1440 == day then
        return dates.time(minute % 1440)
    end
    return dates.short(minute // 1440)
end

-- ---- calendar ----

local function month_length(year, month)
    local next_year = month == 12 and year + 1 or year
    return dates.day(next_year, month % 12 + 1, 1) - dates.day(year, month, 1)
end

local function day_cell(parts, day, of_month)
    local ends = day == parts.from or day == parts.to
    local between = parts.from and parts.to and day > parts.from and
                    day < parts.to
    local past = day < parts.least
    return column{ weight = 1, height = 44, across = "center", down = "center",
        id = "day", key = "day" .. day, radius = 22,
        background = ends and "primary" or between and "primary_container" or
            nil,
        description = dates.long(day), selected = ends or between or false,
        on_click = not past and { parts.pick, day } or nil,
        text{ of_month, style = "body_medium", text_align = "center",
            ink = ends and "on_primary" or past and "outline_variant" or
                "on_surface" } }
end

local function month_rows(parts, first)
    local year, month = dates.parts(first)
    local length = month_length(year, month)
    local lead = dates.weekday(first) - 1
    local rows = {}
    for week = 0, (lead + length - 1) // 7 do
        local cells = {}
        for weekday = 1, 7 do
            local of_month = week * 7 + weekday - lead
            local inside = of_month >= 1 and of_month <= length
            cells[weekday] = inside and
                day_cell(parts, first + of_month - 1, of_month) or
                space{ weight = 1, height = 44 }
        end
        rows[#rows + 1] = row{ width = "fill", cells }
    end
    return rows
end

-- Months below each other, from that of the day `least`, before which no day
-- can be picked. `pick` is a handler, which gets the day; `from` and `to` are
-- marked.
function dates.calendar(parts)
    local year, month = dates.parts(parts.least)
    local months = {}
    for i = 0, parts.months - 1 do
        local y, m = year + (month - 1 + i) // 12, (month - 1 + i) % 12 + 1
        months[#months + 1] = text{
            dates.month(dates.day(y, m, 1)),
            style = "title_small", padding = 8, padding_top = 16,
            id = "month" }
        months[#months + 1] = month_rows(parts, dates.day(y, m, 1))
    end
    return column{ width = "fill", weight = 1, padding_left = 12,
        padding_right = 12,
        row{ width = "fill", table.map(day_letters, function(letter)
            return text{ letter, weight = 1, text_align = "center",
                style = "label_medium", ink = "on_surface_variant" }
        end) },
        list{ weight = 1, id = "calendar", months } }
end
