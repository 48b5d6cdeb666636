// What people let an App do for them: codes of the browser, tokens, and their end.
import { createHash, randomBytes } from "node:crypto";
import type { Account, App, SignInCode } from "../records.ts";
import { userShape } from "../shapes/account.ts";
import { deliver } from "../webhooks/deliver.ts";
import type { World } from "../world.ts";

const CODE_LIFETIME_MS = 10 * 60 * 1000;
const TOKEN_LIFETIME_SECONDS = 8 * 60 * 60;
const REFRESH_LIFETIME_SECONDS = 15_897_600;

export function grantCode(world: World, agreed: Omit<SignInCode, "until">): string {
  const code = randomBytes(10).toString("hex");
  world.signInCodes.set(code, { ...agreed, until: Date.now() + CODE_LIFETIME_MS });
  return code;
}

export interface CodeExchange {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly code?: string;
  readonly redirect_uri?: string;
  readonly code_verifier?: string;
}

/** What GitHub answers, always with status 200.
 * https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors */
export function exchangeCode(world: World, asked: CodeExchange): Record<string, string | number> {
  const app = world.apps.find((each) => each.clientId === asked.client_id);
  if (!app?.clientSecret || app.clientSecret !== asked.client_secret)
    return refuse("incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect.");
  const code = asked.code ?? "";
  const granted = world.signInCodes.get(code);
  const isGood = granted?.app === app && granted.until > Date.now() && provesItself(granted, asked.code_verifier);
  if (!isGood) return refuse("bad_verification_code", "The code passed is incorrect or expired.");
  if (asked.redirect_uri !== undefined && asked.redirect_uri !== granted.redirectUri)
    return refuse(
      "redirect_uri_mismatch",
      "The redirect_uri MUST match the registered callback URL for this application.",
    );
  world.signInCodes.delete(code);
  const token = `ghu_${randomBytes(18).toString("hex")}`;
  const expiresAt = Date.now() + TOKEN_LIFETIME_SECONDS * 1000;
  world.tokens.set(token, { kind: "user", user: granted.user, app, expiresAt });
  return {
    access_token: token,
    expires_in: TOKEN_LIFETIME_SECONDS,
    refresh_token: `ghr_${randomBytes(38).toString("hex")}`,
    refresh_token_expires_in: REFRESH_LIFETIME_SECONDS,
    token_type: "bearer",
    scope: "",
  };
}

function provesItself({ challenge }: SignInCode, verifier = ""): boolean {
  return challenge === null || createHash("sha256").update(verifier).digest("base64url") === challenge;
}

function refuse(error: string, description: string) {
  const page =
    "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/";
  return { error, error_description: description, error_uri: `${page}#${error.replaceAll("_", "-")}` };
}

/** The App hears of it whatever it subscribed to. */
export function revoke(world: World, app: App, user: Account): void {
  for (const [secret, token] of world.tokens)
    if (token.kind === "user" && token.app === app && token.user === user) world.tokens.delete(secret);
  const payload = { action: "revoked", sender: userShape(world, user) };
  deliver(world, { app, event: "github_app_authorization", payload, installationId: null, repositoryId: null });
}
