import { SECRET_FORMATS } from "../../src/safety/secrets/secret-formats.ts";
import { SERVICE_SECRETS } from "../../src/safety/secrets/service-secrets.ts";

/** Patterns that a file puts together while it is loaded: they are as constant as literals, and judged like them. */
export const BUILT: readonly { readonly file: string; readonly patterns: () => readonly RegExp[] }[] = [
  {
    file: "src/safety/secrets/secret-formats.ts",
    patterns: () => SECRET_FORMATS.map(({ pattern }) => pattern),
  },
  {
    file: "src/safety/secrets/service-secrets.ts",
    patterns: () => SERVICE_SECRETS.flatMap(({ service, shape }) => [service, shape]),
  },
];
