export const PUBLIC_ADDRESS = "https://<host> without a path (http only on localhost or 127.0.0.1)";

/** Whether people can be told to reach Forge there: browsers keep a sign-in safe over https, or on this machine. */
export function isPublicAddress(url: URL): boolean {
  const { protocol, pathname, search, hash, username } = url;
  const isBare = pathname === "/" && search === "" && hash === "" && username === "";
  return isBare && (protocol === "https:" || (protocol === "http:" && isLoopback(url)));
}

/** Whether only this machine can reach it. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}
