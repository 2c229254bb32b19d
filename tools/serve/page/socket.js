/*
 * The one WebSocket of the page: requests with answers, pushes and frames. It
 * connects again when it is lost.
 *
 *     const answer = await socket.ask({do: "take", phone});
 *
 * ask rejects with an Error whose message is for people; isBusy: the same may
 * succeed in a moment.
 */
const RETRY_MS = [300, 600, 1200, 2500, 5000];

const waiting = new Map(); /* id: {resolve, reject} */
const listeners = new Map(); /* name: Set of functions */
let socket = null;
let lastId = 0;
let failures = 0;

function on(name, listener) {
    if (!listeners.has(name))
        listeners.set(name, new Set());
    listeners.get(name).add(listener);
    return () => listeners.get(name).delete(listener);
}

function emit(name, value) {
    for (const listener of Array.from(listeners.get(name) || []))
        listener(value);
}

function isOpen() {
    return socket !== null && socket.readyState === WebSocket.OPEN;
}

/* What "link" has reported last; "wait": nothing yet. */
let linkState = "wait";

function setLink(state) {
    linkState = state;
    emit("link", {state});
}

/* Without an answer; false: there is no connection. */
function send(message) {
    if (!isOpen())
        return false;
    socket.send(JSON.stringify(message));
    return true;
}

function ask(message) {
    return new Promise((resolve, reject) => {
        const id = ++lastId;
        if (!send({id, ...message})) {
            reject(new Error("proctor does not answer"));
            return;
        }
        waiting.set(id, {resolve, reject});
    });
}

function take(message) {
    if (message.push) {
        emit(message.push, message);
        return;
    }
    const asked = waiting.get(message.id);
    if (!asked)
        return;
    waiting.delete(message.id);
    if (message.ok)
        asked.resolve(message);
    else
        asked.reject(Object.assign(new Error(message.error || "refused"),
                                   {isBusy: !!message.busy}));
}

/* Is the session over? Then only a new address helps. */
async function isRefused() {
    try {
        const answer = await fetch("app.css", {cache: "no-store"});
        return answer.status === 401 || answer.status === 403;
    } catch {
        return false;
    }
}

async function lost() {
    socket = null;
    for (const asked of waiting.values())
        asked.reject(new Error("the connection to proctor was lost"));
    waiting.clear();
    setLink("lost");
    if (await isRefused()) {
        setLink("refused");
        return;
    }
    setTimeout(open, RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]);
}

function open() {
    const address = new URL("ws", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
        failures = 0;
        setLink("open");
    };
    socket.onmessage = (event) => {
        if (typeof event.data === "string")
            take(JSON.parse(event.data));
        else
            emit("frame", event.data);
    };
    socket.onclose = lost;
}

const link = () => linkState;

export {on, send, ask, open, link};
