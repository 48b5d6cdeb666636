import { type SecretFormat, token } from "./secret-format.ts";

/** Keepers of secrets and of identities. */
export const VAULTS: readonly SecretFormat[] = [
  token("vault-token", "a HashiCorp Vault token", ["hvs.", "hvb.", "hvr."], "hv[sbr]\\.[\\w-]{24,300}"),
  token("doppler-token", "a Doppler token", "dp.", "dp\\.(?:pt|st|sa|ct|scim|audit)\\.[\\w.-]{40,70}"),
  token("infisical-token", "an Infisical token", "st.", "st\\.[a-f0-9]{24}\\.[a-f0-9]{32}\\.[a-f0-9]{32}"),
  token("onepassword-token", "a 1Password service account token", "ops_eyJ", "ops_eyJ[A-Za-z0-9+/=_-]{200,2000}"),
  token(
    "onepassword-secret-key",
    "a 1Password secret key",
    "A3-",
    "A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
  ),
  token("age-key", "an age key", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
  token(
    "authress-key",
    "an Authress key",
    ".acc",
    "(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[A-Za-z0-9+/_=-]{30,120}",
    { inside: 56 },
  ),
  token("stytch-secret", "a Stytch secret", "secret-", "secret-(?:live|test)-[\\w=-]{36}"),
  token("keygen-token", "a Keygen token", "prod-", "prod-[a-f0-9]{60,70}v3", { confidence: 0.85 }),
  token("intra42-secret", "a 42 API secret", "s-s4t2", "s-s4t2(?:ud|af)-[a-f0-9]{64}"),
  token("settlemint-token", "a SettleMint token", "sm_", "sm_(?:aat|pat|sat)_[A-Za-z0-9]{16}"),
];
