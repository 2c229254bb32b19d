-- When the tasks in Music are done.
local music = use("music")

local truths = {}

-- The song that is playing in the end.
local function plays(state, kind, id)
    local player = state and state.player
    return player and player.playing and player.kind == kind and
           music.current_id(player) == id
end

local function only(list, id)
    return #list == 0 or #list == 1 and list[1] == id
end

local function artist_of(r)
    return r.pick(music.artists)
end

local function other_artist(artist)
    return music.artists[artist.id % #music.artists + 1]
end

local function release(artist, number)
    return music.releases[artist.releases[number]]
end

local function title(id)
    return t(music.songs[id].title)
end

-- Its songs, the longest first.
local function by_length(album)
    return table.sort(table.map(album.songs, function(id)
        return music.songs[id]
    end), function(a, b) return a.seconds > b.seconds end)
end

-- ---- the longest song of an album ----

truths.longest = {
    facts = function()
        local r = random("longest task")
        local artist = artist_of(r)
        local album = release(artist, r.int(1, 3))
        local list = by_length(album)
        return { artist = t(artist.name), artist_id = artist.id,
                 album = t(album.title), album_id = album.id,
                 song = t(list[1].title), id = list[1].id,
                 other = list[2].id, other_song = t(list[2].title),
                 first = album.songs[1] == list[1].id and list[2].id or
                         album.songs[1] }
    end,
    clauses = function(fact)
        local state = ended("music")
        local played = last("music.play_song " .. fact.id .. " *")
        return {
            { "album_looked_at", saw("music", played, "album", fact.album_id) },
            { "playing", plays(state, "song", fact.id) },
        }
    end,
}

-- ---- the newest album ----

-- Were all its releases listed, with their years?
local function lists_releases(app, artist, words)
    if on_screen(app, "discography", artist) then
        return app.state.release_kind == "all" or
               app.state.release_kind == "album"
    end
    return on_screen(app, "results") and app.state.kind == "albums" and
           #music.found("albums", app.state.query) <= 14 and
           says(app.state.query, words)
end

truths.newest = {
    facts = function()
        local artist = artist_of(random("newest task"))
        return { artist = t(artist.name), artist_id = artist.id,
                 album = t(release(artist, 3).title),
                 id = release(artist, 3).id, older = release(artist, 2).id,
                 live = release(artist, 4).id, single = release(artist, 5).id,
                 older_title = t(release(artist, 2).title) }
    end,
    clauses = function(fact)
        local state = ended("music")
        local saved = last("music.save_album " .. fact.id)
        return {
            { "all_looked_at", held("music", function(app)
                return lists_releases(app, fact.artist_id, fact.artist)
            end, saved) },
            { "saved", state and table.has(state.albums, fact.id) },
            { "nothing_else", not state or only(state.albums, fact.id) },
        }
    end,
}

-- ---- the song that climbed most ----

local function best_climber(chart)
    return table.sort(table.filter(chart, music.climb), function(a, b)
        return music.climb(a) > music.climb(b)
    end)
end

local function shows_home_chart(app)
    local state = on_screen(app, "main") and app.state or {}
    return state.tab == "charts" and state.chart == "home" and
           state.chart_shown >= #music.charts.home
end

truths.climber = {
    facts = function()
        local list = best_climber(music.charts.home)
        local elsewhere = best_climber(music.charts.world)
        return { song = title(list[1].song), second = title(list[2].song),
                 wrong = title(elsewhere[1].song) }
    end,
    clauses = function(fact, answer)
        return {
            { "whole_chart_seen", held("music", shows_home_chart) },
            { "answered", says(answer, fact.song) },
        }
    end,
}

-- ---- a new playlist ----

local new_names = {
    { en = "Long train ride", zh = "漫长的火车" },
    { en = "Friday dinner", zh = "周五晚餐" },
    { en = "Wake me up", zh = "叫我起床" }, { en = "For Mum", zh = "给妈妈" },
}

truths.mix = {
    facts = function()
        local r = random("list task")
        local artist, name = artist_of(r), r.pick(new_names)
        local top = music.top_songs(artist)
        return { name = t(name), artist = t(artist.name),
                 artist_id = artist.id, a = top[1].id, b = top[2].id,
                 c = top[3].id, song = t(top[1].title),
                 second = t(top[2].title), list = 4,
                 other_name = t{ en = "My playlist", zh = "我的歌单" } }
    end,
    clauses = function(fact)
        local state = ended("music")
        local named = state and table.filter(state.lists, function(list)
            return list.id > 3 and type(list.name) == "string"
        end) or {}
        local list = named[1] or { songs = {}, name = "" }
        return {
            { "one_new_list", #named == 1 },
            { "name", says(list.name, fact.name) },
            { "most_played", table.has(list.songs, fact.a) },
            { "second", table.has(list.songs, fact.b) },
            { "nothing_else", #list.songs <= 2 },
        }
    end,
}

-- ---- a song that is in a playlist twice ----

local function doubled(list)
    for place, id in ipairs(list) do
        local first = table.index(list, id)
        if first < place then
            return id, first, place
        end
    end
end

truths.twice = {
    facts = function()
        local list = music.playlists[2]
        local id, first, second = doubled(list.songs)
        return { name = t(list.name), list = list.id, song = title(id),
                 id = id, first = first, second = second,
                 neighbour = second == #list.songs and first + 1 or
                             second + 1,
                 others = #list.songs - 1 }
    end,
    clauses = function(fact)
        local state = ended("music")
        local now_there, kept = {}, true
        for _, list in ipairs(state and state.lists or {}) do
            if list.id == fact.list then
                now_there = list.songs
            end
        end
        for _, id in ipairs(music.playlists[2].songs) do
            kept = kept and table.has(now_there, id)
        end
        return {
            { "once", state and not doubled(now_there) },
            { "others_kept", kept },
        }
    end,
}

-- ---- an episode by its speaker ----

local function speakers_once(show)
    return table.filter(show.episodes, function(id)
        return music.episodes[id].number <= 7
    end)
end

local function lists_speaker(app, show, speaker)
    if not on_screen(app, "show", show) then
        return false
    end
    local list = music.episodes_of(app.state, music.shows[show])
    for i = 1, math.min(app.state.episodes_shown, #list) do
        if t(list[i].speaker) == speaker then
            return true
        end
    end
    return false
end

truths.speaker = {
    facts = function()
        local r = random("speaker task")
        local show = r.pick(music.shows)
        local list = speakers_once(show)
        local one = music.episodes[r.pick(list)]
        local other = music.episodes[list[1] == one.id and list[2] or list[1]]
        local elsewhere = music.shows[show.id % #music.shows + 1]
        return { show = t(show.name), show_id = show.id,
                 speaker = t(one.speaker), minutes = one.minutes,
                 wrong = other.minutes,
                 topic = t(one.title), other_show = elsewhere.id }
    end,
    clauses = function(fact, answer)
        return {
            { "episode_seen", held("music", function(app)
                return lists_speaker(app, fact.show_id, fact.speaker)
            end) },
            { "answered", number_in(answer) == fact.minutes },
        }
    end,
}

-- ---- an episode to download ----

truths.unfinished = {
    facts = function()
        local show = random("download task").pick(music.shows)
        local list = music.episodes_of({ episode_order = "oldest",
                                         unfinished = true }, show)
        local oldest = music.episodes_of({ episode_order = "oldest" }, show)
        return { show = t(show.name), show_id = show.id, id = list[1].id,
                 topic = t(list[1].title), second = list[2].id,
                 oldest = oldest[1].id, newest = list[#list].id }
    end,
    clauses = function(fact)
        local state = ended("music")
        return {
            { "downloaded", state and table.has(state.downloads, fact.id) },
            { "nothing_else", not state or only(state.downloads, fact.id) },
        }
    end,
}

-- ---- in bed ----

truths.sleep = {
    facts = function()
        local list = music.playlists[3]
        return { name = t(list.name), list = list.id,
                 other = music.playlists[1].id }
    end,
    clauses = function(fact)
        local state = ended("music")
        local player = state and state.player or {}
        return {
            { "playlist", player.playing and
              player.from == "list " .. fact.list },
            { "shuffled", player.shuffle },
            { "thirty_minutes", player.sleep == 30 },
        }
    end,
}

-- ---- settings ----

truths.data = {
    clauses = function()
        local state = ended("music")
        local quality = state and state.quality or {}
        return {
            { "low_on_mobile", quality.mobile == "low" },
            { "downloads", state and state.wifi_only },
            { "wifi_kept", not state or quality.wifi == "high" },
        }
    end,
}

-- ---- a live recording ----

truths.live = {
    facts = function()
        local artist = artist_of(random("live task"))
        local id = release(artist, 4).songs[1]
        local studio = release(artist, 1).songs[1]
        return { artist = t(artist.name), artist_id = artist.id,
                 song = title(studio), live = title(id), id = id,
                 studio = studio, album = t(release(artist, 4).title),
                 album_id = release(artist, 4).id,
                 other = release(artist, 4).songs[2] }
    end,
    clauses = function(fact)
        local state = ended("music")
        return {
            { "playing", plays(state, "song", fact.id) },
            { "liked", state and table.has(state.liked, fact.id) },
            { "nothing_else_liked", not state or only(state.liked, fact.id) },
        }
    end,
}

-- ---- who has the most listeners ----

truths.followers = {
    facts = function()
        local three = random("follow task").shuffle(music.artists)
        local a, b, c = three[1], three[2], three[3]
        local ranked = table.sort({ a, b, c }, function(one, other)
            return one.listeners > other.listeners
        end)
        return { a = t(a.name), b = t(b.name), c = t(c.name), a_id = a.id,
                 b_id = b.id, c_id = c.id, id = ranked[1].id,
                 name = t(ranked[1].name), second = ranked[2].id,
                 second_name = t(ranked[2].name), third = ranked[3].id,
                 third_name = t(ranked[3].name) }
    end,
    clauses = function(fact)
        local state = ended("music")
        local followed = last("music.follow " .. fact.id)
        return {
            { "all_three_seen", saw("music", followed, "artist", fact.a_id) and
              saw("music", followed, "artist", fact.b_id) and
              saw("music", followed, "artist", fact.c_id) },
            { "followed", state and table.has(state.follows, fact.id) },
            { "nobody_else", not state or only(state.follows, fact.id) },
        }
    end,
}

-- ---- a concert ----

truths.concert = {
    facts = function()
        local r = random("concert task")
        local artist = artist_of(r)
        local concert = artist.tour[r.int(2, 5)]
        local other = artist.tour[1]
        local function parts(days, prefix, fact)
            local _, month, day = dates.parts(dates.today() + days)
            fact[prefix .. "month"] = t{ zh = tostring(month),
                en = dates.short(dates.today() + days):sub(1, 3) }
            fact[prefix .. "day"] = day
            fact[prefix .. "date"] = dates.short(dates.today() + days)
        end
        local fact = { artist = t(artist.name), artist_id = artist.id,
                       city = t(concert.city),
                       other_artist = other_artist(artist).id }
        parts(concert.days, "", fact)
        parts(other.days, "wrong_", fact)
        return fact
    end,
    clauses = function(fact, answer)
        local said = (answer or ""):lower():replace(" ", "")
        local month, day = fact.month:lower(), tostring(fact.day)
        local at = said:find(month)
        local others = at and (said:sub(1, at - 1) .. said:sub(at + #month))
        return {
            { "concerts_seen", held("music", function(app)
                return on_screen(app, "artist", fact.artist_id) and
                       app.state.tour_open
            end) },
            { "answered", at and number_in(others) == tonumber(day) },
        }
    end,
}

-- ---- two songs, one after the other ----

truths.after = {
    facts = function()
        local r = random("after task")
        local artist = artist_of(r)
        local a = music.songs[release(artist, 5).songs[1]]
        local other = other_artist(artist)
        local b = music.songs[release(other, 5).songs[1]]
        local c = music.songs[release(other, 3).songs[3]]
        return { a = a.id, b = b.id, song = t(a.title), next = t(b.title),
                 artist = t(artist.name), other_artist = t(other.name),
                 c = c.id, wrong = t(c.title) }
    end,
    clauses = function(fact)
        local state = ended("music")
        local player = state and state.player
        return {
            { "playing", plays(state, "song", fact.a) },
            { "next", player and player.kind == "song" and
              player.list[player.place + 1] == fact.b },
        }
    end,
}

-- ---- an episode, faster ----

truths.faster = {
    facts = function()
        local r = random("faster task")
        local show = r.pick(music.shows)
        local newest = music.episodes[show.episodes[1]]
        return { show = t(show.name), show_id = show.id, id = newest.id,
                 topic = t(newest.title), older = show.episodes[2] }
    end,
    clauses = function(fact)
        local state = ended("music")
        return {
            { "playing", plays(state, "episode", fact.id) },
            { "speed", state and state.player.speed == 15 },
        }
    end,
}

-- ---- the year of a song ----

truths.year = {
    facts = function()
        local r = random("year task")
        local artist = artist_of(r)
        local album = release(artist, r.int(1, 3))
        local id = album.songs[1]
        return { artist = t(artist.name), song = title(id), id = id,
                 year = album.year, album_id = album.id,
                 album = t(album.title), wrong = release(artist, 4).year,
                 live_id = release(artist, 4).id, artist_id = artist.id }
    end,
    clauses = function(fact, answer)
        return {
            { "album_seen", saw("music", nil, "album", fact.album_id) },
            { "answered", number_in(answer) == fact.year },
        }
    end,
}

return truths
