-- A map of an invented city: streets, parks and a river from the seed, and
-- pins. Places are in hundredths of the map, from the top left.

citymap = {}

local function put(x, y, part)
    return column{ width = "fill", height = "fill", padding_left = x,
                   padding_top = y, part }
end

local function inks()
    if display().dark then
        return { ground = "#252a2e", road = "#3b4248", park = "#24402f",
                 water = "#1d3a52", block = "#2c3237" }
    end
    return { ground = "#eeece6", road = "#ffffff", park = "#cfe8cf",
             water = "#b3d9f2", block = "#e3e0d8" }
end

local function areas(r, width, height, ink)
    local made = {}
    local river = r.int(20, 80) * height // 100
    made[1] = put(0, river, space{ width = width,
        height = math.min(26, height - river), background = ink.water })
    for _ = 1, 5 do
        local x, y = r.int(0, 75) * width // 100, r.int(0, 75) * height // 100
        made[#made + 1] = put(x, y, space{
            width = r.int(12, 24) * width // 100,
            height = math.min(r.int(10, 20) * height // 100, height - y),
            radius = 10, background = r.chance(0.5) and ink.park or
                ink.block })
    end
    return made
end

local function roads(r, width, height, ink)
    local made = {}
    for i = 1, 5 do
        made[#made + 1] = put((i * 19 - 12 + r.int(0, 8)) * width // 100, 0,
            space{ width = i == 3 and 10 or 5, height = height,
                background = ink.road })
        made[#made + 1] = put(0, (i * 19 - 12 + r.int(0, 8)) * height // 100,
            space{ width = width, height = i == 3 and 10 or 5,
                background = ink.road })
    end
    return made
end

-- { name =, height =, pins = { { x =, y =, part = a widget, size = 24 } } }:
-- `name` decides what it looks like. A pin's point is the middle of its part.
function citymap.view(parts)
    local width = parts.width or math.floor(display().width)
    local r, ink = random("map", parts.name), inks()
    local children = table.join(areas(r, width, parts.height, ink),
                                roads(r, width, parts.height, ink))
    for _, pin in ipairs(parts.pins) do
        local size = pin.size or 24
        local wide = pin.width or size
        table.insert(children, put(
            math.max(pin.x * (width - wide) // 100, 0),
            math.max(pin.y * (parts.height - size) // 100, 0), pin.part))
    end
    return stack{ width = width, height = parts.height, id = "map",
                  radius = parts.radius, clips = true,
                  background = ink.ground, children }
end
