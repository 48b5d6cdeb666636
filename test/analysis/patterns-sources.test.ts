import { describe, expect, it } from "vitest";
import { findInsecureCode } from "../../src/analysis/child/find-insecure-code.ts";

const read = findInsecureCode();
const hitsOf = (code: string) => {
  const result = read({ id: 0, text: code, dialect: "ts" });
  return "unread" in result ? [] : result.hits;
};

/** Where input comes from, and code that runs `x`, which is of it. */
const REMOTE: readonly (readonly [what: string, code: string])[] = [
  ["Express", 'import express from "express"; express().get("/", (req, res) => eval(req.query.x));'],
  [
    "a router of Express, by other names",
    'import { Router } from "express"; Router().post("/", (a, b, next) => eval(a.body.x));',
  ],
  [
    "a parameter of Express",
    'import express from "express"; express().param("id", (req, res, next, id) => { eval(id); });',
  ],
  [
    "an error handler of Express",
    'import express from "express"; express().use((err, req, res, next) => { eval(req.query.x); });',
  ],
  ["a file that came with a form", 'app.post("/", (req, res) => { eval(req.file.originalname); });'],
  ["Koa", 'import Koa from "koa"; new Koa().use(async (c) => { eval(c.request.body.x); });'],
  ["a router of Koa", 'import Router from "@koa/router"; new Router().get("/:x", (ctx) => { eval(ctx.params.x); });'],
  ["Fastify", 'import Fastify from "fastify"; Fastify().get("/", async (request) => { eval(request.query.x); });'],
  [
    "a route of Fastify",
    'import Fastify from "fastify"; Fastify().route({ method: "GET", url: "/", handler: async (r) => { eval(r.params.x); } });',
  ],
  [
    "a plugin of Fastify",
    'export default async (fastify) => { fastify.get("/", async (request) => { eval(request.query.x); }); };',
  ],
  ["Hono", 'import { Hono } from "hono"; new Hono().get("/", (c) => { eval(c.req.query("x")); });'],
  [
    "a body of Hono",
    'import { Hono } from "hono"; new Hono().post("/", async (c) => { eval((await c.req.json()).x); });',
  ],
  [
    "a query of NestJS",
    'import { Controller, Get, Query } from "@nestjs/common"; @Controller() class A { @Get() a(@Query("x") x: string) { eval(x); } }',
  ],
  [
    "a body of NestJS",
    'import { Controller, Post, Body } from "@nestjs/common"; @Controller() class A { @Post() a(@Body() b: B) { eval(b.x); } }',
  ],
  [
    "a header of NestJS",
    'import { Controller, Get, Headers } from "@nestjs/common"; @Controller() class A { @Get() a(@Headers("x") x: string) { eval(x); } }',
  ],
  ["an API route of Next", "export default function handler(req, res) { eval(req.query.x); }"],
  ["a typed API route of Next", "export default (a: NextApiRequest, b: NextApiResponse) => { eval(a.query.x); };"],
  ["a route of Next", "export async function POST(request) { const { x } = await request.json(); eval(x); }"],
  [
    "the address of a route of Next",
    "export const GET = (request: Request) => { const { searchParams } = new URL(request.url); eval(searchParams.get('x')); };",
  ],
  ["a page of Next", "export default async function Show({ searchParams }) { eval(searchParams.x); }"],
  ["the address of a page of Next", "export default async function UserPage({ params }) { eval((await params).x); }"],
  ["getServerSideProps", "export async function getServerSideProps({ query }) { eval(query.x); }"],
  ["an action of Next", '"use server";\nexport async function save(form) { eval(form.get("x")); }'],
  [
    "an action in a component",
    'export const A = () => { async function save(form) { "use server"; eval(form.get("x")); } };',
  ],
  [
    "a cookie in Next",
    'import { cookies } from "next/headers"; export const a = () => eval(cookies().get("x").value);',
  ],
  ["the middleware of Next", 'export function middleware(request) { eval(request.nextUrl.searchParams.get("x")); }'],
  ["a loader of Remix", "export async function loader({ params }) { eval(params.x); }"],
  ["a load function of SvelteKit", 'export async function load({ url }) { eval(url.searchParams.get("x")); }'],
  ["a handler of Nuxt", "export default defineEventHandler((event) => { eval(getQuery(event).x); });"],
  ["Lambda", "export const handler = async (event) => { eval(event.queryStringParameters.x); };"],
  ["Lambda with a body", "exports.handler = async (event, context) => { eval(JSON.parse(event.body).x); };"],
  [
    "Lambda behind a queue",
    "export const handler = async (event) => { for (const r of event.Records) eval(r.body); };",
  ],
  ["a typed Lambda", "export async function go(e: APIGatewayProxyEvent) { eval(e.pathParameters.x); }"],
  [
    "Azure",
    'import { app } from "@azure/functions"; app.http("a", { handler: async (r, c) => { eval(r.query.get("x")); } });',
  ],
  ["an older Azure", "module.exports = async function (context, req) { eval(req.query.x); };"],
  [
    "a queue of Azure",
    'import { app } from "@azure/functions"; app.storageQueue("a", { handler: async (item) => { eval(item.x); } });',
  ],
  [
    "Google's functions",
    'import f from "@google-cloud/functions-framework"; f.http("a", (req, res) => { eval(req.query.x); });',
  ],
  [
    "an event of Google's functions",
    'import f from "@google-cloud/functions-framework"; f.cloudEvent("a", (e) => { eval(e.data.x); });',
  ],
  ["Deno", "Deno.serve({ port: 1 }, async (a) => { eval((await a.json()).x); });"],
  ["Bun", "Bun.serve({ async fetch(a) { eval((await a.json()).x); } });"],
  ["a worker", "export default { async fetch(a, env) { eval((await a.json()).x); } };"],
  [
    "a queue of a worker",
    "export default { async queue(batch) { for (const each of batch.messages) eval(each.body.x); } };",
  ],
  [
    "an older worker",
    'addEventListener("fetch", (event) => event.respondWith(go(event.request))); async function go(r) { eval(await r.text()); }',
  ],
  [
    "Node's server",
    'import http from "node:http"; http.createServer((a, b) => { eval(new URL(a.url, "http://a").searchParams.get("x")); });',
  ],
  [
    "a body of Node's server, piece by piece",
    'import http from "node:http"; http.createServer((req) => { let b = ""; req.on("data", (c) => { b += c; }); req.on("end", () => eval(b)); });',
  ],
  [
    "hapi",
    'import Hapi from "@hapi/hapi"; Hapi.server({}).route({ method: "GET", path: "/", handler: (request) => { eval(request.query.x); } });',
  ],
  ["a resolver of GraphQL", "const resolvers = { Query: { a(parent, args) { eval(args.x); } } };"],
  ["the address of a page", "eval(location.hash.slice(1));"],
  [
    "a message of another window",
    'window.addEventListener("message", (e) => { if (e.origin !== A) return; eval(e.data); });',
  ],
  ["a message to a worker", "self.onmessage = (e) => { eval(e.data); };"],
  [
    "a web socket",
    'import { WebSocketServer } from "ws"; new WebSocketServer().on("connection", (ws) => { ws.on("message", (d) => { eval(d); }); });',
  ],
  [
    "socket.io",
    'import { Server } from "socket.io"; new Server().on("connection", (socket) => { socket.on("a", (x) => { eval(x); }); });',
  ],
  [
    "a plain socket",
    'import net from "node:net"; net.createServer((socket) => { socket.on("data", (d) => { eval(d); }); });',
  ],
  [
    "RabbitMQ",
    'import amqp from "amqplib"; const ch = await (await amqp.connect("a")).createChannel(); ch.consume("q", (m) => eval(m.content));',
  ],
  [
    "Kafka",
    'import { Kafka } from "kafkajs"; const consumer = new Kafka().consumer(); await consumer.run({ eachMessage: async ({ message }) => { eval(message.value); } });',
  ],
  ["BullMQ", 'import { Worker } from "bullmq"; new Worker("q", async (job) => { eval(job.data.x); });'],
  [
    "SQS",
    'import { SQSClient, ReceiveMessageCommand as R } from "@aws-sdk/client-sqs"; const { Messages } = await new SQSClient().send(new R()); for (const m of Messages) eval(m.Body);',
  ],
  [
    "Pub/Sub",
    'import { PubSub } from "@google-cloud/pubsub"; new PubSub().subscription("a").on("message", (m) => eval(m.data));',
  ],
  ["MQTT", 'import mqtt from "mqtt"; mqtt.connect("a").on("message", (topic, m) => { eval(m); });'],
  ["Redis", 'import { createClient } from "redis"; createClient().subscribe("a", (m) => { eval(m); });'],
  [
    "NATS",
    'import { connect } from "nats"; const c = await connect(); for await (const m of c.subscribe("a")) eval(m.data);',
  ],
  ["a message in Electron", 'import { ipcMain } from "electron"; ipcMain.handle("a", (event, x) => { eval(x); });'],
];

const LOCAL: readonly (readonly [what: string, code: string])[] = [
  ["the command line", "eval(process.argv[2]);"],
  ["the environment", "eval(process.env.X);"],
  ["Deno's command line", "eval(Deno.args[0]);"],
  ["the browser's storage", 'eval(localStorage.getItem("x"));'],
  ["what is typed", 'process.stdin.on("data", (d) => { eval(d); });'],
  [
    "an answer to a question",
    'import { createInterface } from "node:readline"; createInterface().on("line", (l) => eval(l));',
  ],
];

describe("where input comes from", () => {
  it.each(REMOTE)("REV-6: %s: anybody on the network", (_, code) => {
    expect(hitsOf(code)).toMatchObject([{ severity: "error", what: { source: expect.any(String) } }]);
  });

  it.each(LOCAL)("REV-6: %s: somebody at the machine, so that it weighs less", (_, code) => {
    expect(hitsOf(code)).toMatchObject([{ severity: "warning", what: { source: expect.any(String) } }]);
  });

  it.each([
    ["a file", 'import fs from "node:fs"; eval(JSON.parse(fs.readFileSync("a.json", "utf8")).x);'],
    ["a file, later", 'import { readFile } from "node:fs/promises"; eval(await readFile("a.js", "utf8"));'],
    ["a file in Deno", 'eval(await Deno.readTextFile("a.js"));'],
  ])("REV-6: %s: mostly the program's own, so that it is a remark", (_, code) => {
    expect(hitsOf(code)).toMatchObject([{ severity: "info", what: { source: "a file" } }]);
  });

  it.each([
    [
      "a template that is read",
      'import fs from "node:fs"; import hbs from "handlebars"; hbs.compile(fs.readFileSync("a.hbs", "utf8"));',
    ],
    [
      "a schema that is read",
      'import fs from "node:fs"; import pg from "pg"; new pg.Pool().query(fs.readFileSync("a.sql", "utf8"));',
    ],
    [
      "a helper that is called load",
      'export async function load({ name }) { return import("./parts/" + KNOWN[name] + ".js"); }',
    ],
    ["a list of parameters that is no page's", "export default function show({ title }) { document.title = title; }"],
    ["a message that is sent", 'import { SQSClient } from "@aws-sdk/client-sqs"; await new SQSClient().send(command);'],
  ])("REV-6: %s is silent", (_, code) => {
    expect(hitsOf(code)).toEqual([]);
  });

  it("REV-6: a function is an action only where its file or itself says so", () => {
    expect(hitsOf("export async function save(form) { eval(form.get('x')); }")).toMatchObject([{ severity: "info" }]);
    expect(hitsOf('"use client";\nexport async function save(form) { eval(form.get("x")); }')).toMatchObject([
      { severity: "info" },
    ]);
  });
});
