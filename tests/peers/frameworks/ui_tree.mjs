// What a UI tree of uiautomator shows, as elements for tasks.mjs.
const entities = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decode(text) {
    return text.replace(/&(?:#(\d+)|(\w+));/g, (all, number, name) =>
        number ? String.fromCodePoint(Number(number)) : (entities[name] ?? all));
}

export function elementsOf(xml) {
    return [...xml.matchAll(/<node ([^>]*)>/g)].map(([, node]) => {
        const value = (name) => decode(new RegExp(` ?${name}="([^"]*)"`).exec(node)?.[1] ?? "");
        const [left, top, right, bottom] = value("bounds").match(/\d+/g).map(Number);

        return {
            text: value("text"),
            description: value("content-desc"),
            id: value("resource-id"),
            x: Math.floor((left + right) / 2),
            y: Math.floor((top + bottom) / 2),
        };
    });
}
