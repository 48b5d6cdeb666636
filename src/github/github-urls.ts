export interface GitHubUrls {
  /** Of REST, without a slash at its end. */
  readonly apiUrl: string;
  /** Of pages and of git, likewise. */
  readonly origin: string;
  readonly allowHttp: boolean;
}

/**
 * Where a GitHub is: github.com without a host; a tenant of ghe.com, whose API has a name of its own; or an Enterprise server. Any letter case.
 */
export function githubUrls(host: string | undefined, protocol: "http" | "https" = "https"): GitHubUrls {
  const name = host?.toLowerCase() ?? "github.com";
  const origin = `${protocol}://${name}`;
  if (name === "github.com" || /^[a-z0-9-]+\.ghe\.com$/.test(name)) {
    return { apiUrl: `https://api.${name}`, origin: `https://${name}`, allowHttp: false };
  }
  return { apiUrl: `${origin}/api/v3`, origin, allowHttp: protocol === "http" };
}
