/* All phones: as cards with their state, or as a wall of live screens. */
import * as registry from "./registry.js";
import * as socket from "./socket.js";
import {AddPhone} from "./add_phone.js";
import {element} from "./dom.js";
import {icon} from "./icons.js";
import {driverWords, runProgress} from "./runs.js";
import {Screen} from "./screen.js";
import {showFailure} from "./toast.js";

const addressOf = (phone) => "#/phone/" + encodeURIComponent(phone);

/* One phone; kept as long as the phone is listed, so that its screen lives. */
class Card {
    /* In list, which is on the page: a screen asks for the pixels it shows. */
    constructor(entry, isWall, list) {
        this.phone = entry.phone;
        this.isWall = isWall;
        this.canvas = element("canvas", {width: "9", height: "18",
                                         "aria-hidden": "true"});
        this.device = element("div", {"class": "device small unseen"},
                              this.canvas,
                              element("span", {}, "Open it to see it"));
        this.text = element("div", {"class": "card-text"});
        this.node = element("li", {"class": "phone-card card"}, this.device,
                            this.text);
        this.screen = null;
        list.append(this.node);
        this.update(entry);
        this.resized = new ResizeObserver(() => {
            if (this.screen && this.screen.isBlurred())
                this.turn(true, entry.kind !== "builtin");
        });
        this.resized.observe(this.device);
    }

    /*
     * Built-in phones are always live; others on the wall, and in the list
     * while another page watches them. One that is being connected, or was
     * lost, stays so.
     */
    isLive(entry) {
        if (!entry.usable)
            return this.screen !== null && entry.watched;
        return this.isWall || entry.kind === "builtin" || entry.watched;
    }

    update(entry) {
        const state = JSON.stringify(entry);
        if (this.isLive(entry) !== (this.screen !== null))
            this.turn(this.isLive(entry), entry.kind !== "builtin");
        if (state === this.state)
            return;
        this.state = state;
        this.node.classList.toggle("unusable", !entry.usable);
        this.text.replaceChildren(...this.describe(entry));
    }

    /* isLocked: who watches this phone keeps others from using it. */
    turn(live, isLocked) {
        if (this.screen)
            this.screen.stop();
        this.screen = null;
        this.device.classList.remove("live");
        this.device.classList.toggle("unseen", !live);
        if (!live)
            return;
        this.screen = new Screen(
            this.canvas, (shown) => {
                this.device.style.setProperty("--ratio",
                                              shown.width / shown.height);
                this.device.classList.add("live");
                this.device.dataset.frame = shown.number;
            }, isLocked && !this.isWall);
        this.screen.start(this.phone).catch(() => {
            this.device.classList.remove("live");
        });
    }

    describe(entry) {
        const facts = registry.factsOf(entry)
            .map((fact) => element("li", {}, fact));
        if (entry.battery >= 0)
            facts.push(element("li", {"class": "battery"}, icon("battery"),
                               entry.battery + " %"));
        const name = registry.nameOf(entry);
        return [
            element("h2", {}, entry.usable || entry.holder
                ? element("a", {href: addressOf(this.phone), "class": "open"},
                          name)
                : name),
            element("p", {"class": "serial"}, element("code", {},
                                                    entry.serial || this.phone)),
            element("ul", {"class": "facts"}, ...facts),
            element("p", {"class": "state", "data-state":
                          entry.usable ? "ready" : "wait"}, entry.state),
            entry.holder ? element("p", {"class": "holder"}, icon("hand"),
                                   entry.mine ? "You drive it"
                                       : "Driven by " +
                                       driverWords(entry, entry.holder)) : null,
            runProgress(entry),
            entry.mortal && !registry.isReadOnly()
                ? element("button", {type: "button", "class": "quiet",
                                     title: "Throw this phone away",
                                     onclick: () => this.throwAway()},
                          icon("trash"), "Throw away")
                : null,
        ].filter(Boolean);
    }

    throwAway() {
        socket.ask({do: "stop_phone", phone: this.phone}).catch(showFailure);
    }

    stop() {
        this.resized.disconnect();
        this.turn(false);
        this.node.remove();
    }
}

class PhonesPage {
    constructor(place, isWall) {
        this.isWall = isWall;
        this.cards = new Map();
        document.title = (isWall ? "Wall" : "Phones") + " – proctor";
        this.list = element("ul", {"class": isWall ? "wall" : "cards"});
        this.nothing = element("div", {"class": "nothing", hidden: true},
            element("p", {"class": "big"}, "No phone yet"),
            element("p", {}, "Start a built-in phone to try everything, plug " +
                    "a phone in with USB debugging on, or pair one over Wi-Fi."));
        this.count = element("p", {"class": "note"});
        this.adding = new AddPhone();
        place.replaceChildren(element(
            "section", {"class": "phones"},
            element("div", {"class": "phones-head"},
                    element("div", {},
                            element("h1", {}, isWall ? "Wall" : "Phones"),
                            this.count),
                    this.adding.buttons),
            this.nothing, this.list, this.adding.dialogs));
        this.endings = [
            registry.follow((phones) => this.show(phones)),
            socket.on("link", ({state}) => this.linkChanged(state)),
        ];
    }

    /* Watches end with the connection. */
    linkChanged(state) {
        if (state === "open")
            return;
        for (const card of this.cards.values())
            card.turn(false);
    }

    show(phones) {
        const left = new Set(this.cards.keys());
        for (const entry of phones) {
            left.delete(entry.phone);
            const card = this.cards.get(entry.phone);
            if (card) {
                card.update(entry);
            } else if (!this.isWall || entry.usable) {
                this.cards.set(entry.phone,
                               new Card(entry, this.isWall, this.list));
            }
        }
        for (const phone of left) {
            this.cards.get(phone).stop();
            this.cards.delete(phone);
        }
        const usable = phones.filter((entry) => entry.usable).length;
        this.nothing.hidden = phones.length > 0;
        this.count.textContent = !phones.length ? ""
            : usable === phones.length
                ? usable + (usable === 1 ? " phone, ready" : " phones, all ready")
                : usable + " of " + phones.length + " ready";
        this.adding.show(registry.canAdd());
    }

    stop() {
        this.endings.forEach((end) => end());
        for (const card of this.cards.values())
            card.stop();
        this.adding.stop();
    }
}

export {PhonesPage};
