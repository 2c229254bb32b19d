-- The leagues, teams and players of Sports. Each is known by its place in its
-- list.

-- ---- the sports ----

-- How a match goes on: minutes since the kick-off, and those on its clock.
-- Lines are the positions: how many players a squad has there, how many of
-- them play, and how likely it is that a goal is theirs, in percent.
local sports = {
    football = { id = "football", halves = 2, phases = {
            { 0, 45, 0, 45 }, { 45, 60, 45, 45 }, { 60, 107, 45, 90 } },
        lines = { { id = "keeper", many = 2, first = 1, part = 0 },
                  { id = "defender", many = 5, first = 4, part = 12 },
                  { id = "midfielder", many = 5, first = 4, part = 32 },
                  { id = "striker", many = 4, first = 2, part = 56 } },
        tries = 7, chance = 0.21, win = 3, draw = 1, loss = 0, cards = 6 },
    hockey = { id = "hockey", halves = 3, phases = {
            { 0, 35, 0, 20 }, { 35, 50, 20, 20 }, { 50, 85, 20, 40 },
            { 85, 100, 40, 40 }, { 100, 135, 40, 60 } },
        lines = { { id = "goalie", many = 2, first = 1, part = 0 },
                  { id = "defence", many = 5, first = 4, part = 22 },
                  { id = "forward", many = 7, first = 6, part = 78 } },
        tries = 11, chance = 0.27, win = 2, draw = 1, loss = 0, cards = 7 },
    basketball = { id = "basketball", halves = 4, phases = {
            { 0, 22, 0, 10 }, { 22, 25, 10, 10 }, { 25, 47, 10, 20 },
            { 47, 62, 20, 20 }, { 62, 84, 20, 30 }, { 84, 87, 30, 30 },
            { 87, 110, 30, 40 } },
        lines = { { id = "guard", many = 4, first = 3 },
                  { id = "wing", many = 4, first = 3 },
                  { id = "centre", many = 2, first = 2 } },
        win = 2, draw = 0, loss = 1 },
}

-- ---- names ----

local first_names = {
    { en = "Anton", zh = "安东" }, { en = "Bruno", zh = "布鲁诺" },
    { en = "Caspar", zh = "卡斯帕" }, { en = "Dario", zh = "达里奥" },
    { en = "Emil", zh = "埃米尔" }, { en = "Filip", zh = "菲利普" },
    { en = "Gael", zh = "加埃尔" }, { en = "Henrik", zh = "亨里克" },
    { en = "Ivo", zh = "伊沃" }, { en = "Jakob", zh = "雅各布" },
    { en = "Karim", zh = "卡里姆" }, { en = "Luca", zh = "卢卡" },
    { en = "Marek", zh = "马雷克" }, { en = "Nils", zh = "尼尔斯" },
    { en = "Oskar", zh = "奥斯卡" }, { en = "Pablo", zh = "巴勃罗" },
    { en = "Rafael", zh = "拉斐尔" }, { en = "Stefan", zh = "斯特凡" },
    { en = "Tomas", zh = "托马斯" }, { en = "Ulrik", zh = "乌尔里克" },
    { en = "Viktor", zh = "维克托" }, { en = "Yannick", zh = "扬尼克" },
    { en = "Adrian", zh = "阿德里安" }, { en = "Mateo", zh = "马特奥" },
    { en = "Simon", zh = "西蒙" }, { en = "Elias", zh = "埃利亚斯" },
    { en = "Joel", zh = "若埃尔" }, { en = "Leon", zh = "莱昂" },
}
local last_names = {
    { en = "Abrams", zh = "艾布拉姆斯" }, { en = "Baumann", zh = "鲍曼" },
    { en = "Carvalho", zh = "卡瓦略" }, { en = "Dahl", zh = "达尔" },
    { en = "Esposito", zh = "埃斯波西托" }, { en = "Ferrand", zh = "费朗" },
    { en = "Grahn", zh = "格兰" }, { en = "Halvorsen", zh = "哈尔沃森" },
    { en = "Ilic", zh = "伊利奇" }, { en = "Jovanov", zh = "约瓦诺夫" },
    { en = "Kovacs", zh = "科瓦奇" }, { en = "Lindqvist", zh = "林德奎斯特" },
    { en = "Mbeki", zh = "姆贝基" }, { en = "Nakata", zh = "中田" },
    { en = "Oliveira", zh = "奥利维拉" }, { en = "Petrov", zh = "彼得罗夫" },
    { en = "Quintero", zh = "金特罗" }, { en = "Rossi", zh = "罗西" },
    { en = "Santos", zh = "桑托斯" }, { en = "Traore", zh = "特劳雷" },
    { en = "Ulloa", zh = "乌略亚" }, { en = "Varga", zh = "瓦尔加" },
    { en = "Weiss", zh = "魏斯" }, { en = "Yilmaz", zh = "伊尔马兹" },
    { en = "Zeman", zh = "泽曼" }, { en = "Bakker", zh = "巴克" },
    { en = "Cortes", zh = "科尔特斯" }, { en = "Duarte", zh = "杜阿尔特" },
    { en = "Falk", zh = "法尔克" }, { en = "Moreau", zh = "莫罗" },
    { en = "Nygaard", zh = "尼高" }, { en = "Palmer", zh = "帕尔默" },
    { en = "Sorensen", zh = "索伦森" }, { en = "Tanaka", zh = "田中" },
    { en = "Vidal", zh = "比达尔" }, { en = "Wolff", zh = "沃尔夫" },
}
local countries = {
    { en = "Brazil", zh = "巴西" }, { en = "Norway", zh = "挪威" },
    { en = "Croatia", zh = "克罗地亚" }, { en = "Japan", zh = "日本" },
    { en = "Senegal", zh = "塞内加尔" }, { en = "Portugal", zh = "葡萄牙" },
    { en = "Canada", zh = "加拿大" }, { en = "Hungary", zh = "匈牙利" },
    { en = "Chile", zh = "智利" }, { en = "Denmark", zh = "丹麦" },
    { en = "Morocco", zh = "摩洛哥" }, { en = "Austria", zh = "奥地利" },
    { en = "Australia", zh = "澳大利亚" }, { en = "Türkiye", zh = "土耳其" },
}

-- What follows the name of the city.
local endings = {
    football = {
        { en = "United", zh = "联", short = "U" },
        { en = "Rovers", zh = "流浪者", short = "R" },
        { en = "Athletic", zh = "竞技", short = "A" },
        { en = "City", zh = "城", short = "C" },
        { en = "Wanderers", zh = "漫游者", short = "W" },
        { en = "Rangers", zh = "游骑兵", short = "G" },
        { en = "Town", zh = "镇", short = "T" },
    },
    basketball = {
        { en = "Comets", zh = "彗星", short = "C" },
        { en = "Falcons", zh = "猎鹰", short = "F" },
        { en = "Giants", zh = "巨人", short = "G" },
        { en = "Storm", zh = "风暴", short = "S" },
        { en = "Wolves", zh = "群狼", short = "W" },
        { en = "Pilots", zh = "飞行者", short = "P" },
        { en = "Sharks", zh = "鲨鱼", short = "S" },
        { en = "Kings", zh = "国王", short = "K" },
    },
    hockey = {
        { en = "Polar Bears", zh = "北极熊", short = "P" },
        { en = "Ice Foxes", zh = "冰狐", short = "F" },
        { en = "Blades", zh = "冰刃", short = "B" },
        { en = "Moose", zh = "驼鹿", short = "M" },
        { en = "Avalanche", zh = "雪崩", short = "A" },
        { en = "Lynx", zh = "猞猁", short = "L" },
        { en = "Owls", zh = "雪鸮", short = "O" },
        { en = "Hammers", zh = "铁锤", short = "H" },
    },
}
local grounds = {
    { en = "%s Park", zh = "%s公园球场" }, { en = "%s Road", zh = "%s路球场" },
    { en = "%s Arena", zh = "%s体育馆" }, { en = "%s Stadium", zh = "%s体育场" },
}
-- The colours of crests: the ground, and what is on it.
local colours = {
    { "#b3261e", "#ffffff" }, { "#12468f", "#ffffff" },
    { "#1b6b3a", "#ffe066" }, { "#f2b705", "#2b2100" },
    { "#5b2a86", "#f3e5ff" }, { "#111827", "#f5d90a" },
    { "#0e7490", "#ffffff" }, { "#d9480f", "#fff4e6" },
    { "#ffffff", "#b3261e" }, { "#7f1d1d", "#9ad8ff" },
    { "#4d7c0f", "#ffffff" }, { "#e7e5e4", "#12468f" },
}

local taken = {}

local function new_brand(r)
    local name
    repeat
        name = content.brand(r)
    until not taken[name.en] and not taken[name.zh]
    taken[name.en], taken[name.zh] = true, true
    return name
end

local function join_names(first, second, between)
    return { en = first.en .. " " .. second.en,
             zh = first.zh .. (between or "") .. second.zh }
end

-- ---- leagues ----

-- `played` rounds are over; the next one begins in `next` days. Rounds are
-- `interval` days apart, and last for `days` days. Each match of a round has
-- its kick-off among `minutes`.
local leagues = {
    { sport = "football", teams = 10, played = 9, next = 2, interval = 7,
      days = 2, minutes = { 900, 930, 1065, 1140, 1215 },
      name = { en = "Premier League", zh = "超级联赛" } },
    { sport = "football", teams = 12, played = 11, next = 0, interval = 7,
      days = 1, minutes = { 490, 600, 710, 820, 930, 1170 },
      name = { en = "Championship", zh = "甲级联赛" } },
    { sport = "basketball", teams = 8, played = 8, next = 0, interval = 4,
      days = 1, minutes = { 1140, 1170, 1215, 1260 },
      name = { en = "Basketball League", zh = "篮球联赛" } },
    { sport = "hockey", teams = 8, played = 9, next = 4, interval = 5,
      days = 1, minutes = { 1110, 1140, 1170, 1200 },
      name = { en = "Ice Hockey League", zh = "冰球联赛" } },
}

-- The first two leagues are of one country, and so are the others.
local function make_leagues()
    local r = random("leagues")
    local land, other_land = new_brand(r), new_brand(r)
    for id, league in ipairs(leagues) do
        league.id = id
        league.name = join_names(id < 3 and land or other_land, league.name)
        league.colour = colours[r.int(1, 8)]
    end
end

make_leagues()

-- ---- teams ----

local teams, players = {}, {}

-- The first two cities have two teams in the first league, and one in
-- another: one name may stand for several.
local CITIES = 21
local cities = {}
for place = 1, CITIES do
    cities[place] = new_brand(random("city", place))
end
local homes = { { 1, 1, 2, 2, 3, 4, 5, 6, 7, 8 },
                { 9, 10, 11, 12, 13, 14, 15, 16, 17, 3, 4, 5 },
                { 1, 2, 3, 18, 19, 20, 21, 6 },
                { 2, 4, 18, 19, 20, 21, 7, 8 } }

local function short_of(city, ending)
    return { en = (city.en:sub(1, 2) .. ending.short):upper(),
             zh = utf8.sub(city.zh, 1, 2) }
end

local function years_of(r, most)
    local years = {}
    for _ = 1, r.int(0, most) do
        content.new_number(r, 1962, dates.parts(dates.today()) - 2, years)
    end
    return table.sort(years)
end

local function add_team(league, city, ending, strength)
    local id = #teams + 1
    local r = random("team", id)
    local ground = r.pick(grounds)
    local street = new_brand(r)
    teams[id] = { id = id, league = league.id, sport = league.sport,
        city = city, name = join_names(cities[city], ending),
        short = short_of(cities[city], ending), strength = strength,
        colour = colours[(id * 5 + r.int(0, 2)) % #colours + 1],
        ground = { en = ground.en:replace("%s", street.en),
                   zh = ground.zh:replace("%s", street.zh) },
        seats = r.int(40, 420) * 100, founded = r.int(1894, 1989),
        coach = content.person(r), squad = {},
        titles = years_of(r, 4), cups = years_of(r, 3) }
    return teams[id]
end

-- ---- players ----

local full_names = {}

local function new_player_name(r)
    local name
    repeat
        name = join_names(r.pick(first_names), r.pick(last_names), "·")
    until not full_names[name.en]
    full_names[name.en] = true
    return name
end

local function add_player(team, line, numbers)
    local id = #players + 1
    local r = random("player", id)
    players[id] = { id = id, team = team.id, line = line.id,
        name = new_player_name(r), country = r.pick(countries),
        number = content.new_number(r, 1, line.first == 1 and 2 or 29, numbers),
        born = dates.today() - r.int(18 * 365 + 5, 36 * 365),
        height = team.sport == "basketball" and r.int(183, 214) or
                 r.int(169, 196) }
    table.insert(team.squad, id)
end

local function make_squad(team)
    local numbers = {}
    for _, line in ipairs(sports[team.sport].lines) do
        for _ = 1, line.many do
            add_player(team, line, numbers)
        end
    end
end

local function make_teams()
    for _, league in ipairs(leagues) do
        local r = random("teams", league.id)
        local names = r.shuffle(endings[league.sport])
        local strengths = {}
        for place = 1, league.teams do
            strengths[place] = place
        end
        strengths = r.shuffle(strengths)
        league.first = #teams + 1
        for place, city in ipairs(homes[league.id]) do
            make_squad(add_team(league, city,
                                names[(place - 1) % #names + 1],
                                strengths[place]))
        end
    end
end

make_teams()

-- ---- a player's years before ----

-- Whole years since a day of birth.
local function age_of(player, day)
    local year, month, of_month = dates.parts(day)
    local born, born_month, born_day = dates.parts(player.born)
    local before = month < born_month or
                   month == born_month and of_month < born_day
    return year - born - (before and 1 or 0)
end

-- At most four seasons, the newest first and none before the age of 17. The
-- player came from another team after the first `moved` - 1 of them.
local function career_of(player)
    local r = random("career", player.id)
    local team = teams[player.team]
    local league = leagues[team.league]
    local count = math.min(4, age_of(player, dates.today()) - 17)
    local moved = r.int(1, count)
    local from = league.first + (team.id - league.first +
                                 r.int(1, league.teams - 1)) % league.teams
    local seasons = {}
    for back = 1, count do
        local scores = player.line == "striker" or player.line == "forward"
        seasons[back] = { back = back,
            team = back < moved and team.id or from,
            played = r.int(6, 30), goals = scores and r.int(2, 17) or
            r.int(0, 5), assists = r.int(0, 9) }
        if player.line == "keeper" or player.line == "goalie" then
            seasons[back].goals = 0
        end
        seasons[back].points = seasons[back].played * r.int(5, 19)
    end
    return { seasons = seasons, moved = moved, from = from,
             fee = r.int(4, 190) * 100000,
             trained = 1 + (player.id + r.int(0, 9)) % #cities }
end

return { sports = sports, leagues = leagues, teams = teams, players = players,
         cities = cities, career_of = career_of, age_of = age_of }
