import type { SecretKind } from "../../safety/secrets/secret-format.ts";

export const SENSITIVE_FILE_KIND: SecretKind = {
  rule: "sensitive-file",
  what: "a file that is made to hold secrets",
  confidence: 0.7,
  sure: false,
  mildInTests: true,
};

/** Names of files that hold keys, passwords or sessions and nothing else, with what they are. */
const NAMES: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/, "a private SSH key"],
  [/\.ppk$/, "a PuTTY private key"],
  [/\.(?:p12|pfx|pkcs12)$/i, "a certificate with its private key"],
  [/\.(?:jks|keystore|bks)$/, "a store of keys"],
  [/\.(?:kdbx?|agilekeychain|1pif|opvault)$/, "a store of passwords"],
  [
    /^(?:\.netrc|_netrc|\.pgpass|\.my\.cnf|\.s3cfg|\.boto|\.dockercfg|\.htpasswd|\.git-credentials)$/,
    "a file of passwords",
  ],
  [
    /^(?:credentials|service[-_]?account(?:[-_]?key)?|client_secrets?(?:_[\w.-]+)?|google-credentials|gcp-key)\.json$/,
    "a file of credentials",
  ],
  [/^\.env(?:\.(?:local|prod|production|staging|live))?$/, "a file of environment variables"],
  [/\.tfstate(?:\.backup)?$/, "a Terraform state, which holds every secret of what it built"],
  [/\.(?:ovpn)$/, "a VPN profile"],
  [/^(?:\.bash_history|\.zsh_history|\.psql_history|\.mysql_history)$/, "a history of commands"],
  [/^(?:kubeconfig|kube\.config)(?:\.ya?ml)?$/, "a cluster's credentials"],
  [/^(?:master|production)\.key$/, "the key of encrypted credentials"],
];

/** Stores of keys and passwords are not text: nothing can be read in them, and they are what they are called. */
const STORE = /\.(?:p12|pfx|pkcs12|jks|keystore|bks|kdbx?)$/i;

/** What a file by this path is made to hold, when that is secrets. */
export function sensitiveFile(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return NAMES.find(([pattern]) => pattern.test(name))?.[1];
}

/** Whether a file by such a name holds anything; one of environment variables, whether any of them has a value worth keeping. */
export function holdsValues(path: string, text: string): boolean {
  if (STORE.test(path)) return true;
  if (!/(?:^|\/)\.env[^/]*$/.test(path)) return text.trim() !== "";
  return /^\s{0,8}(?:export )?\w{0,100}(?:SECRET|TOKEN|PASS|KEY|PWD|CREDENTIAL|DSN|AUTH)\w{0,100}=(?!["']?(?:$|\$|<|your|change|xxx|example))["']?\S{6}/im.test(
    text,
  );
}
