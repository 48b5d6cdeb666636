import { NextResponse, type NextRequest } from "next/server";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import type { NextApiRequest, NextApiResponse } from "next";
import validator from "validator";

export async function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const name = event.queryStringParameters?.name;
  return {
    statusCode: 200,
    headers: { "Content-Type": "text/html" },
    // wrong: CWE-79 body of the gateway answer
    body: `<html><body>Hello ${name}</body></html>`,
  };
}

export async function json(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  return {
    statusCode: 200,
    headers: { "Content-Type": "application/json" },
    // right: CWE-79 JSON body
    body: JSON.stringify({ hello: event.queryStringParameters?.name }),
  };
}

export function GET(request: NextRequest) {
  const term = request.nextUrl.searchParams.get("term");
  // wrong: CWE-79 HTML answer of a route handler
  return new NextResponse(`<p>${term}</p>`, { headers: { "content-type": "text/html" } });
}

export function POST(request: NextRequest) {
  const term = request.nextUrl.searchParams.get("term") ?? "";
  // right: CWE-79 escape of validator
  return new NextResponse(`<p>${validator.escape(term)}</p>`, { headers: { "content-type": "text/html" } });
}

export const worker = {
  async fetch(request: Request): Promise<Response> {
    const { searchParams, pathname } = new URL(request.url);
    if (pathname === "/json") {
      // right: CWE-79 Response.json
      return Response.json({ name: searchParams.get("name") });
    }
    if (pathname === "/text") {
      // right: CWE-79 without a type it is text/plain
      return new Response(searchParams.get("name"));
    }
    // wrong: CWE-79 Response with the type HTML
    return new Response("<h1>" + searchParams.get("name") + "</h1>", { headers: { "Content-Type": "text/html;charset=UTF-8" } });
  },
};

export function api(req: NextApiRequest, res: NextApiResponse) {
  res.setHeader("Content-Type", "text/html");
  // wrong: CWE-79 pages API with HTML
  res.end(`<b>${req.query.id}</b>`);
}

export function apiJson(req: NextApiRequest, res: NextApiResponse) {
  // right: CWE-79 json of the pages API
  res.status(200).json({ id: req.query.id });
}

export async function azure(context: { res: unknown }, req: { query: { name: string } }) {
  context.res = {
    headers: { "Content-Type": "text/html" },
    // wrong: CWE-79 body of an Azure function
    body: "<p>Hello, " + req.query.name + "</p>",
  };
}

export function jsonp(req: { query: { callback: string } }, res: { type(t: string): { send(s: string): void } }) {
  // wrong: CWE-79 callback name is code in a script
  res.type("text/javascript").send(`${req.query.callback}({"ok":true})`);
}
