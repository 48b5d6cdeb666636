import { AI_SERVICES } from "./ai-services.ts";
import { APPLICATIONS } from "./applications.ts";
import { CLOUDS } from "./clouds.ts";
import { CODE_HOSTS } from "./code-hosts.ts";
import { MESSAGING } from "./messaging.ts";
import { MONITORING } from "./monitoring.ts";
import { PAYMENTS } from "./payments.ts";
import type { SecretFormat } from "./secret-format.ts";
import { STRUCTURES } from "./structures.ts";
import { VAULTS } from "./vaults.ts";

/** Everything that is known by what it looks like, for the scanner and for redaction; the first to match a place names it. */
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
