-- The pages of the browser's web: what is at an address, its title, and what
-- the search engines find. An address is "site/page/rest".

local words = include("web_words")
local web_content = include("web_content")
local sites, wiki, news = web_content.sites, web_content.wiki,
                          web_content.news
local products, fill = web_content.products, web_content.fill

local STEP = 6 -- products, and results, loaded at a time

local pages = {}

local function parts_of(url)
    local parts = url:split("/")
    return parts[1], parts[2] or "home",
           table.concat({ table.unpack(parts, 3) }, "/")
end

-- ---- parts of pages ----

-- All text of a page grows with the size that was chosen.
local function words_of(state, value, size, parts)
    local made = { value, text_size = size * state.scale / 100 }
    for key, part in pairs(parts or {}) do
        made[key] = part
    end
    return text(made)
end

local function body(state, value, id)
    return words_of(state, value, 16, { id = id, width = "fill" })
end

local function small(state, value, id)
    return words_of(state, value, 13, { id = id, ink = "on_surface_variant" })
end

local function heading(state, value, size)
    return words_of(state, value, size or 22, { font = "bold",
        width = "fill" })
end

-- What leads to a page: it is opened by a tap, and a long press asks where.
local function leads(url, parts)
    parts.on_click = { "open", url }
    parts.on_long_click = { "go", "link", url }
    return parts
end

local function link(state, value, url, id)
    return words_of(state, value, 16, leads(url, { ink = "primary",
        id = id or "link", key = url, padding_top = 8, padding_bottom = 8 }))
end

local function block(parts)
    parts.width, parts.gap = "fill", parts.gap or 12
    parts.padding_left = parts.padding_left or 16
    parts.padding_right = parts.padding_right or 16
    parts.padding_top = parts.padding_top or 8
    parts.padding_bottom = parts.padding_bottom or 8
    return column(parts)
end

-- The top of a site: its name in its colours.
local function banner(state, site, motto, ground, ink)
    return row(leads(site.id .. "/home", { width = "fill", padding = 16,
        gap = 12, down = "center", background = ground, id = "site_banner",
        column{ weight = 1, gap = 2,
            words_of(state, site.name, 20, { font = "bold", ink = ink,
                id = "site_name" }),
            motto and words_of(state, motto, 12, { ink = ink }) or false } }))
end

-- Rows of which one is chosen.
local function choices(state, list, id, chosen, action)
    return column{ width = "fill", table.map(list, function(one)
        return row{ width = "fill", gap = 8, down = "center",
            id = id .. "_choice", key = one.id, padding_top = 2,
            padding_bottom = 2,
            radio{ t(one), width = "fill", checked = chosen == one.id,
                id = id .. "_" .. one.id,
                on_click = table.join(action, { one.id }) } }
    end) }
end

local function entry(state, name, label, parts)
    return column{ width = "fill", gap = 4,
        small(state, label),
        (parts and parts.area and area or field){ text = state.form[name],
            hint = label, width = "fill", id = name, background = "surface",
            on_change = { "fill", name } } }
end

local function submit(label, id, disabled, action)
    return button{ label, id = id, style = "filled", width = "fill",
        disabled = disabled, on_click = action }
end

-- ---- the encyclopedia, and the site that copies it ----

local titles = {}

local function article(number)
    return wiki.articles[tonumber(number)]
end

local function article_url(thing)
    return "wiki/article/" .. thing.article
end

-- Figures of the encyclopedia; the other site has those of long ago.
local facts = {}

function facts.town(town, old)
    return { { "population", web_content.grouped(old and town.old or
                                                 town.population) },
             { "founded", town.founded },
             { "height", town.height .. " m" },
             { "on_river", wiki.rivers[town.river].name,
               wiki.rivers[town.river] } }
end

function facts.person(person, old)
    return { { "born", old and person.old or person.born },
             { "birthplace", wiki.towns[person.birthplace].name,
               wiki.towns[person.birthplace] },
             { "died", person.died },
             { "profession", person.field } }
end

function facts.river(river, old)
    return { { "length", (old and river.old or river.length) .. " km" },
             { "source", river.source }, { "height", river.height .. " m" } }
end

function facts.bridge(bridge, old)
    return { { "length", (old and bridge.old or bridge.length) .. " m" },
             { "opened", bridge.opened },
             { "on_river", wiki.rivers[bridge.river].name,
               wiki.rivers[bridge.river] },
             { "architect", wiki.people[bridge.architect].name,
               wiki.people[bridge.architect] } }
end

local leads_of = {}

function leads_of.town(town)
    return fill(words.town_text, town.name, wiki.rivers[town.river].name,
                town.founded, town.height)
end

function leads_of.person(person)
    return fill(words.person_text, person.name, person.born, person.died,
                person.field, wiki.towns[person.birthplace].name)
end

function leads_of.river(river)
    return fill(words.river_text, river.name, river.source, river.height)
end

function leads_of.bridge(bridge)
    return fill(words.bridge_text, bridge.name,
                wiki.rivers[bridge.river].name,
                wiki.people[bridge.architect].name)
end

-- Sections are folded at first: their name, text, and what they lead to.
local sections = {}

function sections.town(town)
    local twin = wiki.towns[town.twin]
    local native = wiki.people[town.person]
    return { { "twins", fill(words.twin_text, town.name, twin.name), twin },
             { "natives", fill(words.native_text, native.name), native } }
end

function sections.person(person)
    return { { "works", fill(words.work_text, person.work,
                             person.work_year) } }
end

function sections.river(river)
    local bridge = wiki.bridges[river.id]
    return { { "crossings", fill(words.crossing_text, bridge.name), bridge } }
end

function sections.bridge() return {} end

local function fact_rows(state, list, links)
    return column{ width = "fill", radius = 12, outline = "outline_variant",
        padding = 12, gap = 6, id = "facts", table.map(list, function(fact)
            return row{ width = "fill", gap = 12, down = "center",
                key = fact[1],
                words_of(state, words[fact[1]], 14, { weight = 2,
                    ink = "on_surface_variant", id = "fact_name" }),
                fact[3] and links and column{ weight = 3,
                    link(state, fact[2], article_url(fact[3])) } or
                words_of(state, fact[2], 16, { weight = 3, id = "fact" }) }
        end) }
end

local function folded(state, thing, section)
    local name = section[1] .. " " .. thing.article
    local open = table.index(state.unfolded, name) ~= nil
    return column{ width = "fill", key = "section_" .. section[1],
        row{ width = "fill", padding_top = 12, padding_bottom = 12,
            down = "center", id = "section",
            on_click = { "fold", section[1], thing.article, not open },
            words_of(state, words[section[1]], 19, { weight = 1,
                font = "medium" }),
            icon{ icon = open and "up" or "down", width = 24, height = 24 } },
        open and column{ width = "fill", gap = 4,
            body(state, section[2], "section_text"),
            section[3] and link(state, section[3].name,
                                article_url(section[3])) or false } or false,
        divider{} }
end

local pictures = { town = "skyline", person = "portrait", river = "landscape",
                   bridge = "cover_waves" }

pages["wiki/article"] = function(state, number)
    local thing = article(number)
    return { banner(state, sites.wiki, nil, "surface_container", "on_surface"),
        block{ heading(state, thing.name, 28),
            art{ art = pictures[thing.kind], seed = thing.article * 7,
                width = "fill", height = 150, radius = 12 },
            body(state, leads_of[thing.kind](thing), "lead"),
            fact_rows(state, facts[thing.kind](thing), true),
            table.map(sections[thing.kind](thing), function(section)
                return folded(state, thing, section)
            end),
            small(state, string.format(t(words.edited),
                dates.short(state.base - thing.edited)), "edited") } }
end

titles["wiki/article"] = function(number)
    return fill({ en = "%s – %s", zh = "%s－%s" }, article(number).name,
                sites.wiki.name)
end

local function kinds_of_things()
    return { { "town", wiki.towns }, { "person", wiki.people },
             { "river", wiki.rivers }, { "bridge", wiki.bridges } }
end

pages["wiki/home"] = function(state)
    local day = wiki.articles[random("featured").int(1, #wiki.articles)]
    return { banner(state, sites.wiki, words.wiki_motto, "surface_container",
                    "on_surface"),
        block{ column(leads(article_url(day), { width = "fill", gap = 8,
                id = "featured",
                art{ art = pictures[day.kind], seed = day.article * 7,
                    width = "fill", height = 180, radius = 12 },
                heading(state, day.name),
                body(state, leads_of[day.kind](day)) })),
            heading(state, words.wiki_kinds),
            table.map(kinds_of_things(), function(kind)
                return row(leads("wiki/kind/" .. kind[1], { width = "fill",
                    padding_top = 12, padding_bottom = 12, down = "center",
                    id = "subject", key = kind[1],
                    words_of(state, words[kind[1]], 16, { weight = 1 }),
                    small(state, #kind[2]),
                    icon{ icon = "right", width = 20, height = 20 } }))
            end) } }
end

titles["wiki/home"] = function() return sites.wiki.name end

pages["wiki/kind"] = function(state, kind)
    local things = table.filter(wiki.articles, function(thing)
        return thing.kind == kind
    end)
    return { banner(state, sites.wiki, words.wiki_motto, "surface_container",
                    "on_surface"),
        block{ gap = 0, heading(state, words[kind], 26),
            table.map(things, function(thing)
                return link(state, thing.name, article_url(thing))
            end) } }
end

titles["wiki/kind"] = function(kind)
    return fill({ en = "%s – %s", zh = "%s－%s" }, { en = words[kind].en,
        zh = words[kind].zh }, sites.wiki.name)
end

pages["copy/article"] = function(state, number)
    local thing = article(number)
    return { banner(state, sites.copy, words.copy_motto, "tertiary_container",
                    "on_tertiary_container"),
        block{ heading(state, thing.name, 26),
            fact_rows(state, facts[thing.kind](thing, true), false),
            small(state, words.as_of_2009, "as_of"),
            heading(state, words.also, 18),
            table.map({ table.unpack(random("also", number).shuffle(
                wiki.articles), 1, 3) }, function(other)
                return link(state, other.name, "copy/article/" ..
                            other.article)
            end) } }
end

titles["copy/article"] = function(number)
    return fill({ en = "%s: all facts | %s", zh = "%s：全部数据 | %s" },
                article(number).name, sites.copy.name)
end

pages["copy/home"] = function(state)
    return { banner(state, sites.copy, words.copy_motto, "tertiary_container",
                    "on_tertiary_container"),
        block{ gap = 0, table.map(wiki.articles, function(thing)
            return link(state, thing.name, "copy/article/" .. thing.article)
        end) } }
end

titles["copy/home"] = function() return sites.copy.name end

-- ---- the newspaper ----

local section_names = { all = words.all, ["local"] = words.local_news,
                        culture = words.culture, money = words.money_news }

-- Stories are in the order in which the newspaper likes them.
local function stories(section)
    return table.filter(random("front page").shuffle(news), function(one)
        return section == "all" or one.section == section
    end)
end

local function story_day(state, one)
    return dates.short(state.base - one.days)
end

local function news_head(state, chosen)
    return { banner(state, sites.news, nil, "surface", "on_surface"),
        carousel{ width = "fill", height = 44, gap = 8, padding_left = 16,
            padding_right = 16, down = "center",
            table.map(web_content.sections, function(section)
                return words_of(state, section_names[section], 15,
                    leads("news/section/" .. section, { id = "news_section",
                        key = section, padding = 8,
                        selected = chosen == section,
                        font = chosen == section and "bold" or nil,
                        ink = chosen == section and "primary" or
                            "on_surface" }))
            end) },
        divider{} }
end

local function story_row(state, one)
    return row(leads("news/article/" .. one.id, { width = "fill", gap = 12,
        padding_top = 10, padding_bottom = 10, id = "story",
        key = "n" .. one.id, down = "center",
        column{ weight = 1, gap = 4,
            words_of(state, one.title, 17, { font = "bold",
                id = "story_title" }),
            small(state, t(section_names[one.section]) .. " · " ..
                  story_day(state, one), "story_day") },
        art{ art = "landscape", seed = one.seed, width = 88, height = 66,
            radius = 4 } }))
end

pages["news/section"] = function(state, section)
    local list = stories(section)
    local first = list[1]
    return { news_head(state, section),
        block{ gap = 0,
            column(leads("news/article/" .. first.id, { width = "fill",
                gap = 8, padding_bottom = 12, id = "story",
                key = "n" .. first.id,
                art{ art = "skyline", seed = first.seed, width = "fill",
                    height = 170 },
                words_of(state, first.title, 24, { font = "bold",
                    id = "story_title" }),
                small(state, story_day(state, first), "story_day") })),
            divider{},
            table.map({ table.unpack(list, 2) }, function(one)
                return story_row(state, one)
            end) } }
end

pages["news/home"] = function(state)
    return pages["news/section"](state, "all")
end

titles["news/home"] = function() return sites.news.name end

titles["news/section"] = function(section)
    local name = section_names[section]
    return fill({ en = "%s – %s", zh = "%s－%s" }, name, sites.news.name)
end

pages["news/article"] = function(state, number)
    local one = news[tonumber(number)]
    local like = table.filter(news, function(other)
        return other ~= one and other.section == one.section
    end)
    return { news_head(state, one.section),
        block{ words_of(state, one.title, 28, { font = "bold",
                id = "headline" }),
            small(state, string.format(t(words.by), t(one.author)), "author"),
            small(state, story_day(state, one) .. ", " ..
                  dates.time(one.minute), "story_day"),
            art{ art = "skyline", seed = one.seed, width = "fill",
                height = 170 },
            body(state, one.lead, "story_text"),
            body(state, one.more, "story_more"),
            heading(state, words.read_too, 18),
            table.map({ table.unpack(like, 1, math.min(3, #like)) },
                function(other) return story_row(state, other) end) } }
end

titles["news/article"] = function(number)
    return fill({ en = "%s – %s", zh = "%s－%s" },
                news[tonumber(number)].title, sites.news.name)
end

-- ---- the shop ----

local shop_orders = {
    recommended = function() return false end,
    price_asc = function(a, b) return a.price < b.price end,
    price_desc = function(a, b) return a.price > b.price end,
    rating = function(a, b) return a.rating > b.rating end,
}

local function listed(state, kind)
    local list = table.filter(products, function(product)
        return product.kind == kind and
               (not state.only_stock or product.stock)
    end)
    return table.sort(list, shop_orders[state.shop_sort])
end

local function cart_count(state)
    local count = 0
    for _, line in ipairs(state.cart) do
        count = count + line.count
    end
    return count
end

local function shop_head(state)
    return row{ width = "fill", padding = 12, padding_left = 16, gap = 12,
        down = "center", background = "tertiary",
        words_of(state, sites.shop.name, 20, leads("shop/home", {
            font = "bold", ink = "on_tertiary", weight = 1,
            id = "site_name" })),
        row{ id = "open_cart", height = 48, gap = 6, padding_left = 12,
            padding_right = 12, down = "center",
            description = t(words.cart) .. " " .. cart_count(state),
            on_click = { "open", "shop/cart" },
            icon{ icon = "bag", width = 24, height = 24,
                ink = "on_tertiary" },
            text{ cart_count(state), style = "label_large",
                ink = "on_tertiary", id = "cart_count" } } }
end

pages["shop/home"] = function(state)
    return { shop_head(state),
        block{ heading(state, words.shop_motto),
            grid{ columns = 2, gap = 12, width = "fill",
                table.map(web_content.kinds, function(kind)
                    local least
                    for _, product in ipairs(products) do
                        if product.kind == kind.id then
                            least = math.min(least or product.price,
                                             product.price)
                        end
                    end
                    return column(leads("shop/kind/" .. kind.id, {
                        width = "fill", gap = 6, padding = 12, radius = 4,
                        background = "surface_container", id = "kind",
                        key = kind.id,
                        art{ art = kind.id, seed = 3, width = "fill",
                            height = 110, radius = 4 },
                        words_of(state, kind, 16, { font = "medium" }),
                        small(state, string.format(t(words.from_price),
                                                   money(least))) }))
                end) } } }
end

titles["shop/home"] = function() return sites.shop.name end

local function product_row(state, product)
    return row(leads("shop/product/" .. product.id, { width = "fill",
        gap = 12, padding_top = 10, padding_bottom = 10, down = "center",
        id = "product", key = "p" .. product.id,
        art{ art = product.kind, seed = product.seed, width = 84,
            height = 84, radius = 4 },
        column{ weight = 1, gap = 3,
            words_of(state, product.name, 16, { id = "product_name" }),
            row{ gap = 6, down = "center",
                rating{ value = product.rating / 10, text_size = 12 },
                small(state, string.format("%.1f", product.rating / 10)) },
            words_of(state, money(product.price), 18, { font = "bold",
                id = "product_price" }),
            not product.stock and words_of(state, words.sold_out, 13,
                { ink = "error", id = "sold_out" }) or false } }))
end

pages["shop/kind"] = function(state, kind)
    local list, rows = listed(state, kind), {}
    for i = 1, math.min(state.shop_shown, #list) do
        rows[#rows + 1] = product_row(state, list[i])
    end
    return { shop_head(state),
        block{ gap = 0,
            heading(state, table.find(web_content.kinds, kind), 24),
            row{ width = "fill", gap = 8, padding_top = 8,
                padding_bottom = 8, down = "center",
                chip{ words[state.shop_sort], icon = "sort", id = "sort",
                    description = t(words.sort) .. ": " ..
                        t(words[state.shop_sort]),
                    on_click = { "go", "shop_sort" } },
                chip{ words.only_stock, id = "only_stock", checkable = true,
                    checked = state.only_stock, on_change = "only_stock" } },
            rows,
            #rows < #list and column{ width = "fill", padding = 12,
                button{ words.more_results, id = "more_products",
                    style = "outlined", width = "fill", ink = "primary",
                    on_click = "more_products" } } or false } }
end

titles["shop/kind"] = function(kind)
    return fill({ en = "%s – %s", zh = "%s－%s" },
                table.find(web_content.kinds, kind), sites.shop.name)
end

pages["shop/product"] = function(state, number)
    local product = products[tonumber(number)]
    return { shop_head(state),
        block{ art{ art = product.kind, seed = product.seed, width = "fill",
                height = 220, radius = 4 },
            heading(state, product.name, 22),
            row{ gap = 8, down = "center",
                rating{ value = product.rating / 10 },
                small(state, string.format("%.1f · ", product.rating / 10) ..
                      string.format(t(words.reviews), product.reviews)) },
            words_of(state, money(product.price), 28, { font = "bold",
                id = "product_price" }),
            words_of(state, product.stock and
                     string.format(t(words.in_stock), product.days) or
                     words.sold_out, 15, { id = "stock",
                ink = product.stock and "on_surface_variant" or "error" }),
            small(state, words.colour),
            row{ gap = 8, table.map(web_content.colours, function(colour)
                return chip{ t(colour), id = "colour_" .. colour.id,
                    checkable = true, checked = state.colour == colour.id,
                    on_click = { "colour", colour.id } }
            end) },
            submit(words.add_cart, "add_cart", not product.stock,
                   { "add_cart", product.id }) } }
end

titles["shop/product"] = function(number)
    return fill({ en = "%s – %s", zh = "%s－%s" },
                products[tonumber(number)].name, sites.shop.name)
end

-- Goods, discount, shipping and total in cents.
local function totals(state)
    local goods = 0
    for _, line in ipairs(state.cart) do
        goods = goods + products[line.product].price * line.count
    end
    local off = (goods * state.percent + 50) // 100
    local shipping = web_content.shipping[state.shipping]
    return { goods = goods, off = off, shipping = shipping,
             total = goods - off + shipping }
end

local function sum_row(state, label, cents, id, strong)
    return row{ width = "fill", across = "spread", key = id,
        words_of(state, label, strong and 18 or 15,
                 { font = strong and "bold" or nil }),
        words_of(state, cents < 0 and "−" .. money(-cents) or money(cents),
                 strong and 18 or 15,
                 { id = id, font = strong and "bold" or nil }) }
end

local function sums(state)
    local sum = totals(state)
    return column{ width = "fill", gap = 6,
        sum_row(state, words.subtotal, sum.goods, "goods"),
        sum.off > 0 and sum_row(state, words.discount, -sum.off, "discount") or
            false,
        sum_row(state, words[state.shipping], sum.shipping, "shipping"),
        sum_row(state, words.total, sum.total, "total", true) }
end

local function colour_text(id)
    return t(table.find(web_content.colours, id))
end

local function cart_line(state, line, place)
    local product = products[line.product]
    return row{ width = "fill", gap = 12, down = "center", id = "cart_line",
        key = "c" .. place,
        art{ art = product.kind, seed = product.seed, width = 64,
            height = 64, radius = 4 },
        column{ weight = 1, gap = 2,
            words_of(state, product.name, 15, { id = "cart_name" }),
            small(state, colour_text(line.colour) .. " · " .. line.count ..
                  " × " .. money(product.price), "cart_detail") },
        icon_button{ icon = "minus", id = "fewer",
            description = t(words.remove) .. " " .. t(product.name),
            on_click = { "fewer", place } } }
end

local function shipping_choices()
    return table.map({ "standard", "express" }, function(how)
        local text = { en = words[how].en, zh = words[how].zh }
        local price = web_content.shipping[how]
        return { id = how, en = text.en .. string.format(" · $%.2f",
                                                         price / 100),
                 zh = text.zh .. string.format(" · ¥%.2f", price / 100) }
    end)
end

pages["shop/cart"] = function(state)
    if #state.cart == 0 then
        return { shop_head(state), block{ heading(state, words.cart),
                                          body(state, words.cart_empty) } }
    end
    return { shop_head(state),
        block{ heading(state, words.cart),
            table.map(state.cart, function(line, place)
                return cart_line(state, line, place)
            end),
            divider{},
            small(state, words.delivery),
            choices(state, shipping_choices(), "shipping", state.shipping,
                    { "shipping" }),
            row{ width = "fill", gap = 8, down = "center",
                field{ text = state.form.code, hint = words.code, weight = 1,
                    id = "code", background = "surface",
                    on_change = { "fill", "code" } },
                button{ words.apply, id = "apply", style = "outlined",
                    ink = "primary", disabled = state.form.code == "",
                    on_click = "apply" } },
            state.code ~= "" and words_of(state, state.percent > 0 and
                string.format(t(words.code_used), state.code,
                              state.percent) or words.bad_code, 14,
                { id = "code_note", ink = state.percent > 0 and "primary" or
                  "error" }) or false,
            sums(state),
            submit(words.checkout, "checkout", false,
                   { "open", "shop/checkout" }) } }
end

titles["shop/cart"] = function() return words.cart end

pages["shop/checkout"] = function(state)
    local form = state.form
    return { shop_head(state),
        block{ heading(state, words.checkout),
            entry(state, "buyer", words.full_name),
            entry(state, "street", words.street),
            sums(state),
            submit(words.order, "place_order", #state.cart == 0 or
                   form.buyer:trim() == "" or form.street:trim() == "",
                   "order") } }
end

titles["shop/checkout"] = function() return words.checkout end

pages["shop/done"] = function(state)
    local order = state.orders[#state.orders]
    return { shop_head(state),
        block{ across = "center", icon{ icon = "check", width = 64,
                height = 64, ink = "tertiary" },
            heading(state, words.ordered),
            order and body(state, t(words.total) .. " " ..
                           money(order.total), "order_total") or false } }
end

titles["shop/done"] = function() return words.ordered end

-- ---- the city, and the agency ----

local function city_head(state)
    return banner(state, sites.city, words.city_motto, "primary",
                  "on_primary")
end

local function city_link(state, name, sign)
    return row(leads("city/" .. name, { width = "fill", gap = 16,
        padding = 16, down = "center", radius = 8,
        background = "surface_container_low", id = "city_" .. name,
        icon{ icon = sign, width = 24, height = 24, ink = "primary" },
        words_of(state, words[name], 17, { weight = 1 }) }))
end

pages["city/home"] = function(state)
    return { city_head(state),
        art{ art = "skyline", seed = 5, width = "fill", height = 120 },
        block{ city_link(state, "services", "file"),
            city_link(state, "book", "calendar"),
            city_link(state, "contact", "mail"),
            city_link(state, "survey", "library") } }
end

titles["city/home"] = function() return sites.city.name end

local function service_block(state, service, id, fees)
    return column{ width = "fill", gap = 4, key = service.id,
        padding_top = 6, padding_bottom = 10,
        words_of(state, service, 18, { font = "medium", id = "service" }),
        table.map(fees, function(fee)
            return row{ width = "fill", across = "spread", key = fee[1],
                words_of(state, words[fee[1]], 15),
                words_of(state, money(fee[2] * 100), 15, { id = id }) }
        end),
        small(state, string.format(t(words.takes_days), service.days)) }
end

pages["city/services"] = function(state)
    return { city_head(state),
        block{ heading(state, words.services),
            table.map(web_content.services, function(service)
                return service_block(state, service, "fee",
                    { { "adult_fee", service.adult },
                      { "child_fee", service.child } })
            end) } }
end

titles["city/services"] = function() return words.services end

pages["agency/home"] = function(state)
    return { banner(state, sites.agency, words.agency_motto, "primary",
                    "on_primary"),
        block{ heading(state, words.services),
            table.map(web_content.services, function(service)
                return service_block(state, service, "price",
                    { { "our_price", service.adult + service.charged },
                      { "child_fee", service.charged } })
            end) } }
end

titles["agency/home"] = function()
    return fill({ en = "%s: passport, identity card, permits",
                  zh = "%s：护照、身份证、许可证" }, sites.agency.name)
end

local function day_chips(state, office)
    return flow{ width = "fill", gap = 8,
        table.map(web_content.slots[office], function(one)
            local day = state.base + one.day
            return chip{ dates.medium(day), id = "slot_day", key = "d" .. day,
                checkable = true, checked = state.slot_day == day,
                on_click = { "slot_day", day } }
        end) }
end

local function time_chips(state, office)
    for _, one in ipairs(web_content.slots[office]) do
        if state.base + one.day == state.slot_day then
            return flow{ width = "fill", gap = 8,
                table.map(one.minutes, function(minute)
                    return chip{ dates.time(minute), id = "slot_time",
                        key = "m" .. minute, checkable = true,
                        checked = state.slot_time == minute,
                        on_click = { "slot_time", minute } }
                end) }
        end
    end
    return false
end

local function drop_down(state, label, name, list)
    local chosen = table.find(list, state[name])
    return column{ width = "fill", gap = 4,
        small(state, label),
        row{ width = "fill", height = 52, padding_left = 16,
            padding_right = 12, down = "center", radius = 6,
            outline = "outline", id = "choose_" .. name,
            description = t(label) .. ": " .. t(chosen or words.choose),
            on_click = { "go", "choose", name },
            words_of(state, chosen or words.choose, 16, { weight = 1,
                lines = 1, ink = not chosen and "on_surface_variant" or nil }),
            icon{ icon = "drop_down", width = 24, height = 24 } } }
end

pages["city/book"] = function(state)
    local office = state.office
    local ready = state.service ~= "" and state.slot_time > 0 and
                  state.form.citizen:trim() ~= "" and state.agreed
    return { city_head(state),
        block{ heading(state, words.book),
            drop_down(state, words.service, "service", web_content.services),
            drop_down(state, words.office, "office", web_content.offices),
            office > 0 and { small(state, words.day),
                             day_chips(state, office) } or false,
            state.slot_day > 0 and { small(state, words.time),
                                     time_chips(state, office) } or false,
            entry(state, "citizen", words.full_name),
            checkbox{ words.privacy, id = "privacy", width = "fill",
                checked = state.agreed, on_change = "agree" },
            submit(words.book_now, "book_now", not ready, "book") } }
end

titles["city/book"] = function() return words.book end

pages["city/booked"] = function(state)
    local one = state.bookings[#state.bookings]
    return { city_head(state),
        block{ heading(state, words.booked),
            one and column{ gap = 6,
                body(state, (table.find(web_content.services, one.service))),
                body(state, (table.find(web_content.offices, one.office))),
                body(state, dates.long(one.day) .. ", " ..
                     dates.time(one.time), "booked_time") } or false } }
end

titles["city/booked"] = function() return words.booked end

pages["city/contact"] = function(state)
    local form = state.form
    return { city_head(state),
        block{ heading(state, words.contact),
            small(state, words.topic),
            choices(state, web_content.topics, "topic", state.topic,
                    { "topic" }),
            entry(state, "message", words.message, { area = true }),
            small(state, words.reply),
            choices(state, web_content.replies, "reply", state.reply,
                    { "reply" }),
            state.reply == "phone" and
                entry(state, "phone", words.phone_number) or false,
            submit(words.send, "send", state.topic == "" or
                   state.reply == "" or form.message:trim() == "" or
                   state.reply == "phone" and form.phone:trim() == "",
                   "send") } }
end

titles["city/contact"] = function() return words.contact end

local function said(heading_words)
    return function(state)
        return { city_head(state),
            block{ across = "center", icon{ icon = "check", width = 64,
                    height = 64, ink = "primary" },
                heading(state, heading_words) } }
    end
end

pages["city/sent"] = said(words.sent)
titles["city/sent"] = function() return words.sent end
pages["city/thanks"] = said(words.thanks)
titles["city/thanks"] = function() return words.thanks end

local function last_questions(state)
    return { body(state, words.wishes),
        table.map(web_content.wishes, function(wish)
            return checkbox{ t(wish), id = "wish_" .. wish.id,
                key = wish.id, width = "fill",
                checked = table.index(state.wishes, wish.id) ~= nil,
                on_change = { "wish", wish.id } }
        end),
        entry(state, "comment", words.comment, { area = true }),
        row{ width = "fill", down = "center",
            words_of(state, words.informed, 16, { weight = 1 }),
            switch{ checked = state.informed, id = "informed",
                description = words.informed, on_change = "informed" } } }
end

pages["city/survey"] = function(state, rest)
    local number = tonumber(rest) or 1
    local asked = table.filter(web_content.questions, function(question)
        return question.page == number
    end)
    local open = table.filter(asked, function(question)
        return not state.answers[question.id]
    end)
    local is_last = number == web_content.survey_pages
    return { city_head(state),
        block{ heading(state, words.survey),
            small(state, string.format(t(words.page_of), number,
                                       web_content.survey_pages)),
            progress{ width = "fill",
                value = number / web_content.survey_pages },
            table.map(asked, function(question)
                return column{ width = "fill", gap = 4, key = question.id,
                    body(state, question),
                    choices(state, question.choices, question.id,
                            state.answers[question.id],
                            { "choose_answer", question.id }) }
            end),
            is_last and last_questions(state) or false,
            submit(is_last and words.submit or words.next_page, "next",
                   #open > 0, is_last and "submit" or
                   { "open", "city/survey/" .. number + 1 }) } }
end

titles["city/survey"] = function() return words.survey end

-- ---- advertisements, and what is missing ----

pages["ad/home"] = function(state, query)
    return { block{ across = "center", padding_top = 48, gap = 20,
        art{ art = "cover_sun", seed = 9, width = 200, height = 200,
            radius = 100 },
        heading(state, words.ad_page, 26),
        query ~= "" and body(state, query, "ad_query") or false,
        button{ words.ad_back, id = "ad_back", style = "outlined",
            ink = "primary", on_click = "page_back" } } }
end

titles["ad/home"] = function() return words.ad_page end

pages["none/address"] = function(state, address)
    return { block{ padding_top = 64, gap = 16,
        icon{ icon = "world", width = 56, height = 56, ink = "outline" },
        heading(state, words.unreachable),
        body(state, string.format(t(words.unreachable_detail), address)) } }
end

titles["none/address"] = function() return words.unreachable end

-- ---- searching ----

-- Without the synonyms of other skins: what is found does not depend on them.
local function plain(text)
    local function first(said)
        return type(said) == "table" and said[1] or said
    end
    return { en = first(text.en), zh = first(text.zh) }
end

local function joined(...)
    local list = table.map({ ... }, function(one)
        if type(one) ~= "table" then
            return tostring(one)
        end
        local text = plain(one)
        return text.en .. " " .. text.zh
    end)
    return table.concat(list, " "):lower()
end

-- What can be found: its address, its name, and a piece of its text.
local function make_index()
    local index = {}
    local function add(url, name, snippet, ...)
        index[#index + 1] = { url = url, name = plain(name),
            snippet = snippet,
            text = joined(name, snippet, ...) }
    end
    for _, thing in ipairs(wiki.articles) do
        local text = leads_of[thing.kind](thing)
        local labels = table.map(facts[thing.kind](thing), function(fact)
            return words[fact[1]]
        end)
        add("wiki/article/" .. thing.article, thing.name, text, sites.wiki.name,
            table.unpack(labels))
        add("copy/article/" .. thing.article, thing.name,
            { en = "All facts and figures at a glance.",
              zh = "全部数据一目了然。" }, sites.copy.name,
            table.unpack(labels))
    end
    for _, one in ipairs(news) do
        add("news/article/" .. one.id, one.title, one.lead, sites.news.name)
    end
    for _, kind in ipairs(web_content.kinds) do
        add("shop/kind/" .. kind.id, kind, words.shop_motto, sites.shop.name)
    end
    for _, product in ipairs(products) do
        add("shop/product/" .. product.id, product.name, words.shop_motto,
            sites.shop.name)
    end
    add("agency/home", sites.agency.name, words.agency_motto, sites.city.name,
        words.book, table.unpack(web_content.services))
    for _, name in ipairs{ "services", "book", "contact", "survey" } do
        add("city/" .. name, words[name], words.city_motto, sites.city.name,
            table.unpack(name == "contact" and web_content.topics or
                         web_content.services))
    end
    for _, name in ipairs{ "wiki", "copy", "news", "shop", "city" } do
        add(name .. "/home", sites[name].name, sites[name].domain)
    end
    return index
end

local index

-- How well something fits what was asked for, in words or in one sentence.
local function fit(query, parts, one)
    local score = 0
    for _, language in ipairs{ "en", "zh" } do
        local name = one.name[language]:lower()
        if query:find(name) then
            score = score + 8
        elseif #query >= 2 and name:find(query) then
            score = score + 6
        end
    end
    for _, part in ipairs(parts) do
        if one.text:find(part) then
            score = score + 1
        end
    end
    return score
end

local function found(query)
    index = index or make_index()
    local asked = query:lower()
    local parts = table.filter(asked:split(" "), function(part)
        return #part >= 3
    end)
    local scored, best = {}, 0
    for _, one in ipairs(index) do
        local score = fit(asked, parts, one)
        best = math.max(best, score)
        scored[#scored + 1] = { one = one, score = score }
    end
    local good = table.filter(scored, function(result)
        return result.score > 0 and result.score * 6 >= best
    end)
    table.sort(good, function(a, b) return a.score > b.score end)
    return table.map({ table.unpack(good, 1, math.min(24, #good)) },
                     function(result) return result.one end)
end

local function address(url)
    local site, page, rest = parts_of(url)
    if site == "start" then
        return ""
    elseif site == "none" then
        return rest
    end
    return sites[site].domain .. (page == "home" and "" or "/" .. page) ..
           (rest ~= "" and "/" .. rest or "")
end

local function result_title(one)
    local site, page = parts_of(one.url)
    local make = titles[site .. "/" .. page]
    local _, _, rest = parts_of(one.url)
    return make(rest)
end

local function result(state, one)
    local site = sites[parts_of(one.url)]
    return column(leads(one.url, { width = "fill", gap = 3,
        padding_top = 12, padding_bottom = 12, id = "result", key = one.url,
        row{ gap = 8, down = "center",
            column{ width = 24, height = 24, radius = 12, across = "center",
                down = "center", background = "secondary_container",
                text{ site.core.en:sub(1, 1), style = "label_medium",
                    ink = "on_secondary_container" } },
            small(state, address(one.url), "result_address") },
        words_of(state, result_title(one), 19, { ink = "primary",
            id = "result_title" }),
        small(state, one.snippet, "result_text") }))
end

local function ad_result(state, query, number)
    return column(leads("ad/home/" .. query, { width = "fill", gap = 3,
        padding_top = 12, padding_bottom = 12, id = "ad_result",
        key = "ad" .. number,
        words_of(state, words.sponsored, 12, { font = "bold",
            id = "sponsored" }),
        small(state, sites.ad.domain),
        words_of(state, string.format(t(words.ad_title), query), 19,
            { ink = "primary" }),
        small(state, string.format(t(words.ad_text), query)) }))
end

local function engine_page(place)
    return function(state, query)
        local list = found(query)
        -- Each engine has its own taste for what comes first.
        if place > 1 and #list > 1 then
            list[1], list[2] = list[2], list[1]
        end
        local rows = {}
        for i = 1, math.min(state.results_shown, #list) do
            rows[i] = result(state, list[i])
        end
        return { block{ gap = 0,
            row{ width = "fill", padding_bottom = 8,
                words_of(state, sites["engine" .. place].name, 22,
                    { font = "bold", ink = "primary" }) },
            ad_result(state, query, 1), divider{},
            small(state, string.format(t(#list > 0 and words.results_about or
                words.no_results), #list > 0 and tostring(#list) or query),
                "result_count"),
            rows,
            #rows < #list and column{ width = "fill", padding = 12,
                button{ words.more_results, id = "more_results",
                    style = "outlined", width = "fill", ink = "primary",
                    on_click = "more_results" } } or false,
            divider{}, ad_result(state, query, 2) } }
    end
end

for place = 1, 3 do
    pages["engine" .. place .. "/find"] = engine_page(place)
    titles["engine" .. place .. "/find"] = function(query)
        return fill({ en = "%s – %s", zh = "%s－%s" }, query,
                    sites["engine" .. place].name)
    end
end

-- ---- what the browser needs ----

-- What may stand behind a page that needs more than its name.
local rests = {
    ["wiki/article"] = wiki.articles, ["copy/article"] = wiki.articles,
    ["news/article"] = news, ["shop/product"] = products,
}

local function known_page(url)
    local site, page, rest = parts_of(url)
    local name = site .. "/" .. page
    if rests[name] then
        return rests[name][tonumber(rest)] ~= nil
    elseif name == "shop/kind" then
        return table.find(web_content.kinds, rest) ~= nil
    elseif name == "wiki/kind" then
        return facts[rest] ~= nil
    elseif name == "news/section" then
        return section_names[rest] ~= nil
    end
    return pages[name] ~= nil
end

-- Of the start page and of all others; a text in both languages.
local function title(url)
    local site, page, rest = parts_of(url)
    if site == "start" then
        return words.new_tab_title
    end
    return titles[site .. "/" .. page](rest)
end

local function build(state, url)
    local site, page, rest = parts_of(url)
    return pages[site .. "/" .. page](state, rest)
end

-- The address that was typed, if it is one: a domain, maybe with a page.
local function typed_address(typed)
    local plain = typed:lower():trim():replace("https://", ""):replace(
        "http://", ""):replace("www.", "")
    if not plain:find(".") or plain:find(" ") then
        return nil
    end
    for _, site in pairs(sites) do
        if plain == site.domain or plain:starts(site.domain .. "/") then
            local rest = plain:sub(#site.domain + 2)
            local url = site.id .. "/" .. (rest == "" and "home" or rest)
            return known_page(url) and url or "none/address/" .. plain
        end
    end
    return "none/address/" .. plain
end

return { build = build, title = title, address = address, found = found,
         typed_address = typed_address, site_of = parts_of, totals = totals,
         listed = listed, STEP = STEP }
