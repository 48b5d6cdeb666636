import { contextBridge, ipcMain, ipcRenderer, shell, webFrame, app } from "electron";
import { readFile, writeFile } from "node:fs/promises";
import { exec, execFile } from "node:child_process";
import path from "node:path";

const FOLDER = path.join(app.getPath("userData"), "notes");

// wrong: CWE-22 renderer chooses the file
ipcMain.handle("read", (_event, name: string) => readFile(name, "utf8"));
// right: CWE-22 base name in one folder
ipcMain.handle("read-note", (_event, name: string) => readFile(path.join(FOLDER, path.basename(name)), "utf8"));
// wrong: CWE-78 renderer chooses the command
ipcMain.on("run", (_event, command: string) => exec(command));
// right: CWE-78 fixed program
ipcMain.on("version", () => execFile("git", ["--version"]));
// wrong: CWE-749 renderer chooses the address
ipcMain.handle("open", (_event, url: string) => shell.openExternal(url));

ipcMain.handle("open-web", (_event, url: string) => {
  const { protocol } = new URL(url);
  if (protocol !== "https:" && protocol !== "mailto:") throw new Error("scheme");
  // right: CWE-749 scheme is checked
  return shell.openExternal(url);
});

ipcMain.handle("save", async (event, text: string) => {
  if (new URL(event.senderFrame!.url).origin !== "https://app.example.com") throw new Error("sender");
  // right: CWE-22 constant name
  await writeFile(path.join(FOLDER, "draft.txt"), text);
});

contextBridge.exposeInMainWorld("bridge", {
  // wrong: CWE-749 any channel for the page
  send: (channel: string, ...args: unknown[]) => ipcRenderer.send(channel, ...args),
  // right: CWE-749 one channel for the page
  save: (text: string) => ipcRenderer.invoke("save", text),
});

// wrong: CWE-749 whole object for the page
contextBridge.exposeInMainWorld("ipc", ipcRenderer);
// right: CWE-749 a constant for the page
contextBridge.exposeInMainWorld("platform", process.platform);

ipcRenderer.on("script", (_event, code: string) => {
  // wrong: CWE-94 code of a message
  void webFrame.executeJavaScript(code);
});

ipcRenderer.on("zoom", (_event, factor: number) => {
  // right: CWE-94 a number
  webFrame.setZoomFactor(Number(factor));
});

ipcRenderer.on("notice", (_event, text: string) => {
  // wrong: CWE-79 message as markup
  document.querySelector("#notice")!.innerHTML = text;
  // right: CWE-79 message as text
  document.querySelector("#notice")!.textContent = text;
});

app.on("open-url", (_event, url) => {
  // wrong: CWE-78 address of the system in a command
  exec("xdg-open " + url);
});

app.on("open-file", (_event, file) => {
  // right: CWE-78 no shell
  execFile("file", ["--", file]);
});
