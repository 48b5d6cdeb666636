const { app, BrowserWindow, ipcMain, protocol, session, shell, webContents } = require("electron");
const path = require("path");
const fs = require("fs");

function createUnsafe() {
  return new BrowserWindow({
    webPreferences: {
      // wrong: CWE-1188 pages get Node
      nodeIntegration: true,
      // wrong: CWE-1188 pages share objects with the preload script
      contextIsolation: false,
      // wrong: CWE-346 same origin policy is off
      webSecurity: false,
      // wrong: CWE-1188 no sandbox for the renderer
      sandbox: false,
      // wrong: CWE-319 mixed content
      allowRunningInsecureContent: true,
      // wrong: CWE-1188 experimental features
      experimentalFeatures: true,
      // wrong: CWE-1188 webview tags
      webviewTag: true,
    },
  });
}

function createSafe() {
  return new BrowserWindow({
    webPreferences: {
      // right: CWE-1188 pages get no Node
      nodeIntegration: false,
      // right: CWE-1188 worlds are apart
      contextIsolation: true,
      // right: CWE-346 same origin policy is on
      webSecurity: true,
      // right: CWE-1188 sandboxed
      sandbox: true,
      // right: CWE-319 no mixed content
      allowRunningInsecureContent: false,
      // right: CWE-1188 bridge of our own
      preload: path.join(__dirname, "preload.js"),
    },
  });
}

app.whenReady().then(() => {
  const window = createSafe();
  // wrong: CWE-319 page in clear text
  window.loadURL("http://app.example.com/");
  // right: CWE-319 page by https
  window.loadURL("https://app.example.com/");
  // right: CWE-319 page of our own
  window.loadFile("index.html");
  createUnsafe();

  window.webContents.setWindowOpenHandler(({ url }) => {
    // wrong: CWE-749 opens any scheme
    shell.openExternal(url);
    return { action: "deny" };
  });

  window.webContents.setWindowOpenHandler(({ url }) => {
    // right: CWE-749 only one site
    if (url.startsWith("https://help.example.com/")) shell.openExternal(url);
    return { action: "deny" };
  });

  // wrong: CWE-862 every page gets every permission
  session.defaultSession.setPermissionRequestHandler((contents, permission, done) => done(true));
  // right: CWE-862 one permission
  session.defaultSession.setPermissionRequestHandler((contents, permission, done) => done(permission === "notifications"));
  // wrong: CWE-295 every certificate
  session.defaultSession.setCertificateVerifyProc((request, done) => done(0));
  // right: CWE-295 result of Chromium
  session.defaultSession.setCertificateVerifyProc((request, done) => done(-3));
});

app.on("certificate-error", (event, contents, url, error, certificate, done) => {
  event.preventDefault();
  // wrong: CWE-295 errors of certificates are ignored
  done(true);
});

module.exports = { ipcMain, protocol, webContents, fs };
