import { redirect } from "next/navigation";
import { NextResponse, type NextRequest } from "next/server";
import { Controller, Get, Query, Redirect, Res } from "@nestjs/common";
import type { Response } from "express";
import { Hono } from "hono";
import type Koa from "koa";
import type { FastifyReply, FastifyRequest } from "fastify";

export async function signIn(formData: FormData) {
  "use server";
  // wrong: CWE-601 form value in a server action
  redirect(String(formData.get("next")));
}

export async function signOut() {
  // right: CWE-601 constant
  redirect("/goodbye");
}

export function GET(request: NextRequest) {
  const to = request.nextUrl.searchParams.get("to") ?? "/";
  // wrong: CWE-601 an absolute address replaces the base
  return NextResponse.redirect(new URL(to, request.url));
}

export function POST(request: NextRequest) {
  // right: CWE-601 constant path on the same host
  return NextResponse.redirect(new URL("/dashboard", request.url));
}

@Controller("links")
export class LinksController {
  @Get("out")
  out(@Query("to") to: string, @Res() res: Response) {
    // wrong: CWE-601 redirect of the response object
    res.redirect(to);
  }

  @Get("dynamic")
  @Redirect("/", 302)
  dynamic(@Query("to") to: string) {
    // wrong: CWE-601 returned url of the decorator
    return { url: to };
  }

  @Get("docs")
  @Redirect("https://docs.example.com/", 301)
  docs(@Query("version") version: string) {
    // right: CWE-601 constants by a comparison
    return { url: version === "2" ? "https://docs.example.com/v2/" : "https://docs.example.com/" };
  }
}

export const app = new Hono();
// wrong: CWE-601 redirect of the context
app.get("/go", (c) => c.redirect(c.req.query("to") ?? "/"));
// right: CWE-601 constant of the context
app.get("/home", (c) => c.redirect("/"));

export const koaHandler: Koa.Middleware = async (ctx) => {
  // wrong: CWE-601 redirect of Koa
  ctx.redirect(ctx.query.to as string);
};

export const koaBack: Koa.Middleware = async (ctx) => {
  ctx.status = 302;
  // right: CWE-601 constant header
  ctx.set("Location", "/start");
};

export async function fastifyHandler(request: FastifyRequest<{ Querystring: { to: string } }>, reply: FastifyReply) {
  // wrong: CWE-601 redirect of Fastify
  return reply.redirect(request.query.to);
}

export async function lambda(event: { queryStringParameters: { to: string } }) {
  // wrong: CWE-601 Location of a gateway answer
  return { statusCode: 302, headers: { Location: event.queryStringParameters.to } };
}
