"""A client for proctor: environments, agents and results.

One file, Python 3.9 or later, standard library only.

Environments (``proctor env``), shaped as Gymnasium's:

    from proctor import Env

    env = Env("shop.cheapest", tree="elements")
    obs, info = env.reset(seed=7)
    obs, reward, terminated, truncated, info = env.step({"action": "back"})
    copy = env.fork()
    env.close()

An agent for ``proctor run --agent 'exec:python3 agent.py'``:

    from proctor import run_agent

    run_agent(lambda see: {"action": "complete"})

The results of a run as a list of dictionaries:

    from proctor import rows
    table = rows("runs/phone-1")
"""

import itertools
import json
import os
import subprocess
import sys
import threading

__all__ = ["Env", "ProctorError", "Server", "rows", "run_agent"]


class ProctorError(Exception):
    """An error that proctor answered; ``code`` is its kind."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Server:
    """A process of ``proctor env`` that serves many environments.

    Calls may come from several threads. Requests for different environments
    are worked on at the same time.
    """

    def __init__(self, command=("proctor", "env")):
        """Start the process; ``command`` is a list of words."""
        self._process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, encoding="utf-8", bufsize=1)
        self._ids = itertools.count(1)
        self._names = itertools.count(1)
        self._lock = threading.Lock()
        self._waiting = {}
        self._ended = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def name(self):
        """A name for a new environment."""
        return "env-%d" % next(self._names)

    def ask(self, method, **members):
        """Send a request, wait for its answer, and return that.

        Members that are None are left out. Raises ProctorError.
        """
        request = {"id": next(self._ids), "method": method}
        request.update((k, v) for k, v in members.items() if v is not None)
        slot = {"done": threading.Event(), "answer": None}
        with self._lock:
            if self._ended:
                raise ProctorError("closed", "proctor env has ended")
            self._waiting[request["id"]] = slot
            try:
                self._process.stdin.write(json.dumps(request) + "\n")
                self._process.stdin.flush()
            except OSError as error:
                self._waiting.pop(request["id"], None)
                raise ProctorError("closed", str(error)) from error
        slot["done"].wait()
        answer = slot["answer"]
        if answer is None:
            raise ProctorError("closed", "proctor env ended without an answer")
        if "error" in answer:
            raise ProctorError(answer["error"]["code"],
                               answer["error"]["message"])
        return answer

    def tasks(self):
        """The tasks of the suite."""
        return self.ask("tasks")["tasks"]

    def actions(self):
        """The actions, each with a JSON schema of its arguments."""
        return self.ask("actions")["actions"]

    def close(self):
        """End the process after all requests are answered."""
        if self._process.stdin and not self._process.stdin.closed:
            self._process.stdin.close()
        self._process.wait()
        self._reader.join()
        self._process.stdout.close()

    def _read(self):
        for line in self._process.stdout:
            answer = json.loads(line)
            with self._lock:
                slot = self._waiting.pop(answer.get("id"), None)
            if slot:
                slot["answer"] = answer
                slot["done"].set()
        with self._lock:
            self._ended = True
            waiting, self._waiting = self._waiting, {}
        for slot in waiting.values():
            slot["done"].set()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()


class Env:
    """One environment, with the methods of Gymnasium's ``Env``."""

    metadata = {"render_modes": []}

    def __init__(self, task=None, server=None, name=None, **options):
        """An environment for a task.

        ``server`` is shared with others; without one, an own ``proctor env``
        is started. ``options`` are members of every reset, such as ``split``,
        ``screen``, ``tree``, ``reward`` or ``locale`` (docs/env.md).
        """
        self._owns_server = server is None
        self.server = server if server is not None else Server()
        self.name = name or self.server.name()
        self.task = task
        self.options = dict(options)
        self._open = False

    def reset(self, *, seed=None, options=None):
        """Begin an episode. Returns (observation, info)."""
        members = {"task": self.task}
        members.update(self.options)
        members.update(options or {})
        if seed is not None:
            members["seed"] = int(seed)
        answer = self.server.ask("reset", env=self.name, **members)
        self._open = True
        return answer["observation"], answer["info"]

    def step(self, action, **members):
        """Perform an action: a dictionary, or a model's reply as a text.

        Returns (observation, reward, terminated, truncated, info).
        """
        key = "text" if isinstance(action, str) else "action"
        answer = self.server.ask("step", env=self.name, **{key: action},
                                 **members)
        return (answer["observation"], answer["reward"], answer["terminated"],
                answer["truncated"], answer["info"])

    def observe(self, **members):
        """Observe again, for example with ``screen="base64"``."""
        return self.server.ask("observe", env=self.name,
                               **members)["observation"]

    def fork(self, name=None):
        """A second environment in the same state, on the same server."""
        copy = Env(self.task, self.server, name, **self.options)
        self.server.ask("fork", env=self.name, to=copy.name)
        copy._open = True
        return copy

    def close(self):
        """Close the environment, and its server if it is its own."""
        if self._open:
            self._open = False
            self.server.ask("close", env=self.name)
        if self._owns_server:
            self.server.close()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()


def run_agent(decide, lines=None, out=None):
    """Be the agent of ``proctor run --agent exec:COMMAND``.

    ``decide`` gets what proctor sends for each step, a dictionary
    (docs/runs.md), and returns an action: a dictionary, or a text in any
    notation that ``proctor parse`` understands.
    """
    out = out or sys.stdout
    for line in lines or sys.stdin:
        action = decide(json.loads(line))
        if not isinstance(action, str):
            action = json.dumps(action)
        out.write(" ".join(action.splitlines()) + "\n")
        out.flush()


def _verdicts(folder):
    """The verdicts in an episode's folder, by judge."""
    found = {}
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        if name.startswith("verdict.") and name.endswith(".json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                verdict = json.load(file)
            found[verdict["judge"]] = verdict
    return found


def rows(run):
    """The attempts of a run as dictionaries.

    Each has the members of results.jsonl, and for each judge ``outcome.JUDGE``
    and ``met.JUDGE``, the share of key points that are met.
    """
    table = []
    with open(os.path.join(run, "results.jsonl"), encoding="utf-8") as file:
        lines = [line for line in file if line.strip()]
    for line in lines:
        row = json.loads(line)
        folder = os.path.join(run, row.get("episode", ""))
        for judge, verdict in _verdicts(folder).items():
            needs = verdict.get("needs") or []
            row["outcome." + judge] = verdict.get("outcome")
            row["met." + judge] = (
                sum(1 for need in needs if need.get("met")) / len(needs)
                if needs else None)
        table.append(row)
    return table
