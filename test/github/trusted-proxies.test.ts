import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { clientOf, NO_PROXIES, readTrustedProxies } from "../../src/github/intake/trusted-proxies.ts";

const proxies = readTrustedProxies("127.0.0.1, 10.0.0.0/8,fd00::/8")!;
const asked = (remoteAddress: string | undefined, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage;

describe("the proxies whose word counts (SEC-9, CONF-2)", () => {
  it.each([
    ["127.0.0.1", true],
    ["::ffff:127.0.0.1", true],
    ["10.200.3.4", true],
    ["fd12::1", true],
    ["127.0.0.2", false],
    ["2001:db8::1", false],
    ["", false],
    ["proxy", false],
  ])("%s: %s", (address, expected) => {
    expect(proxies.trusts(address)).toBe(expected);
  });

  it.each([
    "proxy.example",
    "10.0.0.0/33",
    "10.0.0.0/",
    "fd00::/129",
    "10.0.0.0/8/8",
    "127.0.0.1,",
    "fe80::1%eth0",
    "10.0.0",
  ])("%s is neither an address nor a range", (list) => {
    expect(readTrustedProxies(list)).toBeUndefined();
  });

  it.each([
    ["the rightmost address that no trusted proxy has", "198.51.100.1, 203.0.113.7, 10.1.1.1", "203.0.113.7"],
    ["an address of IPv4 written as one of IPv6", "::ffff:203.0.113.7", "203.0.113.7"],
    ["an address of IPv6 by its network", "2001:db8:0:7::1", "2001:db8:0:7"],
    ["the same network", "2001:DB8:0:7:ffff::9", "2001:db8:0:7"],
    ["a short address of IPv6", "2001:db8::9", "2001:db8:0:0"],
  ])("a trusted proxy names the client: %s", (_, forwarded, client) => {
    expect(clientOf(asked("127.0.0.1", forwarded), proxies)).toBe(client);
  });

  it("elsewhere the connection is the client", () => {
    const direct = asked("203.0.113.7", "198.51.100.1");
    const odd = asked("127.0.0.1", "198.51.100.1, nonsense");
    const unnamed = asked("127.0.0.1");
    for (const request of [direct, odd, unnamed]) expect(clientOf(request, proxies)).toBe(request.socket);
    const local = asked("127.0.0.1", "198.51.100.1");
    expect(clientOf(local, NO_PROXIES)).toBe(local.socket);
  });
});
