/* The page of one phone: its screen, its keys, and who drives it. */
import * as firstWatch from "./first_watch.js";
import * as socket from "./socket.js";
import * as registry from "./registry.js";
import {element} from "./dom.js";
import {icon} from "./icons.js";
import {Keyboard} from "./keyboard.js";
import {Record} from "./record.js";
import {Rungs} from "./rungs.js";
import {driverWords, runProgress} from "./runs.js";
import {Screen} from "./screen.js";
import {Shell} from "./shell.js";
import {showFailure, toast} from "./toast.js";
import {Touch} from "./touch.js";
import {Tree} from "./tree.js";

const TAP_MS = 60;

class PhonePage {
    constructor(place, phone) {
        this.phone = phone;
        this.state = {holder: "", mine: false, epoch: 0};
        this.taking = null;
        this.endings = [];
        this.build(place);
        this.tree = new Tree(phone, this.overlay, this.panels.tree, {
            tap: (x, y) => this.tap(x, y),
            size: () => this.screen && this.screen.shown,
            buttons: (x, y) => this.record.nodeButtons(x, y),
        });
        this.record = new Record(phone, this.panels.record, {
            began: (epoch) => {
                this.state = {...this.state, mine: true, epoch};
                this.showDriver();
            },
            changed: () => this.showDriver(),
        });
        new Shell(this.panels.shell, (message) => this.request(message));
        this.rungs = new Rungs(phone, this.panels.picture);
        this.keyboard = new Keyboard(this.keys,
                                     (message) => this.act(message));
        this.endings.push(
            socket.on("phone", (message) => this.pushed(message)),
            socket.on("gone", (message) => this.gone(message)),
            socket.on("link", ({state}) => this.linkChanged(state)),
            registry.follow(() => this.listed()));
        const observer = new ResizeObserver(() => this.resized());
        observer.observe(this.canvas);
        this.endings.push(() => observer.disconnect());
        this.choose("tree");
        const status = firstWatch.statusOf(phone);
        if (status)
            this.pushed(status);
        this.start();
    }

    /* Another page may drive it then. */
    stop() {
        if (this.state.mine)
            socket.send({do: "release", phone: this.phone});
        this.stopScreen();
        this.tree.stop();
        this.record.stop();
        this.endings.forEach((end) => end());
    }

    /* ---- what is on the page ---- */

    build(place) {
        this.canvas = element("canvas", {"class": "screen", width: "9",
                                         height: "18"});
        this.overlay = document.createElementNS("http://www.w3.org/2000/svg",
                                                "svg");
        this.overlay.setAttribute("class", "overlay");
        this.overlay.setAttribute("hidden", "");
        this.finger = element("span", {"class": "finger", hidden: true});
        this.keys = element("textarea", {
            "class": "keys", autocapitalize: "off", autocomplete: "off",
            spellcheck: "false",
            "aria-label": "Screen of the phone: typing goes to it, Tab leaves"});
        this.curtain = element("p", {"class": "curtain", role: "status"},
                               "Connecting to the phone");
        this.device = element("div", {"class": "device"}, this.keys,
                              this.canvas, this.overlay, this.finger,
                              this.curtain);
        this.head = element("header", {"class": "phone-head"});
        this.driver = element("div", {"class": "driver"});
        this.run = element("div", {"class": "run"});
        place.replaceChildren(element(
            "section", {"class": "phone"},
            element("div", {"class": "stage"}, this.device, this.navigation(),
                    element("p", {"class": "keys-help"},
                            "Click the screen to type on the phone. ",
                            element("kbd", {}, "Esc"), " back, ",
                            element("kbd", {}, "Ctrl+Alt+H"), " home, ",
                            element("kbd", {}, "Tab"), " leaves.")),
            element("div", {"class": "side"}, this.head, this.driver,
                    this.run, this.tools(), this.textForm(), this.tabs())));
    }

    keyButton(name, label, key) {
        return element("button", {type: "button", title: label,
                                  "aria-label": label,
                                  onclick: () => this.act({do: "key", key})},
                       icon(name));
    }

    navigation() {
        return element("div", {"class": "navigation", role: "group",
                               "aria-label": "Navigation keys"},
                       this.keyButton("back", "Back", "back"),
                       this.keyButton("home", "Home", "home"),
                       this.keyButton("recents", "Recent apps", "recents"));
    }

    tool(name, label, run) {
        return element("button", {type: "button", "class": "tool",
                                  onclick: run},
                       icon(name), element("span", {}, label));
    }

    tools() {
        const key = (name) => () => this.act({do: "key", key: name});
        return element(
            "div", {"class": "tools", role: "group", "aria-label": "Tools"},
            this.tool("volume_down", "Quieter", key("volume_down")),
            this.tool("volume_up", "Louder", key("volume_up")),
            this.tool("rotate", "Rotate", () => this.act({do: "rotate"})),
            this.tool("lock", "Lock", () => this.act({do: "lock"})),
            this.tool("screenshot", "Screenshot", () => this.screenshot()),
            this.tool("paste", "Paste", () => this.paste()),
            this.tool("keyboard", "Type", () => this.keys.focus()),
            this.tool("record", "Record", () => {
                this.choose("record");
                this.record.name.focus();
            }));
    }

    textForm() {
        this.textBox = element("input", {
            type: "text", "aria-label": "Text for the phone",
            placeholder: "Text for the phone, any language",
            autocomplete: "off"});
        return element("form", {"class": "text-form", onsubmit: (event) => {
            event.preventDefault();
            const text = this.textBox.value;
            if (text)
                this.act({do: "text", text}).then((done) => {
                    if (done)
                        this.textBox.value = "";
                });
        }}, this.textBox, element("button", {type: "submit"}, "Send"));
    }

    tabs() {
        const names = {tree: "Inspect", record: "Record", shell: "Shell",
                       picture: "Picture"};
        const row = element("div", {"class": "tabs", role: "tablist",
                                    "aria-label": "Panels"});
        const box = element("div", {"class": "panels card"}, row);
        this.panels = {};
        this.tabButtons = {};
        for (const [name, label] of Object.entries(names)) {
            this.tabButtons[name] = element(
                "button", {type: "button", role: "tab", id: "tab-" + name,
                           "aria-controls": "panel-" + name,
                           onclick: () => this.choose(name)},
                icon(name), label);
            this.panels[name] = element(
                "div", {role: "tabpanel", id: "panel-" + name,
                        "class": "panel-" + name,
                        "aria-labelledby": "tab-" + name});
            row.append(this.tabButtons[name]);
        }
        row.addEventListener("keydown", (event) => this.moveTab(event));
        this.inspect = element("input", {type: "checkbox", onchange: () =>
            this.tree.turn(this.inspect.checked)});
        box.append(element("label", {"class": "inspect"}, this.inspect,
                           "Show the elements of the screen"),
                   ...Object.values(this.panels));
        this.inspectLabel = this.inspect.parentElement;
        return box;
    }

    moveTab(event) {
        const names = Object.keys(this.tabButtons);
        const way = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (!way)
            return;
        const now = names.indexOf(this.chosenTab);
        const next = names[(now + way + names.length) % names.length];
        this.choose(next);
        this.tabButtons[next].focus();
    }

    choose(name) {
        this.chosenTab = name;
        for (const key of Object.keys(this.panels)) {
            this.panels[key].hidden = key !== name;
            this.tabButtons[key].setAttribute("aria-selected",
                                              String(key === name));
            this.tabButtons[key].tabIndex = key === name ? 0 : -1;
        }
        this.inspectLabel.hidden = name !== "tree";
    }

    /* ---- the screen ---- */

    /* shown: what the canvas shows already, so that touches go on. */
    async start(shown = null) {
        this.stopScreen();
        this.screen = new Screen(this.canvas, (frame) => this.painted(frame));
        this.screen.shown = shown;
        this.screen.onTrouble = (words) =>
            toast("The picture cannot be shown: " + words, "bad");
        if (!this.touch)
            this.touch = new Touch(this.canvas, this.screen, this.finger, {
                act: (message) => this.act(message),
                isPaused: () => this.tree.isOn || registry.isReadOnly(),
                onPress: (event) => {
                    if (event.pointerType === "mouse")
                        this.keys.focus({preventScroll: true});
                },
            });
        this.touch.screen = this.screen;
        try {
            await this.screen.start(this.phone);
        } catch (error) {
            /* A page may be open before the server has found its phone. */
            this.wasGone = !registry.find(this.phone);
            this.cover(error.message);
        }
    }

    /* A phone that was turned, or a larger window, shows more of it. */
    resized() {
        if (this.screen && this.screen.watch && this.screen.isBlurred())
            this.start(this.screen.shown);
    }

    stopScreen() {
        if (this.screen)
            this.screen.stop();
        this.screen = null;
    }

    painted(shown) {
        this.curtain.hidden = true;
        this.device.style.setProperty("--ratio", shown.width / shown.height);
        this.device.dataset.frame = shown.number;
        this.device.classList.toggle("wide", shown.width > shown.height);
        this.tree.screenChanged();
    }

    cover(words) {
        this.curtain.textContent = words;
        this.curtain.hidden = false;
    }

    /* ---- who drives ---- */

    pushed(message) {
        if (message.phone !== this.phone)
            return;
        this.state = message;
        /* A phone that is back may show what it showed before. */
        if (message.connected && this.screen && this.screen.shown)
            this.curtain.hidden = true;
        else if (!message.connected && message.why)
            this.cover(message.why);
        this.rungs.show(message);
        if (message.recording && !this.record.isOn)
            this.choose("record");
        this.record.phoneSays(message.recording);
        this.showDriver();
    }

    gone(message) {
        if (message.run ? !this.phone.endsWith("@" + message.run)
            : message.phone !== this.phone)
            return;
        this.wasGone = true;
        this.state = {holder: "", mine: false, epoch: 0};
        this.cover(message.why || "The phone is gone");
    }

    linkChanged(state) {
        if (state === "open")
            this.start();
        else
            this.cover("The connection to proctor was lost");
    }

    /* A phone that was gone may be back. */
    listed() {
        const entry = registry.find(this.phone);
        this.showHead(entry);
        this.showDriver();
        if (entry && entry.usable && this.wasGone) {
            this.wasGone = false;
            this.cover("Connecting to the phone");
            this.start();
        }
    }

    showHead(entry) {
        document.title = (entry ? registry.nameOf(entry) : this.phone) +
            " – proctor";
        if (!entry) {
            this.head.replaceChildren(element("h1", {}, this.phone));
            return;
        }
        const facts = registry.factsOf(entry)
            .map((fact) => element("li", {}, fact));
        if (entry.battery >= 0)
            facts.push(element("li", {"class": "battery"}, icon("battery"),
                               entry.battery + " %"));
        this.head.replaceChildren(
            element("h1", {}, registry.nameOf(entry)),
            element("ul", {"class": "facts"}, ...facts,
                    element("li", {}, element("code", {},
                                              entry.serial || entry.phone))),
            entry.usable ? "" : element("p", {"class": "trouble"},
                                        entry.state));
    }

    showDriver() {
        const {mine, recording} = this.state;
        const entry = registry.find(this.phone);
        const ofRun = this.isOfRun();
        const holder = driverWords(entry, this.state.holder);
        const words = registry.isReadOnly() ? "This page only watches."
            : mine && recording && this.record.isInHand
                ? "Recording: what you do on the phone itself becomes steps."
            : mine && recording ? "Recording: what you do becomes steps."
            : mine ? "You drive this phone."
            : recording && !holder ? "It is being recorded. Touch the screen " +
                "to go on."
            : holder ? "Driven by " + holder + "."
            : ofRun ? "The agent pauses."
            : "It is not in use. Touch the screen to take it.";
        const button = registry.isReadOnly() ? null
            : mine ? element("button", {type: "button", onclick: () =>
                this.request({do: "release"}).catch(showFailure)},
                           ofRun ? "Give back" : "Release")
            : element("button", {type: "button", "class": "main", onclick: () =>
                this.take().catch(showFailure)},
                      holder || ofRun ? "Take over" : "Take");
        this.driver.dataset.state = recording ? "recording" : mine ? "mine" : holder ? "other" : "free";
        this.driver.replaceChildren(icon("hand"),
                                    element("p", {role: "status"}, words),
                                    button || "");
        this.run.replaceChildren(runProgress(entry) || "");
    }

    isOfRun() {
        const entry = registry.find(this.phone);
        return !!(entry && entry.run);
    }

    take() {
        if (!this.taking)
            this.taking = socket.ask({do: "take", phone: this.phone})
                .then((answer) => {
                    this.state = {...this.state, mine: true,
                                  epoch: answer.epoch};
                    this.showDriver();
                }).finally(() => {
                    this.taking = null;
                });
        return this.taking;
    }

    /* ---- acting ---- */

    /* A phone that is not in use, and not of a run, is taken by the first
     * action. */
    async request(message) {
        if (!this.state.mine && !this.state.holder && !this.isOfRun() &&
            !registry.isReadOnly() && message.do !== "release")
            await this.take();
        else if (this.taking)
            await this.taking;
        return socket.ask({...message, phone: this.phone,
                           epoch: this.state.epoch});
    }

    /* The same; a failure is shown. True: it was done. */
    async act(message) {
        try {
            if (message.action === "move") {
                if (this.state.mine)
                    socket.send({...message, phone: this.phone,
                                 epoch: this.state.epoch});
            } else {
                await this.request(message);
            }
            return true;
        } catch (error) {
            this.device.classList.remove("refused");
            void this.device.offsetWidth; /* starts the animation again */
            this.device.classList.add("refused");
            showFailure(error);
            return false;
        }
    }

    async tap(x, y) {
        const shown = this.screen && this.screen.shown;
        if (!shown)
            return;
        const touch = {do: "touch", pointer: 0, x, y, frame: shown.number,
                       width: shown.width, height: shown.height};
        const now = Math.round(performance.now());
        if (await this.act({...touch, action: "down", ms: now}))
            await this.act({...touch, action: "up", ms: now + TAP_MS});
    }

    async screenshot() {
        try {
            const answer = await socket.ask({do: "screenshot",
                                             phone: this.phone});
            const link = element("a", {href: answer.url ||
                                           "data:image/png;base64," + answer.png,
                                       download: this.phone.replace(/\W+/g, "-")
                                           + ".png"});
            link.click();
            toast("Screenshot saved");
        } catch (error) {
            showFailure(error);
        }
    }

    async paste() {
        let text = "";
        try {
            text = await navigator.clipboard.readText();
        } catch {
            this.textBox.focus();
            toast("The browser does not share the clipboard: paste here");
            return;
        }
        if (text)
            this.act({do: "paste", text});
    }
}

export {PhonePage};
