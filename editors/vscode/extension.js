// The extension: starts `duet lsp` and shows what it says. It speaks the protocol itself
// (client.js), so that nothing has to be built or fetched.
"use strict";
const vscode = require("vscode");
const { Client } = require("./client.js");

const LANGUAGES = ["cuda-cpp", "cuda", "opencl"];
let client;

const position = (at) => new vscode.Position(at.line, at.character);
const range = (of) => new vscode.Range(position(of.start), position(of.end));
const isOurs = (document) => LANGUAGES.includes(document.languageId) && document.uri.scheme === "file";
const named = (document) => ({ uri: document.uri.toString() });

function diagnostic(found) {
  const severity = [vscode.DiagnosticSeverity.Error, vscode.DiagnosticSeverity.Warning][found.severity - 1];
  const shown = new vscode.Diagnostic(range(found.range), found.message, severity ?? vscode.DiagnosticSeverity.Information);
  shown.source = found.source;
  shown.code = found.code;
  shown.relatedInformation = (found.relatedInformation || []).map((other) =>
    new vscode.DiagnosticRelatedInformation(
      new vscode.Location(vscode.Uri.parse(other.location.uri), range(other.location.range)), other.message));
  return shown;
}

function action(found) {
  const shown = new vscode.CodeAction(found.title, vscode.CodeActionKind.QuickFix);
  shown.isPreferred = found.isPreferred;
  shown.edit = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(found.edit.changes))
    for (const edit of edits) shown.edit.replace(vscode.Uri.parse(uri), range(edit.range), edit.newText);
  return shown;
}

async function activate(context) {
  const settings = vscode.workspace.getConfiguration("duet");
  const collection = vscode.languages.createDiagnosticCollection("duet");
  const output = vscode.window.createOutputChannel("Duet");
  const refreshed = new vscode.EventEmitter();
  client = new Client(settings.get("path"), {
    "textDocument/publishDiagnostics": ({ uri, diagnostics }) => {
      collection.set(vscode.Uri.parse(uri), diagnostics.map(diagnostic));
      refreshed.fire();
    },
    "window/logMessage": ({ message }) => output.appendLine(message),
  }, (error) => {
    output.appendLine(String(error));
    vscode.window.showErrorMessage(`Duet does not run: ${error}`);
  });
  await client.initialize({
    pauseMilliseconds: settings.get("pauseMilliseconds"),
    checkOptions: settings.get("checkOptions"),
  });
  const open = (document) => isOurs(document) && client.notify("textDocument/didOpen", {
    textDocument: { ...named(document), languageId: document.languageId, version: document.version, text: document.getText() },
  });
  vscode.workspace.textDocuments.forEach(open);
  context.subscriptions.push(
    collection, output, refreshed,
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidChangeTextDocument(({ document }) => isOurs(document) && client.notify("textDocument/didChange", {
      textDocument: { ...named(document), version: document.version },
      contentChanges: [{ text: document.getText() }],
    })),
    vscode.workspace.onDidSaveTextDocument((document) =>
      isOurs(document) && client.notify("textDocument/didSave", { textDocument: named(document) })),
    vscode.workspace.onDidCloseTextDocument((document) =>
      isOurs(document) && client.notify("textDocument/didClose", { textDocument: named(document) })),
    vscode.languages.registerHoverProvider(LANGUAGES, {
      async provideHover(document, at) {
        const found = await client.request("textDocument/hover", { textDocument: named(document), position: at });
        return found && new vscode.Hover(new vscode.MarkdownString(found.contents.value));
      },
    }),
    vscode.languages.registerCodeActionsProvider(LANGUAGES, {
      async provideCodeActions(document, at) {
        const found = await client.request("textDocument/codeAction", {
          textDocument: named(document), range: { start: at.start, end: at.end }, context: { diagnostics: [] },
        });
        return (found || []).map(action);
      },
    }),
    vscode.languages.registerInlayHintsProvider(LANGUAGES, {
      onDidChangeInlayHints: refreshed.event,
      async provideInlayHints(document) {
        const found = await client.request("textDocument/inlayHint", { textDocument: named(document) });
        return (found || []).map((one) => new vscode.InlayHint(position(one.position), one.label));
      },
    }),
  );
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
