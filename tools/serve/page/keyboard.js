/*
 * Typing while the screen has the focus goes to the phone. The keys go through
 * an invisible text field, so that input methods work. Tab leaves it, as
 * everywhere.
 */
const KEYS = {
    Enter: "enter",
    Backspace: "del",
    Delete: "forward_del",
    Escape: "back",
    ArrowLeft: "dpad_left",
    ArrowRight: "dpad_right",
    ArrowUp: "dpad_up",
    ArrowDown: "dpad_down",
    Home: "move_home",
    End: "move_end",
    PageUp: "page_up",
    PageDown: "page_down",
};

/* With Ctrl and Alt. */
const SHORTCUTS = {
    KeyB: "back",
    KeyH: "home",
    KeyR: "recents",
    KeyP: "power",
    ArrowUp: "volume_up",
    ArrowDown: "volume_down",
};

class Keyboard {
    /* field: a text area. act(message): promise that it was done. */
    constructor(field, act) {
        this.field = field;
        this.act = act;
        this.waiting = []; /* keys and texts, in their order */
        this.busy = false;
        field.addEventListener("keydown", (event) => this.down(event));
        field.addEventListener("input", (event) => {
            if (!event.isComposing)
                this.takeText();
        });
        field.addEventListener("compositionend", () => this.takeText());
        field.addEventListener("paste", (event) => {
            event.preventDefault();
            this.add({do: "paste",
                      text: event.clipboardData.getData("text/plain")});
        });
    }

    down(event) {
        const key = event.ctrlKey && event.altKey ? SHORTCUTS[event.code]
            : event.ctrlKey || event.altKey || event.metaKey ? undefined
            : KEYS[event.key];
        if (!key || event.isComposing)
            return;
        event.preventDefault();
        this.add({do: "key", key});
    }

    takeText() {
        const text = this.field.value;
        this.field.value = "";
        if (text)
            this.add({do: "text", text});
    }

    /* Texts that wait become one. */
    add(message) {
        const last = this.waiting.at(-1);
        if (message.do === "text" && last && last.do === "text")
            last.text += message.text;
        else
            this.waiting.push(message);
        this.work();
    }

    async work() {
        if (this.busy)
            return;
        this.busy = true;
        while (this.waiting.length)
            await this.act(this.waiting.shift());
        this.busy = false;
    }
}

export {Keyboard};
