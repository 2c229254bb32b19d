/* A plain shell: one command at a time, its output as text. */
import {element} from "./dom.js";

const LINES_MAX = 400; /* older output is dropped */

class Shell {
    /* act(message): promise of the answer. */
    constructor(panel, act) {
        this.act = act;
        this.history = [];
        this.at = 0;
        this.output = element("div", {"class": "shell-output", role: "log",
                                      tabindex: "0",
                                      "aria-label": "Output of the shell"});
        this.line = element("input", {
            type: "text", autocomplete: "off", autocapitalize: "off",
            spellcheck: "false", "aria-label": "Command",
            placeholder: "getprop ro.product.model",
            onkeydown: (event) => this.key(event)});
        panel.replaceChildren(this.output, element(
            "form", {"class": "shell-line",
                     onsubmit: (event) => this.submit(event)},
            element("span", {"aria-hidden": "true"}, "$"), this.line));
    }

    print(text, look) {
        if (!text)
            return;
        this.output.append(element("pre", {"class": look || ""}, text));
        while (this.output.childElementCount > LINES_MAX)
            this.output.firstElementChild.remove();
        this.output.scrollTop = this.output.scrollHeight;
    }

    async submit(event) {
        event.preventDefault();
        const command = this.line.value.trim();
        if (!command)
            return;
        this.history.push(command);
        this.at = this.history.length;
        this.line.value = "";
        this.print("$ " + command, "command");
        try {
            const answer = await this.act({do: "shell", command});
            this.print(answer.output.replace(/\n$/, ""));
            if (answer.status)
                this.print("status " + answer.status, "status");
        } catch (error) {
            this.print(error.message, "bad");
        }
    }

    key(event) {
        const way = {ArrowUp: -1, ArrowDown: 1}[event.key];
        if (!way)
            return;
        event.preventDefault();
        this.at = Math.min(Math.max(this.at + way, 0), this.history.length);
        this.line.value = this.history[this.at] || "";
    }
}

export {Shell};
