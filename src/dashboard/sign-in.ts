import { createHash, randomBytes } from "node:crypto";
import type { Context } from "hono";
import { z } from "zod";
import { defined } from "../domain/defined.ts";
import { createCookie } from "./cookies.ts";
import type { DashboardDependencies } from "./dashboard-dependencies.ts";
import { isToken } from "./refuse-forged.ts";
import { returnAddress } from "./return-address.ts";
import type { Seal } from "./seal.ts";
import { SESSION_SECONDS, type Sessions } from "./sessions.ts";
import type { SignInRefusal } from "./words.ts";

export const CALLBACK_PATH = "/auth/callback";
/** A code of GitHub is good for as long. */
const UNDER_WAY_SECONDS = 10 * 60;

const LOGIN = /^[A-Za-z0-9_-]{1,39}$/;

const UnderWay = z.object({ state: z.string(), verifier: z.string(), target: z.string(), until: z.number() });

export interface SignIn {
  /** To GitHub, which asks who it is where it does not know. */
  begin(call: Context): Response;
  /** Back from there: signed in, or why not. */
  finish(call: Context): Promise<Response | SignInRefusal>;
}

/** Signing in by the App's OAuth (OPS-2); what is under way lies with the browser that began it, sealed. */
export function createSignIn({ host, settings, now }: DashboardDependencies, seal: Seal, sessions: Sessions): SignIn {
  const { url } = settings;
  const underWay = createCookie(url, "forge-sign-in");
  const session = createCookie(url, "forge");
  const callback = new URL(CALLBACK_PATH, url).href;

  function begun(call: Context): z.infer<typeof UnderWay> | undefined {
    const opened = seal.open("a sign-in under way", underWay.read(call) ?? "");
    if (opened === undefined) return undefined;
    const given = UnderWay.parse(JSON.parse(opened));
    return given.until > now().getTime() ? given : undefined;
  }

  return {
    begin: (call) => {
      const state = randomBytes(32).toString("base64url");
      const verifier = randomBytes(32).toString("base64url");
      const target = returnAddress(call.req.query("return_to"), url);
      const until = now().getTime() + UNDER_WAY_SECONDS * 1000;
      const sealed = seal.close("a sign-in under way", JSON.stringify({ state, verifier, target, until }));
      underWay.write(call, sealed, UNDER_WAY_SECONDS);
      const challenge = createHash("sha256").update(verifier).digest("base64url");
      const asked = call.req.query("login") ?? "";
      const login = LOGIN.test(asked) ? asked : undefined;
      return call.redirect(host.signInAddress({ callback, state, challenge, ...defined({ login }) }), 302);
    },
    finish: async (call) => {
      const given = begun(call);
      underWay.remove(call);
      const { state, code, error } = call.req.query();
      if (given === undefined || !isToken(state, given.state)) return "not_begun_here";
      if (error !== undefined) return error === "access_denied" ? "cancelled" : "refused";
      if (code === undefined) return "refused";
      const token = await host.tokenFor({ code, callback, verifier: given.verifier });
      if (token === undefined) return "refused";
      const person = await host.whoIs(token);
      // Whoever had this browser before is signed out of it.
      const before = session.read(call);
      if (before !== undefined) await sessions.end(before);
      session.write(call, await sessions.begin(person, token), SESSION_SECONDS);
      return call.redirect(given.target, 302);
    },
  };
}
