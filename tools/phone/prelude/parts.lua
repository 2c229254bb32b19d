-- Widgets composed of others, and separate windows.
local phone = ...
local widget = phone.widget

-- A whole screen; if it has a title, with an app bar.
function page(parts)
    local made = { background = parts.background, id = parts.id }
    if parts.title then
        table.insert(made, app_bar{ id = "action_bar",
            parts.back ~= false and icon_button{ icon = "back",
                on_click = "back",
                description = { en = "Navigate up", zh = "转到上一层级" } } or
                false,
            title{ parts.title, id = "title" },
            parts.actions or {} })
    end
    table.insert(made, table.join(parts))
    return widget("page", made)
end

-- What an advertisement opens: a page of an invented company.
function ad_page(heading, said, close)
    return page{ title = heading,
        web{ weight = 1,
            text{ content.brand(random("ad")), style = "headline_large" },
            text{ said },
            button{ close, on_click = "back" } } }
end

-- Text that matters less than what is beside it; parts: other attributes.
function quiet(said, id, parts)
    parts = parts or {}
    parts[1], parts.id = said, id
    parts.style, parts.ink = parts.style or "body_small",
                             parts.ink or "on_surface_variant"
    return text(parts)
end

function text_button(parts)
    parts.style = "plain"
    parts.padding_left = parts.padding_left or 12
    parts.padding_right = parts.padding_right or 12
    return button(parts)
end

-- A dialog: a question, its buttons, and any content between them.
function dialog(parts)
    return widget("dialog", { window = "dialog", modal = parts.modal,
        id = parts.id,
        parts.title and text{ parts.title, id = "alertTitle",
            style = "headline_small" } or false,
        parts.message and text{ parts.message, id = "message",
            style = "body_medium", ink = "on_surface_variant" } or false,
        table.join(parts),
        parts.buttons and row{ width = "fill", across = "end", gap = 8,
            table.map(parts.buttons, text_button) } or false })
end

-- The same as a sheet at the bottom of the screen.
function sheet(parts)
    return widget("sheet", { window = "sheet", modal = parts.modal,
        id = parts.id,
        parts.title and text{ parts.title, width = "fill", id = "sheet_title",
            style = "title_large", padding_left = 16, padding_bottom = 12 } or
            false,
        table.join(parts) })
end
