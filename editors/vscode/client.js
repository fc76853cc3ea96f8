// A client of the language server protocol over pipes, as small as the extension needs.
"use strict";
const { spawn } = require("node:child_process");

class Client {
  /**
   * Starts `duet lsp`.
   * @param {string} program the duet program
   * @param {Object<string, function(Object): void>} handlers what is done with its notifications
   * @param {function(Error): void} failed called if it cannot be run
   */
  constructor(program, handlers, failed) {
    this.handlers = handlers;
    this.waiting = new Map();
    this.number = 0;
    this.bytes = Buffer.alloc(0);
    this.server = spawn(program, ["lsp", "--stdio"], { stdio: ["pipe", "pipe", "ignore"] });
    this.server.on("error", failed);
    this.server.stdin.on("error", () => {});
    this.server.stdout.on("data", (chunk) => this.receive(chunk));
    this.ended = new Promise((resolve) => this.server.on("close", resolve));
    this.ended.then(() => this.waiting.forEach((answer) => answer(null)));
  }

  receive(chunk) {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    for (;;) {
      const head = this.bytes.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.bytes.toString("ascii", 0, head))?.[1]);
      if (this.bytes.length < head + 4 + length) return;
      const message = JSON.parse(this.bytes.toString("utf8", head + 4, head + 4 + length));
      this.bytes = this.bytes.subarray(head + 4 + length);
      this.handle(message);
    }
  }

  handle(message) {
    if (message.method !== undefined) {
      this.handlers[message.method]?.(message.params);
      if (message.id !== undefined) this.send({ id: message.id, result: null });
    } else {
      this.waiting.get(message.id)?.(message.result ?? null);
      this.waiting.delete(message.id);
    }
  }

  send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.server.stdin.write(body);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  request(method, params) {
    const id = ++this.number;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.send({ id, method, params });
    });
  }

  async initialize(initializationOptions) {
    const told = await this.request("initialize", { processId: process.pid, rootUri: null, capabilities: {}, initializationOptions });
    this.notify("initialized", {});
    return told;
  }

  async stop() {
    await this.request("shutdown", null);
    this.notify("exit", null);
    await this.ended;
  }
}

module.exports = { Client };
