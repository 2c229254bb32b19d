-- What several screens of Sports show: crests, scores, rows of matches, and
-- texts that depend on the settings.

local words = include("sports_words")
local season = include("sports_season")
local world = season.world
local leagues, teams, players = world.leagues, world.teams, world.players
local matches = season.matches

local parts = { season = season }

-- The board at the head of screens: the same in both themes.
parts.board = "#0c2229"
parts.board_low = "#17353d"
parts.on_board = "#eef7f5"
parts.board_quiet = "#9fbcbc"
parts.signal = "#d2f04a"
parts.live = "#ff5a4f"

-- Minutes since 1970, of which matches are made.
function parts.minute()
    return math.floor(now()) // 60
end

-- ---- texts ----

function parts.time(state, minute)
    if state.clock == "24" then
        return dates.time(minute)
    end
    local hour, rest = minute // 60 % 24, minute % 60
    local twelve = string.format("%d:%02d", (hour + 11) % 12 + 1, rest)
    return t{ en = twelve .. (hour < 12 and " AM" or " PM"),
              zh = (hour < 12 and "上午" or "下午") .. twelve }
end

function parts.height(state, centimetres)
    if state.units == "metric" then
        return centimetres .. t{ en = " cm", zh = "厘米" }
    end
    local inches = (centimetres * 100 + 127) // 254
    return inches // 12 .. "′" .. inches % 12 .. "″"
end

function parts.season_name(back)
    local year = dates.parts(dates.today()) - back
    return string.format("%d/%02d", year, (year + 1) % 100)
end

function parts.match_name(match)
    return t(teams[match.home].name) .. " – " .. t(teams[match.away].name)
end

-- "67′", "Break", "FT", or when it begins.
function parts.status_text(state, match, minute)
    local status, clock, is_break = season.status_of(match, minute)
    if status == "live" then
        return is_break and t(words.break_now) or clock + 1 .. "′"
    end
    return status == "finished" and t(words.finished) or
           parts.time(state, match.start % 1440)
end

function parts.is_hidden(state, match, minute)
    return state.hide_scores and not table.index(state.revealed, match.id) and
           (season.status_of(match, minute)) ~= "upcoming"
end

function parts.reminder_of(state, id)
    return table.filter(state.reminders, function(one)
        return one.match == id
    end)[1]
end

function parts.follow_of(state, kind, id)
    return table.filter(state.follows, function(one)
        return one.kind == kind and one.id == id
    end)[1]
end

function parts.subject_of(kind, id)
    return kind == "team" and teams[id] or leagues[id]
end

-- How large the phone shows texts: 1 is the default.
function parts.text_scale()
    return tonumber(setting("system", "font_scale")) or 1
end

-- ---- pictures ----

-- Its letters do not grow with the phone's texts.
function parts.crest(team, size)
    return column{ width = size, height = size, radius = size * 0.3,
        across = "center", down = "center", background = team.colour[1],
        outline = team.colour[2],
        text{ team.short, ink = team.colour[2], font = "bold", lines = 1,
              text_size = size * 0.34 / parts.text_scale(), text_align = "center" } }
end

function parts.league_badge(league, size)
    return column{ width = size, height = size, radius = size / 2,
        across = "center", down = "center", background = league.colour[1],
        icon{ icon = league.sport, width = size * 0.64, height = size * 0.64,
              ink = league.colour[2] } }
end

function parts.portrait(player, size)
    return art{ art = "portrait", seed = player.id * 13 + 5, width = size,
                height = size, radius = size / 2 }
end

-- ---- rows ----

local function side_row(state, match, minute, team, score)
    return row{ width = "fill", gap = 10, down = "center",
        parts.crest(team, 24),
        text{ team.name, id = "team_name", weight = 1, lines = 1,
              style = "body_large" },
        score and text{ score, id = "score", style = "title_medium",
            font = "bold",
            ink = (season.status_of(match, minute)) == "live" and
                  not parts.is_hidden(state, match, minute) and parts.live or
                  "on_surface" } or false }
end

local function match_button(state, match, minute)
    if (season.status_of(match, minute)) ~= "upcoming" then
        return icon{ icon = "right", width = 20, height = 20,
                     ink = "outline" }
    end
    local reminder = parts.reminder_of(state, match.id)
    return icon_button{ icon = "bell", id = "remind",
        ink = reminder and "on_primary_container" or "outline",
        background = reminder and "primary_container" or nil,
        selected = reminder ~= nil,
        description = string.format(t(words.remind_of),
                                    parts.match_name(match)),
        on_click = { "go", "remind", match.id } }
end

-- With the day instead of the time, where matches of many days are listed.
function parts.match_row(state, match, minute, with_day)
    local status = season.status_of(match, minute)
    local hidden = parts.is_hidden(state, match, minute)
    local score = season.score_of(match, minute)
    local function shown(number)
        return score and (hidden and "?" or tostring(score[number]))
    end
    return row{ id = "match", key = "m" .. match.id, width = "fill", gap = 12,
        padding = 10, padding_left = 16, padding_right = 12, down = "center",
        description = parts.match_name(match),
        on_click = { "open", "match", match.id },
        column{ width = 36 + 28 * parts.text_scale(),
            with_day and text{ dates.short(match.start // 1440), id = "day",
                style = "label_medium", lines = 1 } or false,
            text{ parts.status_text(state, match, minute), id = "status",
                  style = "label_large", lines = 1,
                  ink = status == "live" and parts.live or
                        "on_surface_variant" } },
        column{ weight = 1, gap = 6,
            side_row(state, match, minute, teams[match.home], shown(1)),
            side_row(state, match, minute, teams[match.away], shown(2)) },
        column{ width = 40, across = "center",
            match_button(state, match, minute) } }
end

function parts.player_row(player, detail, tail)
    return row{ id = "player", key = "p" .. player.id, width = "fill",
        gap = 14, padding = 9, padding_left = 16, padding_right = 16,
        down = "center", on_click = { "open", "player", player.id },
        parts.portrait(player, 40),
        column{ weight = 1,
            text{ player.name, id = "player_name", style = "title_small",
                  lines = 1 },
            quiet(detail, "player_detail") },
        tail or false }
end

function parts.team_row(team, tail)
    return row{ id = "team", key = "t" .. team.id, width = "fill", gap = 14,
        padding = 10, padding_left = 16, padding_right = 8, down = "center",
        description = team.name, on_click = { "open", "team", team.id },
        parts.crest(team, 40),
        column{ weight = 1,
            text{ team.name, id = "team_name", style = "title_medium",
                  lines = 1 },
            quiet(leagues[team.league].name, "team_league",
                  { lines = 1 }) },
        tail or false }
end

function parts.league_row(league, tail)
    return row{ id = "league", key = "l" .. league.id, width = "fill",
        gap = 14, padding = 12, padding_left = 16, padding_right = 8,
        down = "center", on_click = { "open", "league", league.id },
        parts.league_badge(league, 40),
        column{ weight = 1,
            text{ league.name, id = "league_name", style = "title_medium",
                  lines = 1 },
            quiet(words[league.sport], "league_sport") },
        tail or false }
end

-- ---- headings, and the head of a page ----

function parts.heading(said, id)
    return row{ width = "fill", padding = 16, padding_bottom = 6,
        text{ said, id = id, style = "title_small", font = "bold",
              ink = "primary", weight = 1 } }
end

-- A dark band with what the page is about, and its tabs below.
function parts.board_head(about, buttons)
    return column{ width = "fill", background = parts.board,
        padding_bottom = 12,
        row{ width = "fill", height = 56, down = "center", padding_right = 4,
            icon_button{ icon = "back", ink = parts.on_board,
                on_click = "back",
                description = { en = "Navigate up", zh = "转到上一层级" } },
            space{ weight = 1 }, buttons or false },
        about }
end

function parts.board_button(sign, id, said, on_click, selected)
    return icon_button{ icon = sign, id = id, description = said,
        ink = selected and parts.signal or parts.on_board,
        selected = selected, on_click = on_click }
end

-- A tab is a text with a bar below.
function parts.board_tabs(chosen, names, handler)
    return row{ width = "fill", background = parts.board,
        table.map(names, function(name)
            local on = name == chosen
            return column{ weight = 1, id = "tab_" .. name, gap = 8,
                padding_top = 8, across = "center", selected = on,
                on_click = { handler, name },
                text{ words[name], style = "label_large", lines = 1,
                      ink = on and parts.signal or parts.board_quiet },
                space{ width = "fill", height = 3,
                       background = on and parts.signal or parts.board } }
        end) }
end

-- The star, and the bell while it is followed.
function parts.follow_buttons(state, kind, id)
    local follow = parts.follow_of(state, kind, id)
    return { follow and parts.board_button("bell", "alerts", words.alerts,
                 { "go", "alerts", kind, id }) or false,
             parts.board_button(follow and "star" or "star_empty",
                 follow and "unfollow" or "follow",
                 follow and words.unfollow or words.follow,
                 { follow and "unfollow" or "follow", kind, id },
                 follow ~= nil) }
end

function parts.chips(chosen, names, handler, prefix)
    return table.map(names, function(name)
        return chip{ words[prefix .. name], id = prefix .. name,
            checkable = true, checked = name == chosen,
            on_click = { handler, name } }
    end)
end

-- A label and its value.
function parts.fact(label, value, id)
    return row{ width = "fill", padding = 11, padding_left = 16,
        padding_right = 16, gap = 16, down = "center",
        quiet(label, nil, { weight = 1, style = "body_medium" }),
        text{ value, id = id, style = "body_large" } }
end

return parts
