const express = require("express");
const { app: electronApp } = require("electron");
const webpack = require("webpack");
const fastify = require("fastify");
const os = require("os");
const inspector = require("inspector");
const { PrismaClient } = require("@prisma/client");

const app = express();

app.get("/debug/env", (_req, res) => {
  // wrong: CWE-200 environment for everybody
  res.json(process.env);
});

app.get("/version", (_req, res) => {
  // right: CWE-200 version of the application
  res.json({ version: process.env.npm_package_version });
});

app.get("/debug/config", (req, res) => {
  // wrong: CWE-200 settings with secrets
  res.json(req.app.settings);
});

app.get("/health", (_req, res) => {
  // right: CWE-200 time of running
  res.json({ ok: true, uptime: Math.round(process.uptime()) });
});

app.get("/debug/host", (_req, res) => {
  // wrong: CWE-200 networks of the machine
  res.json(os.networkInterfaces());
});

app.get("/me", async (req, res) => {
  const user = await req.app.locals.users.findById(req.session.userId);
  // wrong: CWE-200 record with its hash
  res.json({ name: user.name, passwordHash: user.passwordHash });
});

app.get("/me-safe", async (req, res) => {
  const user = await req.app.locals.users.findById(req.session.userId);
  // right: CWE-200 two harmless fields
  res.json({ name: user.name, joined: user.joined });
});

// wrong: CWE-489 debugger open for the network
inspector.open(9229, "0.0.0.0");
// right: CWE-489 debugger on this machine in development
if (process.env.NODE_ENV === "development") inspector.open(9229, "127.0.0.1");

// wrong: CWE-489 remote debugging of Electron
electronApp.commandLine.appendSwitch("remote-debugging-port", "8315");
// right: CWE-489 a switch about scrolling
electronApp.commandLine.appendSwitch("enable-smooth-scrolling");

// wrong: CWE-540 maps of the source in production
const production = webpack({ mode: "production", devtool: "eval-source-map", entry: "./src" });
// right: CWE-540 maps without sources
const productionSafe = webpack({ mode: "production", devtool: "nosources-source-map", entry: "./src" });

// wrong: CWE-532 parameters of queries in a log
const prisma = new PrismaClient({ log: [{ emit: "stdout", level: "query" }, "info"] });
// right: CWE-532 errors only
const prismaQuiet = new PrismaClient({ log: ["warn", "error"], errorFormat: "minimal" });

const server = fastify({
  // right: CWE-209 logs with a redaction
  logger: { level: "info", redact: ["req.headers.cookie"] },
});

// wrong: CWE-489 pretty errors whatever the environment
app.set("env", "development");
// right: CWE-489 production
app.set("env", process.env.NODE_ENV ?? "production");

module.exports = { app, production, productionSafe, prisma, prismaQuiet, server };
