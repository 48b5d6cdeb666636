import { AI_SERVICES } from "./ai-services.ts";
import { APPLICATIONS } from "./applications.ts";
import { CLOUDS } from "./clouds.ts";
import { CODE_HOSTS } from "./code-hosts.ts";
import { KUBERNETES_SECRET } from "./kubernetes-secrets.ts";
import { MESSAGING } from "./messaging.ts";
import { MONITORING } from "./monitoring.ts";
import { NAMED_KINDS } from "./named-secrets.ts";
import { PAYMENTS } from "./payments.ts";
import type { SecretFormat, SecretKind } from "./secret-format.ts";
import { SENSITIVE_FILE_KIND } from "./sensitive-files.ts";
import { SERVICE_SECRETS } from "./service-secrets.ts";
import { STRUCTURES } from "./structures.ts";
import { VAULTS } from "./vaults.ts";

/** Everything that is known by what it looks like; the first to match a place names it. */
export const SECRET_FORMATS: readonly SecretFormat[] = [
  ...CODE_HOSTS,
  ...CLOUDS,
  ...VAULTS,
  ...AI_SERVICES,
  ...PAYMENTS,
  ...MESSAGING,
  ...MONITORING,
  ...APPLICATIONS,
  ...STRUCTURES,
];

/** Every kind by its rule. */
export const SECRET_KINDS: ReadonlyMap<string, SecretKind> = new Map(
  [...SECRET_FORMATS, ...SERVICE_SECRETS, ...NAMED_KINDS, KUBERNETES_SECRET, SENSITIVE_FILE_KIND].map((kind) => [
    kind.rule,
    kind,
  ]),
);
