import { nearest } from "./nearest.ts";

/**
 * The name that was probably meant: written another way (`maxComments`), with a part left out or added (`environment` for
 * `github_environment`), or mistyped.
 */
export function nearestSetting(key: string, names: readonly string[]): string | undefined {
  const written = key
    .slice(0, 60)
    .replace(/[a-z](?=[A-Z])/g, "$&_")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
  if (names.includes(written)) return written;
  const alike = nearest(written, names, Math.min(3, Math.floor(written.length / 2)));
  if (alike !== undefined) return alike;
  const parts = (name: string) => `_${name}_`;
  const within = names.filter((name) => parts(name).includes(parts(written)) || parts(written).includes(parts(name)));
  return within.length === 1 ? within[0] : undefined;
}
