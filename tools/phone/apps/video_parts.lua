-- Texts and rows of Video that several of its screens share, made for a catalog.

local words = include("video_words")
local channels, subjects

local function subscription(state, id)
    return table.find(state.subscriptions, id)
end

-- ---- texts ----

local function counted(format, number)
    local text = string.format(t(format), number)
    if number == 1 then
        return text:replace("s ago", " ago"):replace("replies", "reply")
            :replace("videos", "video")
    end
    return text
end

local function ago(days)
    if days < 7 then
        return counted(words.days_ago, days)
    elseif days < 30 then
        return counted(words.weeks_ago, days // 7)
    elseif days < 365 then
        return counted(words.months_ago, days // 30)
    end
    return counted(words.years_ago, days // 365)
end

local function hours_ago(hours)
    return hours < 24 and counted(words.hours_ago, hours) or ago(hours // 24)
end

local function duration(seconds)
    if seconds >= 3600 then
        return string.format("%d:%02d:%02d", seconds // 3600,
                             seconds // 60 % 60, seconds % 60)
    end
    return string.format("%d:%02d", seconds // 60, seconds % 60)
end

local function views_text(video)
    return string.format(t(words.views), shortened(video.views))
end

-- ---- parts of the screens ----

local function quiet(value, id, lines)
    return text{ value, id = id, style = "body_small", lines = lines or 1,
                 ink = "on_surface_variant" }
end

local function badge_over(picture, label)
    return stack{ width = picture.width, across = "end", down = "end",
        picture.part,
        column{ padding = 6, text{ label, id = "duration",
            style = "label_medium", ink = "#ffffff", background = "#b3000000",
            radius = 4, padding_left = 5, padding_right = 5,
            padding_top = 1, padding_bottom = 1 } } }
end

local function thumbnail(video, width, height, radius)
    return badge_over({ width = width, part = art{
        art = subjects[video.subject].art, seed = video.seed, width = width,
        height = height, radius = radius, id = "thumbnail" } },
        duration(video.seconds))
end

local function face(channel, size)
    return art{ art = "portrait", seed = channel.seed, width = size,
                height = size, radius = size // 2, id = "face" }
end

local function menu_button(video, from, list, place)
    return icon_button{ icon = "more", id = "video_menu",
        description = t(words.more) .. " " .. t(video.title),
        on_click = { "go", "video_menu", video.id, from, list or 0,
                     place or 0 } }
end

local function detail_of(video)
    return t(channels[video.channel].name) .. " · " .. views_text(video) ..
           " · " .. ago(video.days)
end

-- As wide as the screen, with the channel's face.
local function feed_card(video)
    return column{ id = "feed_card", key = "v" .. video.id, width = "fill",
        padding_bottom = 12, on_click = { "open", video.id },
        thumbnail(video, "fill", 224, 0),
        row{ width = "fill", gap = 12, padding_left = 12, padding_top = 10,
            face(channels[video.channel], 40),
            column{ weight = 1, gap = 2,
                text{ video.title, id = "video_title", lines = 2,
                    style = "title_medium" },
                quiet(detail_of(video), "video_detail", 2) },
            menu_button(video, "feed") } }
end

-- A small picture beside its texts; parts say where it stands.
local function video_row(video, parts)
    return row{ id = "video_row", key = parts.key or "v" .. video.id,
        width = "fill", gap = 12, padding_left = 12, padding_top = 6,
        padding_bottom = 6, on_click = { "open", video.id },
        thumbnail(video, 160, 90, 10),
        column{ weight = 1, gap = 2,
            text{ video.title, id = "video_title", lines = 2,
                style = "title_small" },
            quiet(channels[video.channel].name, "video_channel"),
            quiet(views_text(video) .. " · " .. ago(video.days),
                  "video_detail", 2) },
        menu_button(video, parts.from or "", parts.list, parts.place) }
end

local products = { "headphones", "watch", "backpack", "shoe", "bottle",
                   "lamp", "speaker" }

local function advertiser(number)
    local r = random("ad", number)
    return { brand = content.brand(r), art = r.pick(products),
             seed = r.int(1, 9999) }
end

local function sponsored_mark()
    return text{ words.sponsored, id = "sponsored", style = "label_small",
        font = "bold", background = "tertiary_container",
        ink = "on_tertiary_container", radius = 4, padding_left = 6,
        padding_right = 6, padding_top = 1, padding_bottom = 1 }
end

local function sponsored_card(number)
    local ad = advertiser(number)
    return column{ id = "ad_card", key = "ad" .. number, width = "fill",
        padding_bottom = 12, on_click = { "go", "sponsor", number },
        art{ art = ad.art, seed = ad.seed, width = "fill", height = 224,
            radius = 0 },
        row{ width = "fill", gap = 12, padding = 12, down = "center",
            column{ weight = 1, gap = 4,
                text{ ad.brand, id = "ad_brand", style = "title_medium" },
                row{ gap = 8, down = "center", sponsored_mark(),
                    quiet(words.ad_offer) } },
            button{ words.visit, id = "visit", style = "tonal",
                on_click = { "go", "sponsor", number } } } }
end

local function sponsored_row(number)
    local ad = advertiser(number)
    return row{ id = "ad_row", key = "ad" .. number, width = "fill", gap = 12,
        padding = 12, background = "surface_container_low", down = "center",
        on_click = { "go", "sponsor", number },
        art{ art = ad.art, seed = ad.seed, width = 160, height = 90,
            radius = 10 },
        column{ weight = 1, gap = 4,
            text{ ad.brand, id = "ad_brand", style = "title_small" },
            quiet(words.ad_offer, nil, 2), sponsored_mark() } }
end

local function top_icons()
    return { icon_button{ icon = "search", id = "open_search",
                 description = words.find, on_click = "start_search" },
             icon_button{ icon = "gear", id = "open_settings",
                 description = words.settings,
                 on_click = { "go", "settings" } } }
end

local function choice_chips(handler, chosen, choices)
    return carousel{ id = handler .. "_chips", height = 52, gap = 8,
        padding_left = 12, padding_right = 12, down = "center",
        table.map(choices, function(choice)
            return chip{ choice.name, key = tostring(choice.value),
                id = handler .. "_" .. choice.value, checkable = true,
                checked = chosen == choice.value,
                on_click = { handler, choice.value } }
        end) }
end

local function subscriber_text(channel)
    return string.format(t(words.subscribers),
                         shortened(channel.subscribers))
end

local function subscribe_button(state, id)
    local one = subscription(state, id)
    if not one then
        return button{ words.subscribe, id = "subscribe", style = "filled",
            on_click = { "subscribe", id } }
    end
    return row{ down = "center", gap = 4,
        button{ words.subscribed, id = "subscribed", style = "tonal",
            on_click = { "go", "bell", id } },
        icon_button{ icon = "bell", id = "bell",
            description = t(words.bell) .. " " .. t(words["bell_" ..
                one.bell]),
            ink = one.bell == "all" and "primary" or
                one.bell == "none" and "outline_variant" or nil,
            on_click = { "go", "bell", id } } }
end

local function channel_row(state, channel)
    return row{ id = "channel_row", key = "c" .. channel.id, width = "fill",
        gap = 16, padding = 12, down = "center",
        on_click = { "channel", channel.id },
        face(channel, 64),
        column{ weight = 1, gap = 2,
            text{ channel.name, id = "channel_name", style = "title_medium",
                lines = 2 },
            quiet(channel.handle),
            quiet(subscriber_text(channel), "subscribers") },
        not subscription(state, channel.id) and
            subscribe_button(state, channel.id) or false }
end

return function(catalog)
    channels, subjects = catalog.channels, catalog.subjects
    return { subscription = subscription, counted = counted, ago = ago,
             hours_ago = hours_ago, duration = duration,
             views_text = views_text, quiet = quiet, badge_over = badge_over,
             thumbnail = thumbnail, face = face, feed_card = feed_card,
             video_row = video_row, advertiser = advertiser,
             sponsored_card = sponsored_card, sponsored_row = sponsored_row,
             top_icons = top_icons, choice_chips = choice_chips,
             subscriber_text = subscriber_text,
             subscribe_button = subscribe_button, channel_row = channel_row }
end
