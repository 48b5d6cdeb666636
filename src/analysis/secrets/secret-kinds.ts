import { KUBERNETES_SECRET } from "../../safety/secrets/kubernetes-secrets.ts";
import type { SecretKind } from "../../safety/secrets/secret-format.ts";
import { SECRET_FORMATS } from "../../safety/secrets/secret-formats.ts";
import { SERVICE_SECRETS } from "../../safety/secrets/service-secrets.ts";
import { NAMED_KINDS } from "./named-secrets.ts";
import { SENSITIVE_FILE_KIND } from "./sensitive-files.ts";

/** Every kind by its rule. */
export const SECRET_KINDS: ReadonlyMap<string, SecretKind> = new Map(
  [...SECRET_FORMATS, ...SERVICE_SECRETS, ...NAMED_KINDS, KUBERNETES_SECRET, SENSITIVE_FILE_KIND].map((kind) => [
    kind.rule,
    kind,
  ]),
);
