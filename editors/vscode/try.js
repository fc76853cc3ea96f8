// The extension's own client against the real server: node try.js DUET. Fails if a race is not
// shown, or is still shown once it is mended.
"use strict";
const { mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { Client } = require("./client.js");

const RACY = "__global__ void k(int *a) {\n  a[0] = threadIdx.x;\n}\n";
const FINE = "__global__ void k(int *a) {\n  a[blockIdx.x * blockDim.x + threadIdx.x] = 1;\n}\n";

async function main() {
  const folder = mkdtempSync(join(tmpdir(), "duet-vscode-"));
  const uri = pathToFileURL(join(folder, "k.cu")).toString();
  const shown = new Map();
  let wake = () => {};
  const client = new Client(process.argv[2] || "duet", {
    "textDocument/publishDiagnostics": ({ version, diagnostics }) => {
      if (!shown.has(version)) shown.set(version, diagnostics);
      wake();
    },
  }, (error) => { throw error; });
  const diagnostics = async (version) => {
    while (!shown.has(version)) await new Promise((resolve) => { wake = resolve; });
    return shown.get(version);
  };
  await client.initialize({ pauseMilliseconds: 10 });
  client.notify("textDocument/didOpen", { textDocument: { uri, languageId: "cuda-cpp", version: 1, text: RACY } });
  const first = (await diagnostics(1))[0];
  if (first?.code !== "write-write-race") throw new Error(`no race: ${JSON.stringify(first)}`);
  client.notify("textDocument/didChange", { textDocument: { uri, version: 2 }, contentChanges: [{ text: FINE }] });
  if ((await diagnostics(2)).length !== 0) throw new Error("a mended kernel has findings");
  const inlays = await client.request("textDocument/inlayHint", { textDocument: { uri } });
  if (inlays?.[0]?.label.trim() !== "proved") throw new Error(`no verdict: ${JSON.stringify(inlays)}`);
  await client.stop();
  rmSync(folder, { recursive: true });
  console.log("the server answers");
}

main().catch((error) => { console.error(error); process.exit(1); });
