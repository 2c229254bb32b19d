/* Elements of a page. All text goes into it as text, never as markup. */
const SVG = "http://www.w3.org/2000/svg";

function make(name, look, text) {
    const node = document.createElement(name);
    if (look)
        node.className = look;
    if (text !== undefined)
        node.textContent = text;
    return node;
}

function draw(name, attributes) {
    const node = document.createElementNS(SVG, name);
    for (const key of Object.keys(attributes))
        node.setAttribute(key, attributes[key]);
    return node;
}

/*
 * An element with attributes and children. A function is a listener
 * ({onclick: …}), false and undefined leave an attribute out, true makes it
 * empty.
 */
function element(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
        if (typeof value === "function")
            node.addEventListener(key.slice(2), value);
        else if (value !== false && value !== undefined && value !== null)
            node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...children.filter((child) => child !== null &&
                                   child !== undefined && child !== false));
    return node;
}

export {make, draw, element};
