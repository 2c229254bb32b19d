/* Start a built-in phone, connect to an address, pair by QR code or digits. */
import * as socket from "./socket.js";
import {draw, element} from "./dom.js";
import {icon} from "./icons.js";
import {toast} from "./toast.js";

function field(label, input, help) {
    return element("label", {"class": "field"}, element("span", {}, label),
                   input, help ? element("small", {}, help) : null);
}

function select(name, choices) {
    return element("select", {name}, ...choices.map(
        ([value, label]) => element("option", {value}, label)));
}

/* A dialog around a form. run(values) does it and says what was done. */
class Sheet {
    constructor(title, submit, run, ...content) {
        this.trouble = element("p", {"class": "trouble", role: "alert"});
        this.button = element("button", {type: "submit", "class": "main"},
                              submit);
        this.form = element(
            "form", {onsubmit: (event) => this.submit(event, run)},
            ...content, this.trouble, element("p", {"class": "row end"},
                                              this.button));
        this.dialog = element(
            "dialog", {"class": "sheet", "aria-label": title},
            element("header", {}, element("h2", {}, title),
                    element("button", {type: "button", "class": "quiet",
                                       "aria-label": "Close",
                                       onclick: () => this.dialog.close()},
                            icon("close"))),
            this.form);
    }

    open() {
        this.trouble.textContent = "";
        this.dialog.showModal();
    }

    async submit(event, run) {
        event.preventDefault();
        this.button.disabled = true;
        this.trouble.textContent = "";
        try {
            const done = await run(Object.fromEntries(new FormData(this.form)));
            this.dialog.close();
            if (done)
                toast(done);
        } catch (error) {
            this.trouble.textContent = error.message;
        } finally {
            this.button.disabled = false;
        }
    }
}

/* Dark modules on white, with the margin that scanners expect. */
function paintQr(rows) {
    const size = rows.length + 8;
    const svg = draw("svg", {viewBox: `0 0 ${size} ${size}`, "class": "qr",
                             role: "img", "aria-label": "QR code for pairing",
                             "shape-rendering": "crispEdges"});
    svg.append(draw("rect", {width: size, height: size, fill: "#fff"}));
    let path = "";
    rows.forEach((row, y) => {
        for (const run of row.matchAll(/1+/g))
            path += `M${run.index + 4} ${y + 4}h${run[0].length}v1` +
                `h-${run[0].length}z`;
    });
    svg.append(draw("path", {d: path, fill: "#000"}));
    return svg;
}

function startSheet() {
    return new Sheet(
        "Start a built-in phone", "Start", async (values) => {
            const answer = await socket.ask({
                do: "start_phone", seed: Number(values.seed) || 0,
                locale: values.locale, skin: Number(values.skin) || 0,
                dark: values.dark === "on"});
            location.hash = "#/phone/" + encodeURIComponent(answer.phone);
            return "";
        },
        element("p", {"class": "note"},
                "A phone with apps and a shell that lives in this program. " +
                "The same numbers always give the same phone."),
        element("div", {"class": "pair-of-fields"},
                field("Seed", element("input", {type: "number", name: "seed",
                                                min: "0", value: "0"}),
                      "its content"),
                field("Skin", element("input", {type: "number", name: "skin",
                                                min: "0", value: "0"}),
                      "its wording and layout")),
        field("Language", select("locale", [["en", "English"],
                                            ["zh", "中文"]])),
        element("label", {"class": "check"},
                element("input", {type: "checkbox", name: "dark"}),
                "Dark theme"));
}

function connectSheet() {
    return new Sheet(
        "Connect to an address", "Connect", async (values) => {
            await socket.ask({do: "connect", address: values.address.trim()});
            return "Connected to " + values.address.trim();
        },
        field("Address", element("input", {
            type: "text", name: "address", required: true,
            placeholder: "192.168.1.20:5555", autocomplete: "off",
            spellcheck: "false"}),
              "as Wireless debugging shows it, or of adb tcpip"));
}

class AddPhone {
    constructor() {
        this.start = startSheet();
        this.connect = connectSheet();
        this.qr = element("div", {"class": "qr-place"});
        this.qrNote = element("p", {"class": "note", role: "status"});
        this.pair = new Sheet(
            "Pair a phone over Wi-Fi", "Pair", async (values) => {
                await socket.ask({do: "pair", address: values.address.trim(),
                                  code: values.code.trim()});
                return "Paired";
            },
            element("div", {"class": "pairing"},
                    element("section", {}, element("h3", {}, "By QR code"),
                            this.qr, this.qrNote),
                    element("section", {}, element("h3", {}, "By digits"),
                            field("Address", element("input", {
                                type: "text", name: "address", required: true,
                                placeholder: "192.168.1.20:37123",
                                autocomplete: "off", spellcheck: "false"}),
                                  "shown next to the digits"),
                            field("Code", element("input", {
                                type: "text", name: "code", required: true,
                                inputmode: "numeric", autocomplete: "off",
                                placeholder: "123456"})))));
        const button = (name, label, sheet, look) => element(
            "button", {type: "button", "class": look || "", onclick: () =>
                sheet.open()}, icon(name), label);
        this.buttons = element(
            "div", {"class": "row add"},
            button("plus", "Built-in phone", this.start, "main"),
            button("link", "Connect", this.connect),
            element("button", {type: "button", onclick: () => this.openPair()},
                    icon("qr"), "Pair"));
        this.dialogs = element("div", {}, this.start.dialog,
                               this.connect.dialog, this.pair.dialog);
        this.end = socket.on("pairing", (message) => this.paired(message));
    }

    async openPair() {
        this.pair.open();
        this.qr.replaceChildren();
        this.qrNote.textContent = "On the phone: Developer options, Wireless " +
            "debugging, Pair device with QR code.";
        try {
            const answer = await socket.ask({do: "pair_qr"});
            this.qr.replaceChildren(paintQr(answer.rows));
        } catch (error) {
            this.qrNote.textContent = error.message;
        }
    }

    paired(message) {
        this.qrNote.textContent = message.words;
        if (message.ok) {
            this.pair.dialog.close();
            toast(message.words);
        }
    }

    show(canAdd) {
        this.buttons.hidden = !canAdd;
    }

    stop() {
        this.end();
    }
}

export {AddPhone};
