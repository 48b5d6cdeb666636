import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** The proxies whose word on the address of a client counts. */
export interface TrustedProxies {
  trusts(address: string): boolean;
}

export const NO_PROXIES: TrustedProxies = { trusts: () => false };

/** Reads addresses and ranges (`10.0.0.0/8`, `fd00::/8`) with commas between; undefined if one of them is neither. */
export function readTrustedProxies(list: string): TrustedProxies | undefined {
  const trusted = new BlockList();
  for (const entry of list.split(",").map((each) => each.trim())) {
    const [address = "", length, ...more] = entry.split("/");
    const version = isIP(address);
    const longest = version === 6 ? 128 : 32;
    if (version === 0 || address.includes("%") || more.length > 0) return undefined;
    if (length !== undefined && !(/^\d{1,3}$/.test(length) && Number(length) <= longest)) return undefined;
    trusted.addSubnet(address, Number(length ?? longest), version === 6 ? "ipv6" : "ipv4");
  }
  return {
    trusts: (written) => {
      const address = plain(written);
      return isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
    },
  };
}

/**
 * Who sends a request: the address that a trusted proxy names, else the connection itself. Of `X-Forwarded-For` only the rightmost
 * address counts that is no trusted proxy's, as everything to the left of it may be invented. IPv6 addresses count by their first 64 bits,
 * which is what one customer has.
 */
export function clientOf({ socket, headers }: IncomingMessage, proxies: TrustedProxies): unknown {
  if (!proxies.trusts(socket.remoteAddress ?? "")) return socket;
  const forwarded = headers["x-forwarded-for"];
  const addresses = (typeof forwarded === "string" ? forwarded : "").split(",").map((each) => plain(each.trim()));
  const client = addresses.findLast((address) => !proxies.trusts(address));
  return client === undefined || isIP(client) === 0 ? socket : networkOf(client);
}

function plain(address: string): string {
  return address.toLowerCase().startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

function networkOf(address: string): string {
  if (isIP(address) === 4) return address;
  const [before = "", after] = address.toLowerCase().split("%", 1)[0]!.split("::");
  const left = before.split(":").filter((part) => part !== "");
  const right = (after ?? "").split(":").filter((part) => part !== "");
  const missing = after === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const all = [...left, ...Array<string>(missing).fill("0"), ...right];
  return all
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(":");
}
