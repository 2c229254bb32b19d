-- Cards and rows of News that several of its screens share.

local words = include("news_words")
local catalog = include("news_content")
local sources, articles, events = catalog.sources, catalog.articles,
                                  catalog.events

local parts = {}

-- ---- texts ----

function parts.column_name(id)
    return table.filter(catalog.columns, function(one)
        return one.id == id
    end)[1]
end

-- Minutes as "5 h ago".
function parts.ago(minutes)
    if minutes < 60 then
        return string.format(t(words.minutes_ago), math.max(1, minutes))
    elseif minutes < 1440 then
        return string.format(t(words.hours_ago), minutes // 60)
    elseif minutes < 2880 then
        return t(words.yesterday)
    end
    return string.format(t(words.days_ago), minutes // 1440)
end

-- When an article was published, with the time of the day.
function parts.published(base, article)
    local minute = base - article.age
    local year = dates.parts(minute // 1440)
    local day = dates.short(minute // 1440)
    return t{ en = day .. ", " .. year, zh = year .. "年" .. day } .. " " ..
           dates.time(minute % 1440)
end

local function duration(seconds)
    return string.format("%02d:%02d", seconds // 60, seconds % 60)
end

function parts.option(label, id, chosen, action)
    return item{ label, id = id, on_click = action,
        radio{ checked = chosen, clickable = false } }
end

-- ---- sources ----

local grounds = { "primary", "tertiary", "secondary", "error" }

-- A round sign with the first letter of a name.
function parts.sign(name, seed, size)
    local ground = grounds[seed % #grounds + 1]
    return row{ width = size, height = size, radius = size // 2,
        background = ground .. "_container", across = "center",
        down = "center",
        text{ utf8.sub(t(name), 1, 1), text_size = size * 0.44,
            font = "bold", ink = "on_" .. ground .. "_container" } }
end

function parts.source_sign(id, size)
    return parts.sign(sources[id].name, sources[id].seed, size)
end

function parts.follow_of(state, id)
    return table.find(state.follows, id)
end

function parts.follow_button(state, id)
    if parts.follow_of(state, id) then
        return button{ words.followed, id = "followed", style = "outlined",
            on_click = { "go", "sure_unfollow", id } }
    end
    return button{ words.follow, id = "follow", style = "filled",
        on_click = { "follow", id } }
end

function parts.source_row(state, id)
    local source = sources[id]
    return row{ id = "source_row", key = "s" .. id, width = "fill", gap = 12,
        padding = 16, padding_top = 10, padding_bottom = 10, down = "center",
        on_click = { "source", id },
        parts.source_sign(id, 48),
        column{ weight = 1, gap = 2,
            text{ source.name, id = "source_name", style = "title_medium",
                lines = 1 },
            quiet(string.format(t(words.followers),
                                shortened(source.followers)), "followers") },
        parts.follow_button(state, id) }
end

-- ---- advertisements ----

local goods = { "headphones", "watch", "backpack", "shoe", "lamp", "chair",
                "toy", "umbrella" }

function parts.advertiser(number)
    local r = random("advertisement", number)
    return { brand = content.brand(r), art = r.pick(goods),
             offer = r.pick(words.ad_offers), seed = r.int(1, 9999) }
end

local function small_mark(said, id, ground)
    return text{ said, id = id, style = "label_small", ink = ground,
        outline = ground, radius = 3, padding_left = 4, padding_right = 4 }
end

local function small_close(description, id, action)
    return icon_button{ icon = "close", id = id, width = 36, height = 36,
        padding = 10, ink = "outline", description = description, on_click = action }
end

-- Looks like an article with a large picture.
function parts.ad_card(number)
    local ad = parts.advertiser(number)
    return column{ id = "ad_card", key = "ad" .. number, width = "fill",
        gap = 8, padding = 16, padding_bottom = 8,
        on_click = { "go", "sponsor", number },
        text{ ad.offer, id = "ad_title", style = "title_medium",
            lines = 2 },
        art{ art = ad.art, seed = ad.seed, width = "fill", height = 150,
            radius = 8 },
        row{ width = "fill", gap = 8, down = "center",
            small_mark(words.ad, "ad_mark", "primary"),
            quiet(ad.brand, "ad_brand", { weight = 1 }),
            text{ words.ad_button, id = "ad_button", style = "label_medium",
                ink = "primary" },
            small_close(words.hide_ad, "hide_ad",
                        { "hide_ad", number }) } }
end

-- ---- articles ----

local function picture(article, number, width, height, weight)
    return art{ art = article.art, seed = article.seed + number, width = width,
        height = height, weight = weight, radius = 6, id = "picture" }
end

local function details(article)
    return t(sources[article.source].name) .. " · " ..
           string.format(t(words.comments_of), article.comments) .. " · " ..
           parts.ago(article.age)
end

-- What is below the title: `more` may have another text, and what is beside it.
local function footer(article, more)
    return row{ width = "fill", gap = 8, down = "center",
        more.pinned and small_mark(words.pinned, "pinned", "error") or false,
        quiet(more.detail or details(article), "article_detail",
              { weight = 1, lines = 1 }),
        more.menu and small_close(t(words.less_like_this) .. ": " ..
                t(article.title), "less",
                { "go", "less", article.id }) or false }
end

local function heading(article, more, lines)
    local read = more.read
    return text{ article.title, id = "article_title", lines = lines or 3,
        style = "title_medium", width = "fill",
        ink = read and "on_surface_variant" or "on_surface" }
end

local looks = {}

function looks.side(article, more)
    return column{ width = "fill", gap = 6,
        row{ width = "fill", gap = 12,
            column{ weight = 1, heading(article, more) },
            picture(article, 0, 112, 74) },
        footer(article, more) }
end

function looks.three(article, more)
    return column{ width = "fill", gap = 8, heading(article, more),
        row{ width = "fill", gap = 4,
            table.map({ 0, 1, 2 }, function(number)
                return picture(article, number, 0, 80, 1)
            end) },
        footer(article, more) }
end

function looks.big(article, more)
    return column{ width = "fill", gap = 8, heading(article, more),
        picture(article, 0, "fill", 184), footer(article, more) }
end

function looks.text(article, more)
    return column{ width = "fill", gap = 6, heading(article, more),
        footer(article, more) }
end

local function play_sign(size)
    return row{ width = size, height = size, radius = size // 2,
        background = "#99000000", across = "center", down = "center",
        icon{ icon = "play", width = size // 2, height = size // 2,
            ink = "#ffffff" } }
end

function looks.video(article, more)
    return column{ width = "fill", gap = 8, heading(article, more),
        stack{ width = "fill", across = "center", down = "center",
            picture(article, 0, "fill", 184),
            play_sign(52),
            column{ width = "fill", height = 184, across = "end",
                down = "end", padding = 8,
                text{ duration(article.seconds), id = "duration",
                    style = "label_small", ink = "#ffffff", radius = 10,
                    background = "#99000000", padding_left = 8,
                    padding_right = 8, padding_top = 2,
                    padding_bottom = 2 } } },
        footer(article, more) }
end

-- An article in a list. more: pinned, read, menu, look, detail, and key, where
-- the article is there twice.
function parts.article_card(article, more)
    return column{ id = "article_card", key = more.key or "a" .. article.id,
        width = "fill",
        on_click = { "open", article.id },
        column{ width = "fill", padding = 16, padding_top = 12,
            padding_bottom = more.menu and 6 or 12,
            looks[more.look or article.look](article, more) },
        divider{} }
end

-- The same with its source above and its first lines, for those followed.
function parts.post(article)
    local source = sources[article.source]
    return column{ id = "article_card", key = "p" .. article.id,
        width = "fill", gap = 10, padding = 16, radius = 16,
        background = "surface_container_low",
        on_click = { "open", article.id },
        row{ width = "fill", gap = 10, down = "center",
            parts.source_sign(article.source, 36),
            column{ weight = 1,
                text{ source.name, id = "source_name",
                    style = "title_small", lines = 1 },
                quiet(parts.ago(article.age), "article_age") } },
        text{ article.title, id = "article_title", style = "title_medium",
            lines = 3 },
        picture(article, 0, "fill", 140),
        row{ width = "fill", gap = 6, down = "center",
            icon{ icon = "comment", width = 16, height = 16,
                ink = "on_surface_variant" },
            quiet(tostring(article.comments), "comment_count"),
            space{ width = 12, height = 1 },
            icon{ icon = "heart", width = 16, height = 16,
                ink = "on_surface_variant" },
            quiet(shortened(article.likes), "like_count") } }
end

-- ---- the hot list ----

local marks = { { words.mark_boil, "error" }, { words.mark_hot, "tertiary" },
                { words.mark_new, "primary" } }

local function rank_ink(rank)
    return rank == 1 and "error" or rank <= 3 and "tertiary" or
           "on_surface_variant"
end

local function mark_of(event, rank)
    local mark = rank <= 2 and marks[1] or event.id % 4 == 0 and marks[3] or
                 event.id % 3 == 0 and marks[2]
    return mark and text{ mark[1], id = "mark", style = "label_small",
        font = "bold", ink = "on_" .. mark[2], background = mark[2],
        radius = 4, padding_left = 5, padding_right = 5 } or false
end

function parts.hot_row(rank, id)
    local event = events[id]
    return row{ id = "hot_row", key = "h" .. id, width = "fill", gap = 12,
        padding = 16, padding_top = 10, padding_bottom = 10, down = "center",
        on_click = { "topic", id },
        text{ rank, id = "rank", width = 32, text_align = "center",
            style = "title_large", font = "bold", ink = rank_ink(rank) },
        column{ weight = 1, gap = 2,
            text{ event.title, id = "hot_title", style = "title_medium",
                lines = 2 },
            quiet(string.format(t(words.heat), shortened(event.heat)),
                  "heat") },
        mark_of(event, rank) }
end

-- An advertisement in the list, without a rank.
function parts.hot_ad(number)
    local ad = parts.advertiser(number)
    return row{ id = "hot_ad", key = "ad" .. number, width = "fill", gap = 12,
        padding = 16, padding_top = 10, padding_bottom = 10, down = "center",
        on_click = { "go", "sponsor", number },
        text{ "•", width = 32, text_align = "center", style = "title_large",
            ink = "primary" },
        column{ weight = 1, gap = 2,
            text{ ad.offer, id = "ad_title", style = "title_medium",
                lines = 2 },
            quiet(ad.brand, "ad_brand") },
        small_mark(words.ad, "ad_mark", "primary") }
end

return parts
