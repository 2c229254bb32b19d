-- Widgets that are made of others.

-- A whole screen: an app bar with a title, and what is below it.
function page(parts)
    local bar = row{ id = "action_bar", width = "fill", height = 64,
        down = "center", gap = 4,
        padding_left = parts.back == false and 16 or 4, padding_right = 4 }
    if parts.back ~= false then
        table.insert(bar, icon_button{ icon = "back", on_click = "back",
            description = { en = "Navigate up", zh = "转到上一层级" } })
    end
    table.insert(bar, text{ parts.title, id = "title", weight = 1, lines = 1,
        style = "title_large", ink = "on_surface" })
    for _, action in ipairs(parts.actions or {}) do
        table.insert(bar, action)
    end
    return column{ width = "fill", height = "fill", background = "surface",
        padding_top = display().top, padding_bottom = display().bottom,
        bar, table.join(parts) }
end

-- A round one; 48 dp, as fingers need.
function icon_button(parts)
    parts.width, parts.height = parts.width or 48, parts.height or 48
    parts.padding = parts.padding or 12
    parts.radius = parts.radius or 24
    parts.ink = parts.ink or "on_surface_variant"
    parts.class = parts.class or "android.widget.ImageButton"
    return icon(parts)
end

function text_button(parts)
    parts.style = parts.style or "label_large"
    parts.ink = parts.ink or "primary"
    parts.height = parts.height or 40
    parts.padding_left = parts.padding_left or 12
    parts.padding_right = parts.padding_right or 12
    parts.radius = parts.radius or 20
    parts.text_align = "center"
    return button(parts)
end

-- A question, and the buttons that answer it: dialog{ title = ..., message =
-- ..., buttons = {...} }, with anything else between them.
function dialog(parts)
    return column{ window = "dialog", modal = parts.modal, id = parts.id,
        width = "fill", background = "surface_container_high", radius = 28,
        padding = 24, padding_bottom = 16, gap = 16,
        parts.title and text{ parts.title, id = "alertTitle",
            style = "headline_small", ink = "on_surface" } or false,
        parts.message and text{ parts.message, id = "message",
            style = "body_medium", ink = "on_surface_variant" } or false,
        table.join(parts),
        parts.buttons and row{ width = "fill", across = "end", gap = 8,
            table.map(parts.buttons, text_button) } or false }
end

-- The same from the bottom of the screen.
function sheet(parts)
    return column{ window = "sheet", modal = parts.modal, id = parts.id,
        width = "fill", background = "surface_container_low", radius = 28,
        padding_top = 12, padding_bottom = display().bottom + 12,
        across = "center", gap = 4,
        space{ width = 32, height = 4, radius = 2,
            background = "outline" },
        parts.title and text{ parts.title, width = "fill", id = "sheet_title",
            style = "title_medium", ink = "on_surface", padding = 16 } or false,
        table.join(parts) }
end
