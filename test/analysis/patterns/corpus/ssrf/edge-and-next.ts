import { NextResponse, type NextRequest } from "next/server";

const ALLOWED_ORIGINS = ["https://cdn.example.com", "https://img.example.com"];

export async function GET(request: NextRequest) {
  const src = request.nextUrl.searchParams.get("src")!;
  // wrong: CWE-918 image proxy without limits
  const image = await fetch(src);
  return new NextResponse(image.body, { headers: { "content-type": "image/png" } });
}

export async function POST(request: NextRequest) {
  const { src } = await request.json();
  if (!ALLOWED_ORIGINS.includes(new URL(src).origin)) {
    return NextResponse.json({ error: "origin" }, { status: 400 });
  }
  // right: CWE-918 origin is one of a list
  const image = await fetch(src);
  return new NextResponse(image.body);
}

export async function PUT(request: NextRequest) {
  const { src } = await request.json();
  if (!src.startsWith("https://cdn.example.com")) {
    return NextResponse.json({ error: "origin" }, { status: 400 });
  }
  // wrong: CWE-918 prefix without a slash allows cdn.example.com.evil.test
  const image = await fetch(src);
  return new NextResponse(image.body);
}

export async function PATCH(request: NextRequest) {
  const { src } = await request.json();
  if (!src.startsWith("https://cdn.example.com/")) {
    return NextResponse.json({ error: "origin" }, { status: 400 });
  }
  // right: CWE-918 prefix up to the slash fixes the host
  const image = await fetch(src);
  return new NextResponse(image.body);
}

export const worker = {
  async fetch(request: Request): Promise<Response> {
    const target = new URL(request.url).searchParams.get("target");
    if (target === null) return new Response("missing", { status: 400 });
    // wrong: CWE-918 worker that fetches anything
    return fetch(new Request(target, request));
  },
};

export const mirror = {
  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    url.hostname = "origin.example.com";
    // right: CWE-918 host is set to a constant
    return fetch(url, request);
  },
};

Deno.serve(async (request) => {
  const body = await request.formData();
  // wrong: CWE-918 form field as address
  const answer = await fetch(String(body.get("hook")), { method: "POST" });
  return new Response(null, { status: answer.status });
});

Deno.serve({ port: 8001 }, async (request) => {
  const id = Number(new URL(request.url).searchParams.get("id"));
  // right: CWE-918 a number in the path
  return fetch(`https://origin.example.com/items/${id}`);
});
