import express from "express";
import csurf from "csurf";
import { doubleCsrf } from "csrf-csrf";
import lusca from "lusca";
import { ApolloServer } from "@apollo/server";
import { Hono } from "hono";
import { csrf } from "hono/csrf";
import axios from "axios";
import { typeDefs, resolvers } from "./schema";

const app = express();

// wrong: CWE-352 GET is left out, POST as well
app.use(csurf({ ignoreMethods: ["GET", "HEAD", "OPTIONS", "POST"] }));
// right: CWE-352 default methods
app.use(csurf({ cookie: { httpOnly: true, secure: true, sameSite: "strict" } }));
// wrong: CWE-352 lusca without its token
app.use(lusca({ csrf: false, xframe: "SAMEORIGIN" }));
// right: CWE-352 lusca with its token
app.use(lusca({ csrf: true, xframe: "SAMEORIGIN" }));

const { doubleCsrfProtection } = doubleCsrf({
  getSecret: () => process.env.CSRF_SECRET!,
  getSessionIdentifier: (req) => req.session.id,
  cookieOptions: { secure: true, sameSite: "strict" },
});
// right: CWE-352 double submit
app.use(doubleCsrfProtection);

const { doubleCsrfProtection: none } = doubleCsrf({
  // wrong: CWE-798 constant secret
  getSecret: () => "a secret that never changes",
  getSessionIdentifier: (req) => req.session.id,
});
app.use("/none", none);

// wrong: CWE-352 prevention of Apollo switched off
export const open = new ApolloServer({ typeDefs, resolvers, csrfPrevention: false });
// right: CWE-352 prevention of Apollo is the default
export const closed = new ApolloServer({ typeDefs, resolvers, introspection: false });

export const hono = new Hono();
// right: CWE-352 origin check of Hono
hono.use(csrf({ origin: "https://app.example.com" }));
// wrong: CWE-352 every origin passes
hono.use("/loose/*", csrf({ origin: () => true }));

// wrong: CWE-352 state is changed by a GET
app.get("/account/delete", async (req, res) => {
  await req.app.locals.accounts.delete(req.session.userId);
  res.redirect("/");
});

// right: CWE-352 state is changed by a POST behind the token
app.post("/account/delete", doubleCsrfProtection, async (req, res) => {
  await req.app.locals.accounts.delete(req.session.userId);
  res.redirect("/");
});

// right: CWE-352 names of the cookie and header for the token
axios.defaults.xsrfHeaderName = "X-CSRF-TOKEN";

export const nextConfig = {
  experimental: {
    serverActions: {
      // wrong: CWE-352 server actions for every origin
      allowedOrigins: ["*"],
    },
  },
};

export const nextConfigOwn = {
  experimental: {
    serverActions: {
      // right: CWE-352 server actions for one proxy
      allowedOrigins: ["proxy.example.com"],
    },
  },
};
