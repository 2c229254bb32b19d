/* Icons as outlines on a field of 24 x 24. */
import {draw} from "./dom.js";

const PATHS = {
    back: "M15 5l-7 7 7 7",
    home: "M4 11l8-7 8 7M6 10v9h12v-9",
    recents: "M5 8h10v11H5zM9 8V5h10v11h-4",
    volume_up: "M4 9v6h4l5 4V5L8 9zM16.5 9a4 4 0 010 6M19 6.5a8 8 0 010 11",
    volume_down: "M4 9v6h4l5 4V5L8 9zM16.5 9a4 4 0 010 6",
    rotate: "M7 3h6a2 2 0 012 2v3M7 3a2 2 0 00-2 2v14a2 2 0 002 2h3" +
        "M13 12h6a2 2 0 012 2v3a2 2 0 01-2 2h-6M17 3.5c2 .6 3.5 2.2 4 4.5" +
        "M19 7l2 1.4L22.4 6",
    lock: "M7 11V8a5 5 0 0110 0v3M6 11h12v9H6z",
    screenshot: "M4 8h3l2-3h6l2 3h3v11H4zM12 10a3.5 3.5 0 110 7 3.5 3.5 0 010-7",
    paste: "M9 5H6v16h12V5h-3M9 3h6v4H9z",
    keyboard: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10",
    tree: "M4 4h6v4H4zM14 10h6v4h-6zM14 17h6v4h-6zM7 8v11h7M7 12h7",
    shell: "M4 5h16v14H4zM7 9l3 3-3 3M12.5 15H16",
    picture: "M3 6h12v12H3zM15 10l6-3v10l-6-3",
    hand: "M8 12V5.5a1.5 1.5 0 013 0V11m0-1V4a1.5 1.5 0 013 0v7m0-4a1.5 1.5 0 " +
        "013 0v7c0 4-2.5 7-6 7-3 0-4.5-1.5-7-6l-1-2c.8-1 2-1 3 0l1 1.5",
    plus: "M12 5v14M5 12h14",
    link: "M10 14a4 4 0 006 0l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4 " +
        "4 0 006 6l1-1",
    qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h3v3M20 14v6h-3M14 20h.01",
    trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
    battery: "M3 8h15v8H3zM20 11v2",
    record: "M12 5a7 7 0 110 14 7 7 0 010-14M12 9a3 3 0 110 6 3 3 0 010-6",
    stop: "M7 7h10v10H7z",
    undo: "M8 5L4 9l4 4M4 9h9a6 6 0 010 12h-3",
    restore: "M16 5l4 4-4 4M20 9h-9a6 6 0 000 12h3",
    star: "M12 4l2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 " +
        "5.7-.8z",
    note: "M5 19l1-4L16 5l3 3L9 18zM14 7l3 3",
    blur: "M4 4h16v16H4zM8 8h.01M12 8h.01M16 8h.01M8 12h.01M12 12h.01M16 " +
        "12h.01M8 16h.01M12 16h.01M16 16h.01",
    cut: "M6 4l12 12M18 4L6 16M7 19a2.5 2.5 0 110-5 2.5 2.5 0 010 5M17 19a2.5 " +
        "2.5 0 110-5 2.5 2.5 0 010 5",
    close: "M6 6l12 12M18 6L6 18",
};

function icon(name) {
    const svg = draw("svg", {viewBox: "0 0 24 24", "class": "icon",
                             "aria-hidden": "true"});
    svg.append(draw("path", {d: PATHS[name]}));
    return svg;
}

export {icon};
