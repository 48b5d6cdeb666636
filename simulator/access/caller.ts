// Who calls: an app with its JWT, an installation or user with a token, or nobody.
import { verify } from "node:crypto";
import type { Account, App, Installation } from "../records.ts";
import type { World } from "../world.ts";

interface InstallationCaller {
  readonly kind: "installation";
  readonly user: Account;
  readonly app: App;
  readonly installation: Installation;
  readonly permissions: Readonly<Record<string, string>>;
  readonly repositoryIds: Set<number> | null;
}

export type Caller =
  | InstallationCaller
  | { readonly kind: "user"; readonly user: Account; readonly app?: App }
  | { readonly kind: "app"; readonly app: App }
  /** By client id and secret. */
  | { readonly kind: "client"; readonly app: App }
  | { readonly kind: "anonymous" };

/** Why credentials were refused, with GitHub's words. */
export interface Refusal {
  readonly kind: "refused";
  readonly status: 401 | 403;
  readonly message: string;
}

/** GitHub takes at most ten minutes; a minute of clock drift is forgiven.
 * https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app */
const LONGEST_JWT_SECONDS = 600;
const DRIFT_SECONDS = 60;

/** Takes the authorization header of REST ("Bearer", "token") or of git (basic, the password is the token). */
export function identifyCaller(world: World, header: string | undefined): Caller | Refusal {
  if (!header) return { kind: "anonymous" };
  const client = identifyClient(world, header);
  if (client) return { kind: "client", app: client };
  const secret = secretIn(header);
  return secret.split(".").length === 3 ? identifyApp(world, secret) : identifyToken(world, secret);
}

function identifyClient(world: World, header: string): App | undefined {
  const basic = /^basic\s+(.*)$/i.exec(header);
  const [id, secret] = basic
    ? Buffer.from(basic[1] ?? "", "base64")
        .toString()
        .split(":")
    : [];
  return secret ? world.apps.find((each) => each.clientId === id && each.clientSecret === secret) : undefined;
}

function secretIn(header: string): string {
  const basic = /^basic\s+(.*)$/i.exec(header);
  if (!basic) return header.replace(/^(bearer|token)\s+/i, "");
  return Buffer.from(basic[1] ?? "", "base64")
    .toString()
    .replace(/^[^:]*:/, "");
}

function identifyApp(world: World, jwt: string): Caller | Refusal {
  const [head = "", claims = "", signature = ""] = jwt.split(".");
  const payload = parseClaims(claims);
  if (!payload) return refuse("A JSON web token could not be decoded");
  const app = world.apps.find((each) => String(each.appId) === String(payload.iss) || each.clientId === payload.iss);
  if (!app?.publicKey) return refuse("Integration not found");
  const signed = Buffer.from(`${head}.${claims}`);
  if (!verify("RSA-SHA256", signed, app.publicKey, Buffer.from(signature, "base64url")))
    return refuse("A JSON web token could not be decoded");
  const seconds = Date.now() / 1000;
  if (payload.iat > seconds + DRIFT_SECONDS)
    return refuse("'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued");
  if (payload.exp < seconds)
    return refuse("'Expiration time' claim ('exp') must be a numeric value representing the future time");
  if (payload.exp > seconds + LONGEST_JWT_SECONDS + DRIFT_SECONDS)
    return refuse("'Expiration time' claim ('exp') is too far in the future");
  return { kind: "app", app };
}

function parseClaims(claims: string): { iss: unknown; iat: number; exp: number } | null {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(claims, "base64url").toString());
    if (typeof parsed !== "object" || parsed === null) return null;
    const { iss, iat, exp } = parsed as Record<string, unknown>;
    return typeof iat === "number" && typeof exp === "number" ? { iss, iat, exp } : null;
  } catch {
    return null;
  }
}

function identifyToken(world: World, secret: string): Caller | Refusal {
  const token = world.tokens.get(secret);
  if (!token) return refuse("Bad credentials");
  if (token.kind === "user") {
    if (token.expiresAt !== undefined && token.expiresAt < Date.now()) return refuse("Bad credentials");
    return { kind: "user", user: token.user, ...(token.app ? { app: token.app } : {}) };
  }
  const { installation, permissions, repositoryIds } = token;
  if (token.expiresAt < Date.now() || !world.installations.includes(installation)) return refuse("Bad credentials");
  if (installation.suspendedAt)
    return { kind: "refused", status: 403, message: "This installation has been suspended" };
  const { app } = installation;
  return { kind: "installation", user: app.bot, app, installation, permissions, repositoryIds };
}

function refuse(message: string): Refusal {
  return { kind: "refused", status: 401, message };
}
