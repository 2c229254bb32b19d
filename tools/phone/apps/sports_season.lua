-- The seasons of Sports: fixtures, what happens in each match, and what is
-- counted from it: scores, tables and the statistics of players. What has
-- happened depends on the minute that it is asked for, in minutes since 1970.

local world = include("sports_content")
local sports, leagues = world.sports, world.leagues
local teams, players = world.teams, world.players

local matches = {}
local today = dates.today()

-- ---- fixtures ----

-- The pairs of a round: all teams meet each other once at home, once away.
local function pairs_of(order, round)
    local count, met = #order, {}
    local half = count - 1
    local turn = (round - 1) % half
    for i = 0, count // 2 - 1 do
        local a = i == 0 and count or (turn + i) % half + 1
        local b = (turn + half - i) % half + 1
        if (i == 0 and turn % 2 == 0 or i % 2 == 1) ~= (round > half) then
            a, b = b, a
        end
        met[#met + 1] = { order[a], order[b] }
    end
    return met
end

local function add_round(league, order, round)
    local r = random("round", league.id, round)
    local minutes = r.shuffle(league.minutes)
    local day = today + league.next +
                (round - league.played - 1) * league.interval
    for place, two in ipairs(pairs_of(order, round)) do
        local later = league.days > 1 and place % 2 == 0 and 1 or 0
        local id = #matches + 1
        matches[id] = { id = id, league = league.id, round = round,
            home = two[1], away = two[2], sport = league.sport,
            start = (day + later) * 1440 + minutes[place] }
        table.insert(league.matches, id)
    end
end

local function make_fixtures()
    for _, league in ipairs(leagues) do
        local order = {}
        for place = 1, league.teams do
            order[place] = league.first + place - 1
        end
        order = random("order", league.id).shuffle(order)
        league.matches, league.rounds = {}, 2 * (league.teams - 1)
        for round = 1, league.rounds do
            add_round(league, order, round)
        end
    end
end

make_fixtures()

-- ---- line-ups ----

-- The first of a position always plays; the others take turns.
local function line_up(match, team)
    local starting, bench, at = {}, {}, 0
    for _, line in ipairs(sports[match.sport].lines) do
        local others = line.many - 1
        for place = 0, others do
            local turn = (place - 1 + match.round + team.id) % math.max(others, 1)
            local plays = place == 0 or turn < line.first - 1
            table.insert(plays and starting or bench, team.squad[at + place + 1])
        end
        at = at + line.many
    end
    return starting, bench
end

-- Players in each position who are on the field, without those who came on.
local function by_line(team, ids)
    local lines = {}
    for _, line in ipairs(sports[team.sport].lines) do
        lines[line.id] = table.filter(ids, function(id)
            return players[id].line == line.id
        end)
    end
    return lines
end

-- ---- what happens in a match ----

local function add_event(match, minute, kind, side, player, other)
    table.insert(match.events, { minute = minute, kind = kind, side = side,
                                 player = player, other = other })
end

-- One change in each position, never of its first player.
local function add_changes(r, match, side, lines, bench)
    local changes = {}
    for _, id in ipairs(bench) do
        local line = lines[players[id].line]
        if #line > 1 and not changes[line[#line]] then
            local minute = r.int(55, 84)
            changes[line[#line]] = { minute = minute, id = id }
            add_event(match, minute, "change", side, id, line[#line])
        end
    end
    return changes
end

-- A player on the field, by the chance of each position to score.
local function someone(r, side, minute)
    local percent = r.int(1, 100)
    for _, line in ipairs(side.sport.lines) do
        percent = percent - line.part
        if percent <= 0 and line.part > 0 then
            local some = side.lines[line.id]
            local id = some[math.min(r.int(1, #some), r.int(1, #some))]
            local change = side.changes[id]
            return change and change.minute < minute and change.id or id
        end
    end
end

local function add_goals(r, match, number, side, chance)
    local length = 30 * side.sport.halves
    if match.sport == "hockey" then
        length = 60
    end
    for _ = 1, side.sport.tries do
        if r.chance(chance) then
            local minute = r.int(2, length)
            local scorer = someone(r, side, minute)
            local helper = someone(r, side, minute)
            local penalty = match.sport == "football" and r.chance(0.12)
            add_event(match, minute, penalty and "penalty" or "goal", number,
                      scorer,
                      not penalty and helper ~= scorer and helper or nil)
        end
    end
end

local function does_later(match, id, minute)
    for _, event in ipairs(match.events) do
        if event.minute >= minute and
           (event.player == id or event.other == id) then
            return true
        end
    end
end

-- A player is booked at most once in a match, and not if taken off later; a
-- player who is sent off does nothing later.
local function add_bookings(r, match, sides)
    local booked = {}
    local length = match.sport == "hockey" and 60 or 90
    for _ = 1, r.int(1, sides[1].sport.cards) do
        local number, minute = r.int(1, 2), r.int(6, length)
        local id = r.pick(sides[number].starting)
        if not booked[id] and not sides[number].changes[id] then
            booked[id] = true
            local sent_off = minute > 60 and r.chance(0.15) and
                             not does_later(match, id, minute)
            add_event(match, minute, match.sport == "hockey" and
                      "two_minutes" or sent_off and "red" or "yellow",
                      number, id)
        end
    end
end

local function play_goals(match)
    local r, sides = random("match", match.id), {}
    local two = { teams[match.home], teams[match.away] }
    for number, team in ipairs(two) do
        local starting, bench = line_up(match, team)
        local lines = by_line(team, starting)
        sides[number] = { sport = sports[match.sport], lines = lines,
            starting = starting,
            changes = match.sport == "football" and
                add_changes(r, match, number, lines, bench) or {} }
    end
    local edge = (two[1].strength - two[2].strength) * 0.006
    local chance = sides[1].sport.chance
    add_goals(r, match, 1, sides[1], chance + 0.03 + edge)
    add_goals(r, match, 2, sides[2], chance - edge)
    add_bookings(r, match, sides)
    table.sort(match.events, function(a, b) return a.minute < b.minute end)
end

-- The points of each player, and of both teams by quarter.
local function play_points(match)
    local r = random("match", match.id)
    match.points, match.quarters = {}, {}
    for number, team in ipairs{ teams[match.home], teams[match.away] } do
        local sum, points = 0, {}
        for place, id in ipairs((line_up(match, team))) do
            local leads = place % 3 == 1
            points[place] = { id = id, points =
                r.int(leads and 5 or 2, leads and 22 or 12) +
                (place == 1 and team.strength or 3) }
            sum = sum + points[place].points
        end
        match.points[number] = points
        match.quarters[number] = sum
    end
    if match.quarters[1] == match.quarters[2] then
        match.points[1][1].points = match.points[1][1].points + 2
        match.quarters[1] = match.quarters[1] + 2
    end
    for number = 1, 2 do
        local sum, at = match.quarters[number], {}
        local r = random("quarters", match.id, number)
        for quarter = 1, 3 do
            at[quarter] = sum * (quarter * 25 + r.int(-4, 4)) // 100
        end
        at[4] = sum
        match.quarters[number] = at
    end
end

-- Matches of today that have not begun are decided as well.
for _, match in ipairs(matches) do
    match.events = {}
    if match.start // 1440 <= today then
        if match.sport == "basketball" then
            play_points(match)
        else
            play_goals(match)
        end
    end
end

-- ---- the clock of a match ----

-- "upcoming", "live" or "finished"; the minute on its clock, and whether it
-- is a break.
local function status_of(match, minute)
    local since = minute - match.start
    local phases = sports[match.sport].phases
    if since < 0 or match.start // 1440 > today then
        return "upcoming", 0, false
    end
    for _, phase in ipairs(phases) do
        if since < phase[2] then
            local part = (since - phase[1]) / (phase[2] - phase[1])
            return "live", phase[3] +
                   math.floor(part * (phase[4] - phase[3])),
                   phase[3] == phase[4]
        end
    end
    return "finished", phases[#phases][4], false
end

local function events_of(match, minute)
    local status, clock = status_of(match, minute)
    return table.filter(match.events, function(event)
        return status == "finished" or
               status == "live" and event.minute <= clock
    end)
end

local function is_goal(event)
    return event.kind == "goal" or event.kind == "penalty"
end

-- Goals or points of both; nil before the start. Points are counted by
-- quarter.
local function score_of(match, minute)
    local status, clock = status_of(match, minute)
    if status == "upcoming" then
        return nil
    end
    if match.quarters then
        local quarter = status == "finished" and 4 or clock // 10
        return { quarter > 0 and match.quarters[1][quarter] or 0,
                 quarter > 0 and match.quarters[2][quarter] or 0 }
    end
    local score = { 0, 0 }
    for _, event in ipairs(events_of(match, minute)) do
        if is_goal(event) then
            score[event.side] = score[event.side] + 1
        end
    end
    return score
end

local function is_finished(match, minute)
    return (status_of(match, minute)) == "finished"
end

-- ---- lists of matches ----

-- By their start.
local function matches_where(holds)
    return table.sort(table.filter(matches, holds), function(a, b)
        return a.start < b.start
    end)
end

local function matches_of(team)
    return matches_where(function(match)
        return match.home == team or match.away == team
    end)
end

-- ---- tables ----

local table_orders = {
    points = function(row) return row.points end,
    difference = function(row) return row.scored - row.against end,
    scored = function(row) return row.scored end,
    against = function(row) return -row.against end,
}

local function count_match(row, sport, own, other)
    row.played = row.played + 1
    row.scored, row.against = row.scored + own, row.against + other
    local result = own > other and "win" or own < other and "loss" or "draw"
    row[result] = row[result] + 1
    row.points = row.points + sport[result]
end

-- The rows of a league: of all matches, or only "home" or "away".
local function table_of(league, venue, order, minute)
    local rows = {}
    for place = 1, league.teams do
        rows[place] = { team = league.first + place - 1, played = 0, win = 0,
            draw = 0, loss = 0, scored = 0, against = 0, points = 0 }
    end
    for _, id in ipairs(league.matches) do
        local match = matches[id]
        if is_finished(match, minute) then
            local score = score_of(match, minute)
            local sport = sports[league.sport]
            if venue ~= "away" then
                count_match(rows[match.home - league.first + 1], sport,
                            score[1], score[2])
            end
            if venue ~= "home" then
                count_match(rows[match.away - league.first + 1], sport,
                            score[2], score[1])
            end
        end
    end
    local orders = { table_orders[order], table_orders.points,
                     table_orders.difference, table_orders.scored }
    return table.sort(rows, function(a, b)
        for _, value in ipairs(orders) do
            if value(a) ~= value(b) then
                return value(a) > value(b)
            end
        end
        return false
    end)
end

-- ---- players ----

-- The finished matches of a player: { match, goals, assists, points, cards }.
local function log_of(player, minute)
    local log = {}
    for _, match in ipairs(matches_of(player.team)) do
        if is_finished(match, minute) then
            local entry = { match = match.id, goals = 0, assists = 0,
                            points = 0, cards = 0 }
            local starting = line_up(match, teams[player.team])
            local played = table.index(starting, player.id)
            for _, event in ipairs(match.events) do
                local own = event.player == player.id
                played = played or own
                if is_goal(event) then
                    entry.goals = entry.goals + (own and 1 or 0)
                    entry.assists = entry.assists +
                        (event.other == player.id and 1 or 0)
                elseif own and event.kind ~= "change" then
                    entry.cards = entry.cards + 1
                end
            end
            for _, one in ipairs(match.points and
                match.points[match.home == player.team and 1 or 2] or {}) do
                if one.id == player.id then
                    entry.points = one.points
                end
            end
            if played then
                log[#log + 1] = entry
            end
        end
    end
    return log
end

-- Goals and assists, or points, of all who have any: the most first.
local function scorers_of(league, order, minute)
    local by_id, list = {}, {}
    local function add(id, what, count)
        if id and not by_id[id] then
            by_id[id] = { player = id, goals = 0, assists = 0, points = 0 }
        end
        if id then
            by_id[id][what] = by_id[id][what] + count
        end
    end
    for _, id in ipairs(league.matches) do
        local match = matches[id]
        if is_finished(match, minute) then
            for _, event in ipairs(match.events) do
                if is_goal(event) then
                    add(event.player, "goals", 1)
                    add(event.other, "assists", 1)
                end
            end
            for _, side in ipairs(match.points or {}) do
                for _, one in ipairs(side) do
                    add(one.id, "points", one.points)
                end
            end
        end
    end
    for _, id in ipairs(table.keys(by_id)) do
        list[#list + 1] = by_id[id]
    end
    list = table.filter(list, function(one) return one[order] > 0 end)
    return table.sort(list, function(a, b)
        if a[order] ~= b[order] then
            return a[order] > b[order]
        end
        return a.goals > b.goals
    end)
end

-- ---- one is best ----

-- Make one player the best: until the first place is not shared, a goal of a
-- team-mate, or the pass before it, goes to the best of those who always play.
local function make_unique(league, order, role)
    local minute = today * 1440
    local function is_first(id)
        local team = teams[players[id].team]
        local lines = by_line(team, team.squad)
        return lines[players[id].line][1] == id
    end
    local function give(best)
        for _, id in ipairs(league.matches) do
            local match = matches[id]
            for _, event in ipairs(is_finished(match, minute) and
                                   match.events or {}) do
                local of_team = event[role] and players[event[role]].team ==
                                players[best].team
                if is_goal(event) and of_team and event.player ~= best and
                   event.other ~= best then
                    event[role] = best
                    return true
                end
            end
        end
    end
    local list = scorers_of(league, order, minute)
    local best = table.filter(list, function(one)
        return is_first(one.player)
    end)[1].player
    local gives = true
    while gives and (list[1].player ~= best or
                     list[1][order] == list[2][order]) do
        gives = give(best)
        list = scorers_of(league, order, minute)
    end
end

for _, league in ipairs(leagues) do
    if league.sport ~= "basketball" then
        make_unique(league, "goals", "player")
        make_unique(league, "assists", "other")
    end
end

return { world = world, matches = matches, status_of = status_of, events_of = events_of,
         score_of = score_of, is_finished = is_finished, is_goal = is_goal,
         line_up = line_up, matches_where = matches_where,
         matches_of = matches_of, table_of = table_of, log_of = log_of,
         scorers_of = scorers_of }
