import type { Setting } from "../row.ts";

const UNCHECKED: Setting["words"] = {
  what: "The certificate of the other side is not checked.",
  attack: "An attacker on the network can put a program of their own into the image.",
  mend: "Check it; copy the certificate of an own authority into the image and name that.",
};
const SECRET_NAME = String.raw`(?:\w+_)?(?:PASSWORD|PASSWD|SECRET(?:_KEY)?|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS)`;

/**
 * Of Dockerfiles, as `read-dockerfile.ts` gives them: argument 0 is the text of the instruction, of a command or of a pair. Secrets that are
 * written there are found as secrets, and what is downloaded and run as it is among the commands.
 */
export const DOCKER_SETTINGS: readonly Setting[] = [
  {
    id: "docker/unchecked-certificate",
    title: "Certificate verification disabled",
    cwe: 295,
    severity: "warning",
    calls: "RUN",
    when: {
      argument: 0,
      is: [
        /\bcurl\s(?:[^|]*\s)?(?:-(?!-)[a-zA-Z]*k[a-zA-Z]*|--insecure)(?:\s|$)/,
        /\bwget\s[^|]*--no-check-certificate\b/,
        /(?:\s--trusted-host[\s=]|\btrusted-host\s+\S)/,
        /\bstrict-ssl[\s=]+false\b/,
        /\bssl_?verify[\s=]+["']?(?:false|0)\b/i,
        /\b(?:GIT_SSL_NO_VERIFY=["']?(?:1|true)|NODE_TLS_REJECT_UNAUTHORIZED=["']?0|PYTHONHTTPSVERIFY=["']?0)\b/,
        /\bVerify-Peer[\s=]+\\?["']?false\b/i,
        /\s--insecure-skip-tls-verify\b/,
      ],
    },
    unless: { argument: 0, is: [/https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])/] },
    wrong: `FROM debian:bookworm
RUN curl -fsSLk https://example.com/tool.tar.gz -o /opt/tool.tar.gz`,
    right: `FROM debian:bookworm
RUN curl -fsSL --cacert /etc/ssl/own-ca.pem https://example.com/tool.tar.gz -o /opt/tool.tar.gz`,
    words: UNCHECKED,
  },
  {
    id: "docker/unchecked-certificate",
    title: "Certificate verification disabled",
    cwe: 295,
    severity: "warning",
    calls: "ENV ARG",
    when: {
      argument: 0,
      is: [
        /^(?:NODE_TLS_REJECT_UNAUTHORIZED|PYTHONHTTPSVERIFY)[= ]["']?0["']?$/,
        /^GIT_SSL_NO_VERIFY[= ]["']?(?:1|true)["']?$/i,
        /^NPM_CONFIG_STRICT_SSL[= ]["']?false["']?$/i,
        /^PIP_TRUSTED_HOST[= ]["']?[^\s"']/i,
      ],
    },
    wrong: `FROM node:22
ENV NODE_TLS_REJECT_UNAUTHORIZED=0`,
    right: `FROM node:22
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/own-ca.pem`,
    words: UNCHECKED,
  },
  {
    id: "docker/unsigned-packages",
    title: "Unsigned packages allowed",
    cwe: 347,
    severity: "warning",
    calls: "RUN",
    when: {
      argument: 0,
      is: [
        /\bapt(?:-get)?\s[^|]*--(?:allow-unauthenticated|force-yes|allow-insecure-repositories)\b/,
        /\bapk\s[^|]*--allow-untrusted\b/,
        /\b(?:yum|dnf|microdnf|zypper|rpm)\s[^|]*--(?:nogpgcheck|no-gpg-checks|nosignature)\b/,
        /\bdeb\s+\[[^\]]*\btrusted=yes\b/,
        /\bgpgcheck\s*=\s*0\b/,
      ],
    },
    wrong: `FROM debian:bookworm
RUN apt-get update && apt-get install -y --allow-unauthenticated tool`,
    right: `FROM debian:bookworm
RUN apt-get update && apt-get install -y --no-install-recommends tool`,
    words: {
      what: "Packages are installed without a check of who signed them.",
      attack: "A malicious mirror, or an attacker between you and it, can put a program into the image.",
      mend: "Leave it out, and name the key of the source (`signed-by`).",
    },
  },
  {
    id: "docker/plain-download",
    title: "Unverified download over HTTP",
    cwe: 494,
    severity: "warning",
    calls: "ADD",
    when: { argument: 0, is: [/^(?:--\S+ )*http:\/\/(?!localhost|127\.)/] },
    unless: { argument: 0, is: [/^(?:--\S+ )*--checksum=/] },
    wrong: `FROM debian:bookworm
ADD http://example.com/tool /usr/local/bin/tool`,
    right: `FROM debian:bookworm
ADD --checksum=sha256:24454f830cdb571e2c4ad15481119c43b3cafd48dd869a9b2945d1036d1dc68d https://example.com/tool /usr/local/bin/tool`,
    words: {
      what: "This file comes over plain HTTP, and nothing says what it has to be.",
      attack: "An attacker on the network can put a file of their own into the image.",
      mend: "Use `https:` and say its sum with `--checksum`.",
    },
  },
  {
    id: "docker/plain-fetch",
    title: "Unverified download over HTTP",
    cwe: 319,
    severity: "info",
    calls: "RUN",
    when: {
      argument: 0,
      is: [/\b(?:curl|wget)\s[^|]*\bhttp:\/\/(?!localhost|127\.|0\.0\.0\.0|\[::1\]|169\.254|[\w-]+(?:[:/]|$))/],
    },
    unless: { file: /\bsha\d+sum\b|\bshasum\b|\bgpgv?\b[^\n]*--verify/ },
    wrong: `FROM debian:bookworm
RUN wget -q http://example.com/data.tar.gz -O /opt/data.tar.gz`,
    right: `FROM debian:bookworm
RUN wget -q https://example.com/data.tar.gz -O /opt/data.tar.gz`,
    words: {
      what: "This is fetched without encryption, and its sum is not checked.",
      attack: "An attacker on the network can put something of their own into the image.",
      mend: "Use `https:`, or check its sum.",
    },
  },
  {
    id: "docker/root-again",
    title: "Container runs as root",
    cwe: 250,
    severity: "warning",
    calls: "USER",
    when: {
      all: [
        { argument: 0, is: [/^(?:root|0)(?::\S+)?$/] },
        { argument: 1, option: "after", isNot: [/^(?:root|0)(?::\S+)?$/] },
      ],
    },
    unless: { file: /\b(?:gosu|su-exec|setpriv|runuser|chpst|setuidgid|s6-setuidgid|s6-overlay|fixuid)\b/ },
    confidence: 0.7,
    wrong: `FROM node:22
USER node
RUN npm ci
USER root
CMD ["node", "server.js"]`,
    right: `FROM node:22
USER root
RUN npm ci
USER node
CMD ["node", "server.js"]`,
    words: {
      what: "The image runs as root, though another user was set before.",
      attack: "One fault in the program gives all of the container, and a step out of it is shorter.",
      mend: "Let `USER` with the user of the program be the last one.",
    },
  },
  {
    id: "docker/writable-by-all",
    title: "World-writable files",
    cwe: 732,
    severity: "warning",
    calls: "RUN COPY ADD",
    when: {
      argument: 0,
      is: [
        /\bchmod\s+(?:-\S+\s+)*(?:0?777|(?:a|ugo)[+=]rwx|o[+=][rx]*w[rx]*)(?=\s)/,
        /^(?:--\S+ )*--chmod=(?:0?777|(?:a|ugo)[+=]rwx)(?=\s)/,
      ],
    },
    unless: { argument: 0, is: [/\bchmod\s+(?:-\S+\s+)*\S+\s+\/(?:var\/)?tmp\/?$/] },
    wrong: `FROM node:22
RUN chmod -R 777 /app`,
    right: `FROM node:22
RUN chown -R node:node /app/cache && chmod 750 /app/cache`,
    words: {
      what: "Anyone in the container can change this.",
      attack: "An attacker who gets in by one program replaces another, which runs with more rights.",
      mend: "Give it to the user who writes it (`chown`), and the others no more than they need (`755`).",
    },
  },
  {
    id: "docker/known-password",
    title: "Hard-coded password",
    cwe: 798,
    severity: "warning",
    calls: "RUN",
    when: {
      argument: 0,
      is: [
        /\b(?:echo|printf)\s+(?:-\w+\s+)*["']?[\w.-]+:(?![$*!"'\s])[^\s"'$|]+["']?\s*\|\s*(?:sudo\s+)?chpasswd(?!\s+-e)/,
        /\b(?:echo|printf)\s+(?:-\w+\s+)*["']?(?!\$)[^\s"'$|]+["']?\s*\|\s*(?:sudo\s+)?passwd\s+--stdin/,
        /\bsshpass\s+-p\s*["']?(?![$"'\s])\S/,
        /\b(?:useradd|usermod)\s[^|]*\s(?:-p|--password)[\s=]+["']?(?![$!*"'\s])[^\s"'$]{3,}/,
      ],
    },
    wrong: `FROM debian:bookworm
RUN echo "root:letmein" | chpasswd`,
    right: `FROM debian:bookworm
RUN passwd -l root`,
    words: {
      what: "The password of an account is written in the Dockerfile.",
      attack: "Anyone who reads it, or has the image, can sign in wherever it runs.",
      mend: "Leave the account without a password, or set it where the container starts.",
    },
  },
  {
    id: "docker/root-login",
    title: "Root login allowed",
    cwe: 250,
    severity: "warning",
    calls: "RUN",
    when: {
      argument: 0,
      is: [
        /\bPermitRootLogin[\s=]+yes\b(?![^|]*PermitRootLogin)/,
        /\bPermitEmptyPasswords[\s=]+yes\b(?![^|]*PermitEmptyPasswords)/,
      ],
    },
    wrong: `FROM debian:bookworm
RUN echo "PermitRootLogin yes" >> /etc/ssh/sshd_config`,
    right: `FROM debian:bookworm
RUN echo "PermitRootLogin no" >> /etc/ssh/sshd_config`,
    words: {
      what: "Root, or an account without a password, signs in from the network.",
      attack: "Anyone can try passwords until one works.",
      mend: "Say `no`, and let people sign in by a key and as themselves.",
    },
  },
  {
    id: "docker/privileged-step",
    title: "Privileged build step",
    cwe: 250,
    severity: "warning",
    calls: "RUN",
    when: {
      argument: 0,
      is: [/^(?:--\S+ )*--security=insecure\b/, /\bdocker\s+(?:container\s+)?run\s[^|]*--privileged\b/],
    },
    wrong: `FROM debian:bookworm
RUN --security=insecure make install`,
    right: `FROM debian:bookworm
RUN --mount=type=cache,target=/root/.cache make install`,
    words: {
      what: "This step runs without the walls of a container.",
      attack: "What it runs, a package among it, changes the machine that builds.",
      mend: "Leave it out, or give it the one right that it needs.",
    },
  },
  {
    id: "docker/secret-argument",
    title: "Secret in a build argument",
    cwe: 538,
    severity: "info",
    calls: "ARG",
    when: { argument: 0, is: [new RegExp(`^${SECRET_NAME}(?:=["']{0,2})?$`, "i")] },
    wrong: `FROM node:22
ARG NPM_TOKEN
RUN npm ci`,
    right: `FROM node:22
ARG BUILD_NUMBER
RUN --mount=type=secret,id=npm_token npm ci`,
    words: {
      what: "What is given to the build stays in the history of the image.",
      attack: "Anyone with the image can read it there.",
      mend: "Hand it over with `RUN --mount=type=secret`.",
    },
  },
  {
    id: "docker/secret-environment",
    title: "Secret in an environment variable of the image",
    cwe: 538,
    severity: "warning",
    calls: "ENV",
    when: { argument: 0, is: [new RegExp(String.raw`^${SECRET_NAME}[= ]["']?\$\{?\w+\}?["']?$`, "i")] },
    wrong: `FROM node:22
ARG NPM_TOKEN
ENV NPM_TOKEN=$NPM_TOKEN`,
    right: `FROM node:22
ENV NPM_TOKEN_FILE=/run/secrets/npm_token`,
    words: {
      what: "A secret of the build becomes part of the image.",
      attack: "Anyone with the image, or a shell in the container, can read it.",
      mend: "Hand it over with `RUN --mount=type=secret`, or where the container starts.",
    },
  },
  {
    id: "docker/copied-secret",
    title: "Private key copied into the image",
    cwe: 538,
    severity: "warning",
    calls: "COPY ADD",
    when: {
      argument: 0,
      is: [
        /^(?:--(?!from=)\S+ )*(?:(?!--)\S+ )*?(?:\S*\/)?(?:id_(?:rsa|dsa|ecdsa|ed25519)|\.git-credentials|\.netrc|\.pgpass|\.aws\/credentials|\.kube\/config|[\w.-]+\.(?:p12|pfx))(?= \S)/,
      ],
    },
    wrong: `FROM node:22
COPY id_rsa /root/.ssh/id_rsa`,
    right: `FROM node:22
COPY id_ed25519.pub /root/.ssh/authorized_keys`,
    words: {
      what: "A key becomes part of the image.",
      attack: "Anyone with the image has the key, even if a later step removes it.",
      mend: "Hand it over for one step, with `RUN --mount=type=ssh` or `--mount=type=secret`.",
    },
  },
];
