/*
 * Shows episodes when they are opened, and filters their list. All text goes
 * into the page as text, never as markup.
 */
"use strict";

(function () {
    const SVG = "http://www.w3.org/2000/svg";
    const list = Array.from(document.querySelectorAll(".ep"));
    const find = document.getElementById("find");
    const agent = document.getElementById("agent");
    const chips = Array.from(document.querySelectorAll(".chip"));
    const count = document.getElementById("count");
    const nothing = document.getElementById("nothing");

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

    /* ---- marks on a screen ---- */

    function line(svg, look, wide, x, y, X, Y) {
        svg.append(draw("line", {
            "class": "mark " + look, x1: x, y1: y, x2: X, y2: Y,
            "stroke-width": wide, "stroke-linecap": "round",
        }));
    }

    function arrow(svg, look, wide, x, y, X, Y, size) {
        const angle = Math.atan2(Y - y, X - x);
        line(svg, look, wide, x, y, X, Y);
        for (const turn of [2.6, -2.6])
            line(svg, look, wide, X, Y, X + size * Math.cos(angle + turn),
                 Y + size * Math.sin(angle + turn));
    }

    function ring(svg, x, y, radius, wide) {
        svg.append(draw("circle", {"class": "mark dot", cx: x, cy: y,
                                   r: radius}));
        svg.append(draw("circle", {"class": "mark halo", cx: x, cy: y,
                                   r: radius, "stroke-width": wide * 1.9}));
        svg.append(draw("circle", {"class": "mark", cx: x, cy: y, r: radius,
                                   "stroke-width": wide}));
    }

    const ways = {up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0]};

    /* Where the finger went, if the step does not say: across the middle. */
    function ends(step, W, H) {
        const way = ways[step.d];
        let x = step.x, y = step.y, X = step.X, Y = step.Y;
        if (X === undefined && way) {
            const turn = step.a === "scroll" ? -1 : 1;
            const far = 0.22 * H * turn;
            if (x === undefined)
                [x, y] = [W / 2 - way[0] * far / 2, H / 2 - way[1] * far / 2];
            [X, Y] = [x + way[0] * far, y + way[1] * far];
        }
        return X === undefined ? null : [x, y, X, Y];
    }

    function marks(step, W, H) {
        const svg = draw("svg", {viewBox: "0 0 " + W + " " + H,
                                 "aria-hidden": "true"});
        const moved = ["swipe", "drag", "scroll"].includes(step.a);
        const way = moved ? ends(step, W, H) : null;
        const unit = W / 100;
        if (way) {
            arrow(svg, "halo", unit * 3.6, ...way, unit * 9);
            arrow(svg, "", unit * 1.9, ...way, unit * 9);
        } else if (step.x !== undefined) {
            ring(svg, step.x, step.y, unit * 5.2, unit * 1.5);
            if (step.a === "long_press" || step.a === "double_tap")
                ring(svg, step.x, step.y, unit * 9, unit * 1.1);
        }
        return svg;
    }

    /* ---- pictures ---- */

    const sources = new Map();

    function source(number) {
        if (!sources.has(number)) {
            const held = document.getElementById("p" + number);
            sources.set(number, held
                ? "data:image/jpeg;base64," + held.textContent : "");
        }
        return sources.get(number);
    }

    function picture(step, W, H, words) {
        const image = make("img");
        image.loading = "lazy";
        image.decoding = "async";
        image.alt = words;
        if (W && H) {
            image.width = W;
            image.height = H;
        }
        image.src = source(step.p);
        return image;
    }

    /* ---- one step ---- */

    function deed(step) {
        const at = step.x === undefined ? "" : " " + step.x + ", " + step.y;
        if (!step.a)
            return "the end";
        return step.a.replace("_", " ") + (step.d ? " " + step.d : "") + at;
    }

    function said(step) {
        const box = make("details", "said");
        box.append(make("summary", "", "reply"), make("p", "", step.r));
        return box;
    }

    function frame(step, number, data, look) {
        const item = make("li");
        const words = step.w || (step.a && step.t ? "“" + step.t + "”" : "");
        const act = make("p", "act");
        if (step.p !== undefined) {
            const button = make("button", "shot");
            button.type = "button";
            button.title = "Enlarge";
            button.append(picture(step, data.W, data.H,
                                  words || "screen " + number));
            if (step.a && data.W > 0)
                button.append(marks(step, data.W, data.H));
            button.addEventListener("click", () => look(number));
            item.append(button);
        } else if (data.seen) {
            item.append(make("div", "shot blank", "no picture here"));
        }
        act.append(make("b", "", step.a ? String(number) : "■"),
                   document.createTextNode(deed(step)));
        item.append(act);
        if (words)
            item.append(make("p", "words", words));
        if (step.b)
            item.append(make("p", "trouble", "not carried out: " + step.b));
        if (step.e)
            item.append(make("p", "trouble", "no action: " + step.e));
        if (step.r)
            item.append(said(step));
        return item;
    }

    /* ---- enlarged ---- */

    let dialog = null;

    function openDialog(data, number) {
        const shown = data.steps.map((step, i) => i)
            .filter((i) => data.steps[i].p !== undefined);
        let at = shown.indexOf(number);
        function paint() {
            const step = data.steps[shown[at]];
            const button = make("button", "shot");
            button.type = "button";
            button.append(picture(step, 0, 0, step.w || deed(step)));
            if (step.a && data.W > 0)
                button.append(marks(step, data.W, data.H));
            button.addEventListener("click", () => dialog.close());
            dialog.replaceChildren(button, make("p", "", shown[at] + "  ·  " +
                                                (step.w || deed(step))));
            button.focus();
        }
        if (!dialog) {
            dialog = make("dialog");
            document.body.append(dialog);
        }
        dialog.onkeydown = (event) => {
            const way = {ArrowRight: 1, ArrowLeft: -1}[event.key];
            if (!way)
                return;
            event.preventDefault();
            at = Math.min(Math.max(at + way, 0), shown.length - 1);
            paint();
        };
        dialog.showModal();
        paint();
    }

    /* ---- one episode ---- */

    function need(entry, go) {
        const item = make("li");
        const text = make("div");
        const known = entry.m !== undefined;
        item.append(make("span", known ? (entry.m ? "yes" : "no") : "dunno",
                         known ? (entry.m ? "✓" : "✕") : "?"));
        text.append(document.createTextNode(entry.n || ""));
        if (entry.s !== undefined) {
            const button = make("button", "", "step " + entry.s);
            button.type = "button";
            button.addEventListener("click", () => go(entry.s));
            text.append(button);
        }
        if (entry.w) {
            text.append(make("br"), make("small", "", entry.w));
        }
        item.append(text);
        return item;
    }

    function needs(data, go) {
        const box = make("ul", "needs");
        for (const entry of data.needs)
            box.append(need(entry, go));
        return box;
    }

    function strip(data) {
        const box = make("ol", "strip");
        data.seen = data.steps.some((step) => step.p !== undefined);
        box.tabIndex = 0;
        box.setAttribute("aria-label", "What was seen and done");
        data.steps.forEach((step, i) => {
            const item = frame(step, i, data, (n) => openDialog(data, n));
            if (i === data.at)
                item.classList.add("at");
            box.append(item);
        });
        return box;
    }

    function show(episode) {
        const held = document.getElementById("d" + episode.id.slice(1));
        const data = JSON.parse(held.textContent);
        const body = make("div", "body");
        const film = data.steps && data.steps.length ? strip(data) : null;
        const go = (n) => film && film.children[n] &&
            film.children[n].scrollIntoView({block: "nearest",
                                             inline: "start"});
        const path = make("p", "path");
        if (data.ask)
            body.append(make("blockquote", "ask", data.ask));
        if (data.why)
            body.append(make("p", "verdict", data.why));
        if (data.fail && data.fail !== data.why)
            body.append(make("p", "verdict", data.fail));
        if (data.said)
            body.append(make("p", "verdict", "It said: " + data.said));
        if (data.end && data.end !== data.why)
            body.append(make("p", "verdict", "It ended: " + data.end));
        if (data.trouble)
            body.append(make("p", "trouble", data.trouble));
        if (film)
            body.append(film);
        if (data.needs)
            body.append(needs(data, go));
        path.append(make("code", "", data.path));
        body.append(path);
        episode.append(body);
    }

    function opened(event) {
        const episode = event.target;
        if (episode.open && !episode.querySelector(".body"))
            show(episode);
    }

    /* ---- the list ---- */

    const texts = list.map((episode) =>
        (episode.textContent + " " + episode.dataset.k).toLowerCase());
    let task = null; /* the only one shown; null: all */

    function filter() {
        const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
        const wanted = chips.filter((chip) =>
            chip.getAttribute("aria-pressed") === "true")
            .map((chip) => chip.dataset.o);
        const row = agent ? agent.value : "";
        let shown = 0;
        list.forEach((episode, i) => {
            const fits = (!wanted.length ||
                          wanted.includes(episode.dataset.o)) &&
                (!row || episode.dataset.a === row) &&
                (task === null || episode.dataset.t === task) &&
                words.every((word) => texts[i].includes(word));
            episode.hidden = !fits;
            shown += fits;
        });
        count.textContent = shown === list.length
            ? list.length + " episodes" : shown + " of " + list.length;
        nothing.hidden = shown > 0;
    }

    function clear() {
        find.value = "";
        task = null;
        if (agent)
            agent.value = "";
        chips.forEach((chip) => chip.setAttribute("aria-pressed", "false"));
        filter();
    }

    function pickTask(name) {
        clear();
        find.value = name;
        task = name;
        filter();
    }

    function move(step) {
        const shown = list.filter((episode) => !episode.hidden);
        const now = shown.indexOf(document.activeElement.closest(".ep"));
        const next = shown[now < 0 ? 0 : now + step];
        if (next) {
            next.querySelector("summary").focus({preventScroll: true});
            next.scrollIntoView({block: "nearest"});
        }
    }

    function key(event) {
        const typing = event.target.matches("input, select, textarea");
        if (event.ctrlKey || event.metaKey || event.altKey ||
            (dialog && dialog.open))
            return;
        if (event.key === "Escape") {
            clear();
            find.blur();
        } else if (typing) {
            return;
        } else if (event.key === "/") {
            event.preventDefault();
            find.focus();
            find.select();
        } else if (event.key === "j" || event.key === "k") {
            move(event.key === "j" ? 1 : -1);
        }
    }

    function goTo() {
        const named = /^#e\d+$/.test(location.hash) &&
            document.getElementById(location.hash.slice(1));
        if (named) {
            named.open = true;
            named.scrollIntoView();
        }
    }

    list.forEach((episode) => episode.addEventListener("toggle", opened));
    find.addEventListener("input", () => {
        task = null;
        filter();
    });
    if (agent)
        agent.addEventListener("change", filter);
    chips.forEach((chip) => chip.addEventListener("click", () => {
        chip.setAttribute("aria-pressed",
                          String(chip.getAttribute("aria-pressed") !== "true"));
        filter();
    }));
    document.querySelectorAll(".pick").forEach((link) =>
        link.addEventListener("click", () => pickTask(link.textContent)));
    document.addEventListener("keydown", key);
    window.addEventListener("hashchange", goTo);
    filter();
    goTo();
})();
