import fastify from "fastify";
import fastifyCors from "@fastify/cors";
import { NestFactory } from "@nestjs/core";
import { WebSocketGateway } from "@nestjs/websockets";
import { Hono } from "hono";
import { cors } from "hono/cors";
import koaCors from "@koa/cors";
import Koa from "koa";
import { AppModule } from "./app.module";

const app = fastify();
// wrong: CWE-942 Fastify reflects
await app.register(fastifyCors, { origin: true, credentials: true });
// right: CWE-942 Fastify with one origin
await app.register(fastifyCors, { origin: "https://app.example.com", credentials: true });

const nest = await NestFactory.create(AppModule);
// wrong: CWE-942 Nest reflects
nest.enableCors({ origin: true, credentials: true });
// right: CWE-942 Nest with a list
nest.enableCors({ origin: ["https://app.example.com"], credentials: true });

// wrong: CWE-942 gateway for any origin
@WebSocketGateway({ cors: { origin: true, credentials: true } })
export class OpenGateway {}

// right: CWE-942 gateway for one origin
@WebSocketGateway({ cors: { origin: "https://app.example.com" } })
export class OwnGateway {}

const hono = new Hono();
// wrong: CWE-942 Hono returns the origin it was given
hono.use("/a/*", cors({ origin: (origin) => origin, credentials: true }));
// right: CWE-942 Hono compares
hono.use("/b/*", cors({ origin: (origin) => (origin === "https://app.example.com" ? origin : null), credentials: true }));

const koa = new Koa();
// wrong: CWE-942 Koa function that echoes
koa.use(koaCors({ origin: (ctx) => ctx.get("Origin"), credentials: true }));
// right: CWE-942 Koa with a constant
koa.use(koaCors({ origin: "https://app.example.com", credentials: true }));

export const worker = {
  async fetch(request: Request): Promise<Response> {
    const headers = new Headers();
    // wrong: CWE-942 worker reflects
    headers.set("Access-Control-Allow-Origin", request.headers.get("Origin") ?? "*");
    headers.set("Access-Control-Allow-Credentials", "true");
    return new Response("{}", { headers });
  },
};

export const publicWorker = {
  async fetch(_request: Request): Promise<Response> {
    // right: CWE-942 public data without credentials
    return new Response("{}", { headers: { "Access-Control-Allow-Origin": "*" } });
  },
};

export async function lambda(event: { headers: Record<string, string> }) {
  return {
    statusCode: 200,
    headers: {
      // wrong: CWE-942 gateway answer reflects
      "Access-Control-Allow-Origin": event.headers.origin,
      "Access-Control-Allow-Credentials": true,
    },
  };
}

export async function lambdaOwn() {
  return {
    statusCode: 200,
    headers: {
      // right: CWE-942 gateway answer with the address of the configuration
      "Access-Control-Allow-Origin": process.env.APP_ORIGIN,
      "Access-Control-Allow-Credentials": true,
    },
  };
}
