/** What hands requests to the functions of a program: how it sends a value depends on it. */
export type Framework = "express" | "fastify" | "koa" | "hono" | "h3" | "hapi" | "restify" | "next" | "http";

/** Packages by what their requests and answers are. What is built on plain `http` and adds nothing to answers is that. */
const BY_MODULE: Readonly<Record<string, Framework>> = {
  express: "express",
  "express-serve-static-core": "express",
  "express-promise-router": "express",
  "@feathersjs/express": "express",
  "@google-cloud/functions-framework": "express",
  "firebase-functions": "express",
  fastify: "fastify",
  "fastify-plugin": "fastify",
  koa: "koa",
  "@koa/router": "koa",
  "koa-router": "koa",
  hono: "hono",
  h3: "h3",
  "@hapi/hapi": "hapi",
  hapi: "hapi",
  restify: "restify",
  next: "next",
  "next/server": "next",
  "@vercel/node": "next",
  http: "http",
  https: "http",
  http2: "http",
  connect: "http",
  polka: "http",
  router: "http",
  "find-my-way": "http",
};

/** The framework that a module belongs to: `hono` of `hono/cookie`, `fastify` of `@fastify/static`. */
export function frameworkOf(module: string): Framework | undefined {
  const name = /^(?:firebase-functions|hono|h3|@hono)\//.exec(module)?.[0].slice(0, -1) ?? module;
  if (Object.hasOwn(BY_MODULE, name)) return BY_MODULE[name];
  if (name.startsWith("express-")) return "express";
  if (name.startsWith("@fastify/")) return "fastify";
  if (name.startsWith("@koa/") || name.startsWith("koa-")) return "koa";
  return name.startsWith("@hono") ? "hono" : undefined;
}

/** The framework whose handlers a file has, where it imports only one of them. With another one, plain `http` only starts the server. */
export function frameworkOfFile(modules: Iterable<string>): Framework | undefined {
  const found = new Set<Framework>();
  for (const module of modules) {
    const framework = frameworkOf(module);
    if (framework !== undefined) found.add(framework);
  }
  if (found.size > 1) found.delete("http");
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

/** Types that are of one framework wherever they are named. */
const BY_TYPE: Readonly<Record<string, Framework>> = {
  ExpressRequest: "express",
  ExpressResponse: "express",
  FastifyRequest: "fastify",
  FastifyReply: "fastify",
  NextApiRequest: "next",
  NextApiResponse: "next",
  NextRequest: "next",
  VercelRequest: "next",
  VercelResponse: "next",
  GetServerSidePropsContext: "next",
  IncomingMessage: "http",
  ServerResponse: "http",
  ParameterizedContext: "koa",
  KoaContext: "koa",
  RouterContext: "koa",
  ExtendableContext: "koa",
  HonoContext: "hono",
};

/** @param module from which the type is taken, where that is said */
export function frameworkOfType(type: string, module: string | undefined): Framework | undefined {
  return (
    (module === undefined ? undefined : frameworkOf(module)) ??
    (Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined)
  );
}

/** A role of a parameter with its framework: `@request~express`. */
export function roleIn(role: string, framework: Framework | undefined): string {
  return framework === undefined || !/^@(?:request|response|context)$/.test(role) ? role : `${role}~${framework}`;
}

/** The framework in a path that begins with a role. */
export function frameworkIn(path: string): Framework | undefined {
  return /^@[a-z-]+~([a-z\d]+)/.exec(path)?.[1] as Framework | undefined;
}
