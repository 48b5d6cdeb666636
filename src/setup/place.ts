import { isLoopback, isPublicAddress, PUBLIC_ADDRESS } from "../domain/public-address.ts";
import { type GitHubUrls, githubUrls } from "../github/github-urls.ts";

/** Where an App is registered, and where GitHub will reach it. */
export interface Place {
  /** The name of an Enterprise server or a tenant, as in GHE_HOST; undefined for github.com. */
  readonly host: string | undefined;
  readonly protocol: "http" | "https";
  /** Empty for the account of whoever registers it. */
  readonly organization: string;
  /** At which GitHub and people reach Forge, without a slash at its end. */
  readonly address: string;
  /** Where webhooks are sent to instead, to be forwarded. */
  readonly forwarder?: string;
}

/** What is known before anybody is asked. */
export interface Known {
  readonly host: string | undefined;
  readonly protocol: "http" | "https";
  readonly address: string | undefined;
  readonly forwarder: string | undefined;
}

export function urlsOf({ host, protocol }: Pick<Place, "host" | "protocol">): GitHubUrls {
  return githubUrls(host, protocol);
}

/** What a person wrote into the form, over what is known; each problem is a sentence of its own. */
export function readPlace(
  asked: URLSearchParams,
  known: Known,
  ownAddress: string,
): { readonly place: Place; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const github = field(asked, "github");
  let { host, protocol } = known;
  if (github !== "" && known.host === undefined) {
    const url = URL.parse(github.includes("://") ? github : `https://${github}`);
    const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.hostname !== "";
    if (isPlain) {
      protocol = url.protocol === "http:" ? "http" : "https";
      host = url.host === "github.com" ? undefined : url.host;
    } else problems.push("The address of GitHub is not an address: write it as github.example.com.");
  }
  const organization = field(asked, "organization");
  if (!/^[A-Za-z0-9_-]{0,100}$/.test(organization))
    problems.push("The organization is written as in its address, with letters, digits and hyphens only.");
  const written = field(asked, "address") || known.address || ownAddress;
  const url = URL.parse(written);
  const isOwn = url !== null && isPublicAddress(url);
  const gitHubIsNear = isLoopback(new URL(urlsOf({ host, protocol }).origin));
  if (!isOwn) problems.push(`The address of Forge is ${PUBLIC_ADDRESS}.`);
  else if (isLoopback(url) && known.forwarder === undefined && !gitHubIsNear)
    problems.push(
      "GitHub cannot reach this machine at a loopback address: write the address that your reverse proxy has, or set WEBHOOK_PROXY_URL to a channel of smee.io and start again.",
    );
  const address = isOwn ? url.origin : written;
  const forwarder = known.forwarder === undefined ? {} : { forwarder: known.forwarder };
  return { place: { host, protocol, organization, address, ...forwarder }, problems };
}

function field(asked: URLSearchParams, name: string): string {
  return (asked.get(name) ?? "").trim();
}
