import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

export interface Cookie {
  read(call: Context): string | undefined;
  write(call: Context, value: string, seconds: number): void;
  remove(call: Context): void;
}

/**
 * A cookie for this host alone. Where people come by http, which only this machine may, browsers take no `__Host-` name.
 * Lax: a strict one would not come along on the way back from GitHub.
 */
export function createCookie(url: string, name: "forge" | "forge-sign-in"): Cookie {
  const secure = url.startsWith("https:");
  const full = secure ? `__Host-${name}` : name;
  const options = { path: "/", secure, httpOnly: true, sameSite: "Lax" } as const;
  return {
    read: (call) => getCookie(call, full),
    write: (call, value, seconds) => setCookie(call, full, value, { ...options, maxAge: seconds }),
    remove: (call) => void deleteCookie(call, full, options),
  };
}
