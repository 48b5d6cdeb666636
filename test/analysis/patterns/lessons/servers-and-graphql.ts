import { ApolloServer } from "apollo-server";
import { Resolver, Query, Args, Mutation } from "@nestjs/graphql";
import Koa from "koa";
import { Hono } from "hono";
import Fastify from "fastify";
import { exec } from "child_process";
import fs from "fs";

// wrong: CWE-200
const server = new ApolloServer({ typeDefs, resolvers, introspection: true, playground: true });
// right: CWE-200
const server2 = new ApolloServer({ typeDefs, resolvers, introspection: false });
// wrong: CWE-352
const server3 = new ApolloServer({ typeDefs, resolvers, csrfPrevention: false });
// wrong: CWE-209
const server4 = new ApolloServer({ typeDefs, resolvers, debug: true });

const resolvers = {
  Query: {
    user: (parent, args, context) => {
      // wrong: CWE-89
      return context.db.query("SELECT * FROM users WHERE id = " + args.id);
    },
    file: (_, { name }) => {
      // wrong: CWE-22
      return fs.readFileSync("/data/" + name, "utf8");
    },
    safe: (_, { id }, { db }) => {
      // right: CWE-89
      return db.query("SELECT * FROM users WHERE id = $1", [id]);
    },
  },
  Mutation: {
    run: async (root, { command }) => {
      // wrong: CWE-78
      exec("report " + command);
    },
  },
};

@Resolver()
export class UserResolver {
  @Query(() => String)
  find(@Args("name") name: string) {
    // wrong: CWE-89
    return this.db.query(`SELECT * FROM users WHERE name = '${name}'`);
  }
}

const koa = new Koa();
koa.use(async (ctx) => {
  // wrong: CWE-79
  ctx.body = "<p>" + ctx.query.name + "</p>";
  // right: CWE-79
  ctx.body = { name: ctx.query.name };
  // wrong: CWE-601
  ctx.redirect(ctx.query.to);
  // right: CWE-601
  ctx.redirect("/");
  // wrong: CWE-78
  exec("lookup " + ctx.request.body.name);
});

const hono = new Hono();
hono.get("/a", (c) => {
  // wrong: CWE-79
  return c.html("<p>" + c.req.query("name") + "</p>");
});
hono.get("/b", async (c) => {
  // wrong: CWE-918
  const r = await fetch(c.req.query("url"));
  // right: CWE-79
  return c.text(await r.text());
});
hono.get("/c", (c) => {
  // wrong: CWE-601
  return c.redirect(c.req.query("next"));
});

const fastify = Fastify({ logger: true });
fastify.get("/f", async (request, reply) => {
  // wrong: CWE-22
  const text = fs.readFileSync("./docs/" + request.query.page);
  // wrong: CWE-79
  reply.type("text/html").send("<p>" + request.query.q + "</p>");
  // right: CWE-79
  reply.send({ q: request.query.q });
  // wrong: CWE-601
  return reply.redirect(request.query.to);
});

export async function GET(request: Request) {
  const { searchParams } = new URL(request.url);
  // wrong: CWE-918
  const r = await fetch(searchParams.get("url"));
  return Response.json(await r.json());
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    // wrong: CWE-601
    return Response.redirect(url.searchParams.get("to"));
  },
};

export async function getServerSideProps({ query }) {
  // wrong: CWE-918
  const r = await fetch("http://" + query.host + "/api");
  // wrong: CWE-601
  return { redirect: { destination: query.next, permanent: false } };
}

// wrong: CWE-668
http.createServer(app).listen(8080, "0.0.0.0");
io.on("connection", (socket) => {
  socket.on("run", (message) => {
    // wrong: CWE-78
    exec(message.command);
  });
});

// wrong: CWE-489
app.use(require("errorhandler")());

const { BrowserWindow } = require("electron");
// wrong: CWE-1188
const win = new BrowserWindow({ webPreferences: { nodeIntegration: true } });
// right: CWE-1188
const win2 = new BrowserWindow({ webPreferences: { nodeIntegration: false, contextIsolation: true, sandbox: true } });
// wrong: CWE-346
const win3 = new BrowserWindow({ webPreferences: { webSecurity: false } });
// wrong: CWE-319
win.loadURL("http://example.com");
// right: CWE-319
win.loadURL("https://example.com");
// wrong: CWE-601
shell.openExternal(location.hash.slice(1));
