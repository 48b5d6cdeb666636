import fastify from "fastify";
import fastifyCookie from "@fastify/cookie";
import fastifySession from "@fastify/session";
import secureSession from "@fastify/secure-session";
import Koa from "koa";
import koaSession from "koa-session";
import { Hono } from "hono";
import { setCookie } from "hono/cookie";
import { cookies } from "next/headers";
import cookie from "cookie";
import { readFileSync } from "node:fs";

const app = fastify();
await app.register(fastifyCookie);
await app.register(fastifySession, {
  secret: process.env.SESSION_SECRET!,
  // wrong: CWE-614 secure off in Fastify
  cookie: { secure: false, httpOnly: true },
});
// right: CWE-614 secure session with a key file
await app.register(secureSession, { key: readFileSync("/run/secrets/session-key"), cookie: { path: "/", httpOnly: true, secure: true } });

app.get("/login", async (request, reply) => {
  // wrong: CWE-1004 httpOnly off
  reply.setCookie("session", request.id, { path: "/", httpOnly: false, secure: true, sameSite: "lax" });
  // right: CWE-1004 httpOnly on
  reply.setCookie("session", request.id, { path: "/", httpOnly: true, secure: true, sameSite: "lax" });
  return {};
});

const koa = new Koa();
koa.keys = [process.env.KOA_KEY!];
// wrong: CWE-1004 httpOnly off in koa-session
koa.use(koaSession({ key: "koa.sess", httpOnly: false, secure: true, signed: true }, koa));
// wrong: CWE-565 unsigned session can be changed by its owner
koa.use(koaSession({ key: "koa.unsigned", signed: false, secure: true }, koa));
// right: CWE-565 signed is the default
koa.use(koaSession({ key: "koa.signed", secure: true, sameSite: "lax" }, koa));
koa.use(async (ctx) => {
  // wrong: CWE-1004 cookie of Koa for scripts
  ctx.cookies.set("auth", ctx.state.token, { httpOnly: false, secure: true });
  // right: CWE-1004 default of Koa is httpOnly
  ctx.cookies.set("auth", ctx.state.token, { secure: true, sameSite: "strict" });
});

export const hono = new Hono();
hono.get("/", (c) => {
  // wrong: CWE-614 hono cookie without secure
  setCookie(c, "session", crypto.randomUUID(), { httpOnly: true, secure: false, sameSite: "Lax" });
  // right: CWE-614 all flags in Hono
  setCookie(c, "session", crypto.randomUUID(), { httpOnly: true, secure: true, sameSite: "Lax" });
  return c.body(null);
});

export async function signIn(token: string) {
  const jar = await cookies();
  // wrong: CWE-1004 Next cookie for scripts
  jar.set("session", token, { httpOnly: false, secure: true, sameSite: "lax" });
  // right: CWE-1004 Next cookie with flags
  jar.set({ name: "session", value: token, httpOnly: true, secure: true, sameSite: "lax" });
  // right: CWE-614 a choice of colours is no secret
  jar.set("theme", "dark", { sameSite: "lax", secure: true });
}

export function header(token: string): Headers {
  const headers = new Headers();
  // wrong: CWE-614 header by hand without flags
  headers.append("Set-Cookie", `session=${token}; Path=/`);
  // right: CWE-614 header by hand with flags
  headers.append("Set-Cookie", `session=${token}; Path=/; HttpOnly; Secure; SameSite=Lax`);
  // wrong: CWE-614 serialised without secure
  headers.append("Set-Cookie", cookie.serialize("session", token, { httpOnly: true, sameSite: "lax" }));
  // right: CWE-614 serialised with flags
  headers.append("Set-Cookie", cookie.serialize("session", token, { httpOnly: true, secure: true, sameSite: "lax" }));
  return headers;
}

// wrong: CWE-614 cookie of a browser script
document.cookie = "token=" + sessionStorage.getItem("token");
// right: CWE-614 a harmless choice
document.cookie = "theme=dark; Secure; SameSite=Lax";
