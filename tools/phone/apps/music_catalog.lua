-- What Music offers: artists, their releases and songs, charts, and podcasts.
-- Songs, releases, shows and episodes are known by their place in their list.

local new_number = content.new_number
local new_person = content.another_person

local firsts = {
    { en = "Blue", zh = "蓝色" }, { en = "Silent", zh = "寂静的" },
    { en = "Golden", zh = "金色" }, { en = "Broken", zh = "破碎的" },
    { en = "Electric", zh = "电光" }, { en = "Lonely", zh = "孤独的" },
    { en = "Distant", zh = "遥远的" }, { en = "Velvet", zh = "丝绒" },
    { en = "Paper", zh = "纸做的" }, { en = "Midnight", zh = "午夜" },
    { en = "Summer", zh = "夏日" }, { en = "Winter", zh = "冬日" },
    { en = "Hollow", zh = "空心" }, { en = "Burning", zh = "燃烧的" },
    { en = "Frozen", zh = "冰封的" }, { en = "Wild", zh = "狂野的" },
    { en = "Gentle", zh = "温柔的" }, { en = "Crystal", zh = "水晶" },
    { en = "Scarlet", zh = "绯红" }, { en = "Hidden", zh = "隐秘的" },
    { en = "Falling", zh = "坠落的" }, { en = "Endless", zh = "无尽的" },
    { en = "Copper", zh = "古铜" }, { en = "Neon", zh = "霓虹" },
}
local seconds = {
    { en = "Harbor", zh = "港湾" }, { en = "River", zh = "河流" },
    { en = "Lantern", zh = "灯笼" }, { en = "Mirror", zh = "镜子" },
    { en = "Garden", zh = "花园" }, { en = "Horizon", zh = "地平线" },
    { en = "Echo", zh = "回声" }, { en = "Station", zh = "车站" },
    { en = "Letter", zh = "信笺" }, { en = "Ocean", zh = "海洋" },
    { en = "Window", zh = "窗" }, { en = "Shadow", zh = "影子" },
    { en = "Balcony", zh = "阳台" }, { en = "Engine", zh = "引擎" },
    { en = "Orchard", zh = "果园" }, { en = "Compass", zh = "罗盘" },
    { en = "Signal", zh = "信号" }, { en = "Feather", zh = "羽毛" },
    { en = "Thunder", zh = "雷声" }, { en = "Island", zh = "岛屿" },
    { en = "Comet", zh = "彗星" }, { en = "Street", zh = "街道" },
    { en = "Heart", zh = "心" }, { en = "Piano", zh = "钢琴" },
    { en = "Rain", zh = "雨" }, { en = "Satellite", zh = "卫星" },
    { en = "Bridge", zh = "桥" }, { en = "Forest", zh = "森林" },
    { en = "Carnival", zh = "嘉年华" }, { en = "Moon", zh = "月亮" },
}
local genres = {
    { en = "Indie", zh = "独立" }, { en = "Pop", zh = "流行" },
    { en = "Jazz", zh = "爵士" }, { en = "Electronic", zh = "电子" },
    { en = "Folk", zh = "民谣" }, { en = "Soul", zh = "灵魂乐" },
}
local covers = { "cover_rings", "cover_dunes", "cover_blocks", "cover_waves",
                 "cover_sun", "cover_leaves" }
local cities = {
    { en = "Lisbon", zh = "里斯本" }, { en = "Oslo", zh = "奥斯陆" },
    { en = "Vienna", zh = "维也纳" }, { en = "Kyoto", zh = "京都" },
    { en = "Toronto", zh = "多伦多" }, { en = "Chengdu", zh = "成都" },
    { en = "Prague", zh = "布拉格" }, { en = "Lyon", zh = "里昂" },
    { en = "Dublin", zh = "都柏林" }, { en = "Xiamen", zh = "厦门" },
}
local halls = {
    { en = "City Hall", zh = "市民音乐厅" }, { en = "Old Factory", zh = "老工厂" },
    { en = "River Arena", zh = "河畔体育馆" }, { en = "Blue Club", zh = "蓝调俱乐部" },
}

-- ---- names ----

-- Titles of two words, all different.
local function title_maker()
    local all = {}
    for _, first in ipairs(firsts) do
        for _, second in ipairs(seconds) do
            all[#all + 1] = { en = first.en .. " " .. second.en,
                              zh = first.zh .. second.zh }
        end
    end
    local titles, count = random("titles").shuffle(all), 0
    return function()
        count = count + 1
        return titles[count]
    end
end

local next_title = title_maker()

-- "Blue Balconies"
local function plural(name)
    if name:sub(-1) == "y" then
        return name:sub(1, -2) .. "ies"
    end
    return name .. (name:sub(-1) == "s" and "es" or "s")
end

-- ---- artists and songs ----

local ARTISTS = 10

local artists, releases, songs = {}, {}, {}

local function add_song(r, release, title, lengths)
    songs[#songs + 1] = { id = #songs + 1, title = title, release = release.id,
        artist = release.artist, seconds = new_number(r, 128, 341, lengths),
        plays = r.int(20000, 9000000) * 7 + #songs % 7,
        live = release.kind == "live" }
    table.insert(release.songs, #songs)
end

local function add_release(r, artist, kind, year, title)
    local release = { id = #releases + 1, artist = artist.id, kind = kind,
        year = year, title = title, songs = {}, saves = r.int(900, 90000),
        cover = r.pick(covers), seed = r.int(1, 9999) }
    releases[#releases + 1] = release
    table.insert(artist.releases, release.id)
    return release
end

-- The second song of an artist's first album was written by the one before.
local function title_of(artist, number, place)
    local before = artists[artist.id - 1]
    if before and number == 1 and place == 2 then
        return songs[releases[before.releases[1]].songs[2]].title
    end
    return next_title()
end

local function add_album(r, artist, number, year)
    local release = add_release(r, artist, "album", year, next_title())
    local lengths = {}
    for place = 1, r.int(7, 9) do
        add_song(r, release, title_of(artist, number, place), lengths)
    end
    return release
end

local function live(title)
    return { en = title.en .. " (Live)", zh = title.zh .. "（现场版）" }
end

-- Two songs of each album, the first of them everywhere.
local function add_live_album(r, artist, year)
    local city, lengths = r.pick(cities), {}
    local release = add_release(r, artist, "live", year,
        { en = "Live in " .. city.en, zh = city.zh .. "现场" })
    for number = 1, 3 do
        local album = releases[artist.releases[number]]
        add_song(r, release, live(songs[album.songs[1]].title), lengths)
        add_song(r, release, live(songs[album.songs[2]].title), lengths)
    end
end

local function add_releases(r, artist)
    local year = r.int(2008, 2011)
    for number = 1, 3 do
        add_album(r, artist, number, year)
        year = year + r.int(2, 4)
    end
    add_live_album(r, artist, year)
    local title = next_title()
    add_song(r, add_release(r, artist, "single", year + r.int(1, 2), title),
             title, {})
end

-- Concerts on different days, the next first.
local function make_tour(r)
    local days, places = {}, r.shuffle(cities)
    local tour = {}
    for i = 1, 5 do
        tour[i] = { days = new_number(r, 6, 160, days), city = places[i],
                    hall = r.pick(halls) }
    end
    return table.sort(tour, function(a, b) return a.days < b.days end)
end

local function make_artists()
    local people, listeners = {}, {}
    for id = 1, ARTISTS do
        local r = random("artist", id)
        local title, name = next_title(), new_person(r, people)
        people[id] = name
        if id % 3 > 0 then
            name = { en = "The " .. plural(title.en), zh = title.zh .. "乐队" }
        end
        artists[id] = { id = id, name = name, genre = r.pick(genres),
            listeners = new_number(r, 12000, 9800000, listeners),
            releases = {}, tour = make_tour(r), seed = r.int(1, 9999),
            band = id % 3 > 0 }
        add_releases(r, artists[id])
    end
end

make_artists()

-- ---- charts ----

local CHART = 30

-- Where each of the chart was a week ago; 0: not in it.
local function earlier_places(r)
    local places = {}
    for place = 1, CHART do
        places[place] = r.chance(0.1) and 0 or
                        math.max(1, place + r.int(-5, 6))
    end
    return places
end

-- How many places it went up; nil if it is new.
local function climb(entry)
    return entry.before > 0 and entry.before - entry.place or nil
end

local function add_climber(r, chart)
    local entry = chart[r.int(13, CHART - 4)]
    entry.before = entry.place + r.int(8, 11)
end

local function make_chart(name)
    local r, taken, chart = random("chart", name), {}, {}
    local before = earlier_places(r)
    for place = 1, CHART do
        local id = new_number(r, 1, #songs, taken)
        while songs[id].live do
            id = new_number(r, 1, #songs, taken)
        end
        chart[place] = { song = id, place = place, before = before[place],
                         weeks = before[place] > 0 and r.int(2, 40) or 1 }
    end
    add_climber(r, chart)
    return chart
end

local charts = { world = make_chart("world"), home = make_chart("home") }

-- ---- podcasts ----

local show_kinds = {
    { en = " Hour", zh = "时刻" }, { en = " Stories", zh = "故事会" },
    { en = " Talk", zh = "漫谈" }, { en = " Radio", zh = "电台" },
    { en = " Notes", zh = "笔记" }, { en = " Diaries", zh = "日记" },
}
local topics = {
    { en = "How bread rises", zh = "面包为什么会发起来" },
    { en = "Sleeping on trains", zh = "在火车上睡觉" },
    { en = "The last lighthouse", zh = "最后一座灯塔" },
    { en = "Why we forget names", zh = "我们为什么记不住名字" },
    { en = "A year without a phone", zh = "没有手机的一年" },
    { en = "The price of coffee", zh = "一杯咖啡的价格" },
    { en = "Learning to swim at forty", zh = "四十岁学游泳" },
    { en = "Cities at night", zh = "夜里的城市" },
    { en = "The man who counted birds", zh = "数鸟的人" },
    { en = "What bees know", zh = "蜜蜂知道什么" },
    { en = "Moving to an island", zh = "搬到岛上去" },
    { en = "The art of waiting", zh = "等待的艺术" },
    { en = "Maps that lie", zh = "会说谎的地图" },
    { en = "Cooking for a hundred", zh = "给一百个人做饭" },
    { en = "The sound of snow", zh = "雪的声音" },
    { en = "Letters never sent", zh = "没有寄出的信" },
}

local shows, episodes = {}, {}

local EPISODES = 14

-- Every third speaker of a show is in another one as well.
local function speaker_of(r, show, number, speakers)
    local other = shows[show.id - 1]
    if other and number % 3 == 0 then
        local speaker = episodes[other.episodes[number - 1]].speaker
        local known = table.filter(speakers, function(one)
            return one.en == speaker.en or one.zh == speaker.zh
        end)
        if #known == 0 then
            return speaker
        end
    end
    return new_person(r, speakers)
end

local function add_episodes(r, show)
    local lengths, speakers = {}, {}
    local about = r.shuffle(topics)
    local done = r.int(9, 12) -- all older ones are finished
    for number = 1, EPISODES do
        local speaker = speaker_of(r, show, number, speakers)
        speakers[number] = speaker
        episodes[#episodes + 1] = { id = #episodes + 1, show = show.id,
            number = EPISODES + 1 - number, title = about[number],
            speaker = speaker, days = number * 7 - r.int(1, 5),
            minutes = new_number(r, 18, 95, lengths),
            finished = number > done or number > 1 and r.chance(0.3) and
                number ~= done }
        table.insert(show.episodes, #episodes)
    end
end

local function make_shows()
    local kinds = random("shows").shuffle(show_kinds)
    local nouns = random("show names").shuffle(seconds)
    for id = 1, #kinds do
        local r = random("show", id)
        shows[id] = { id = id, name = { en = nouns[id].en .. kinds[id].en,
                                        zh = nouns[id].zh .. kinds[id].zh },
            host = content.person(r), rating = content.rating(r),
            cover = r.pick(covers), seed = r.int(1, 9999), episodes = {} }
        add_episodes(r, shows[id])
    end
end

make_shows()

-- ---- playlists that are there ----

local list_names = {
    { en = "Cooking", zh = "做饭时听" }, { en = "On the road", zh = "在路上" },
    { en = "Rainy days", zh = "下雨天" }, { en = "Running", zh = "跑步" },
    { en = "Old friends", zh = "老朋友" }, { en = "Sunday", zh = "星期天" },
}

-- The second has a song twice.
local function make_playlists()
    local names, lists = random("lists").shuffle(list_names), {}
    for i = 1, 3 do
        local r, taken, list = random("list", i), {}, {}
        for place = 1, r.int(8, 11) do
            list[place] = new_number(r, 1, #songs, taken)
        end
        lists[i] = { id = i, name = names[i], songs = list }
    end
    local double = lists[2].songs
    table.insert(double, #double, double[random("double").int(1, 4)])
    return lists
end

return { artists = artists, releases = releases, songs = songs,
         charts = charts, climb = climb, shows = shows, episodes = episodes,
         playlists = make_playlists() }
