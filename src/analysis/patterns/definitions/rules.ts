import type { RuleTables } from "../find-patterns.ts";
import type { Setting } from "../row.ts";

const UNCHECKED: Setting["words"] = {
  what: "The certificate of the other side is not checked.",
  attack: "Anybody on the way puts a program of their own into the image.",
  mend: "Check it; copy the certificate of an own authority into the image and name that.",
};
const SECRET_NAME = String.raw`(?:\w+_)?(?:PASSWORD|PASSWD|SECRET(?:_KEY)?|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS)`;

/**
 * Of Dockerfiles, as `read-dockerfile.ts` gives them: argument 0 is the text of the instruction, of a command or of a pair. Secrets that are
 * written there are found as secrets, and what is downloaded and run as it is among the commands.
 */
const DOCKER_SETTINGS: readonly Setting[] = [
  {
    id: "docker/unchecked-certificate",
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
      what: "Packages are installed whoever signed them.",
      attack: "A mirror, or somebody on the way to it, puts a program of their own into the image.",
      mend: "Leave it out, and name the key of the source (`signed-by`).",
    },
  },
  {
    id: "docker/plain-download",
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
      attack: "Anybody on the way puts a file of their own into the image.",
      mend: "Use `https:` and say its sum with `--checksum`.",
    },
  },
  {
    id: "docker/plain-fetch",
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
      attack: "Anybody on the way puts something of their own into the image.",
      mend: "Use `https:`, or check its sum.",
    },
  },
  {
    id: "docker/root-again",
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
      what: "Everybody in the container may change this.",
      attack: "Whoever gets in by one program replaces another, which runs with more rights.",
      mend: "Give it to the user who writes it (`chown`), and the others no more than they need (`755`).",
    },
  },
  {
    id: "docker/known-password",
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
      what: "The password of an account stands in the Dockerfile.",
      attack: "Whoever reads it, or has the image, signs in wherever it runs.",
      mend: "Leave the account without a password, or set it where the container starts.",
    },
  },
  {
    id: "docker/root-login",
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
      attack: "Anybody tries passwords until the machine is theirs.",
      mend: "Say `no`, and let people sign in by a key and as themselves.",
    },
  },
  {
    id: "docker/privileged-step",
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
      attack: "Whoever has the image reads it there.",
      mend: "Hand it over with `RUN --mount=type=secret`.",
    },
  },
  {
    id: "docker/secret-environment",
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
      attack: "Whoever has the image, or a shell in the container, reads it.",
      mend: "Hand it over with `RUN --mount=type=secret`, or where the container starts.",
    },
  },
  {
    id: "docker/copied-secret",
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
      attack: "Whoever has the image has the key, even if a later step removes it.",
      mend: "Hand it over for one step, with `RUN --mount=type=ssh` or `--mount=type=secret`.",
    },
  },
];

const EVERYBODY: Setting["words"] = {
  what: "Everybody may read this bucket, or a rule may let them.",
  attack: "Whoever finds its name takes what is in it.",
  mend: "Keep it private, and give access by signed addresses or by the network of delivery.",
};

/** Of the Serverless Framework and CloudFormation: argument 0 is the value of a property, argument 1 the object around it. */
const SERVERLESS_SETTINGS: readonly Setting[] = [
  {
    id: "serverless/every-right",
    cwe: 250,
    severity: "warning",
    properties: "Action",
    when: {
      all: [
        { argument: 0, is: ["*", /^[\w-]+:\*$/] },
        { argument: 1, option: "Effect", is: ["Allow"] },
        { argument: 1, option: "Resource", is: ["*"] },
      ],
    },
    wrong: `provider:
  iam:
    role:
      statements:
        - Effect: Allow
          Action: "dynamodb:*"
          Resource: "*"`,
    right: `provider:
  iam:
    role:
      statements:
        - Effect: Allow
          Action: dynamodb:GetItem
          Resource: arn:aws:dynamodb:eu-central-1:1:table/orders`,
    words: {
      what: "This role may do everything, or all of a service, with everything.",
      attack: "One fault in a function opens the whole account.",
      mend: "Name the actions and the resources.",
    },
  },
  {
    id: "serverless/admin-policy",
    cwe: 250,
    severity: "warning",
    properties: "Policies ManagedPolicyArns managedPolicies iamManagedPolicies",
    when: { argument: 0, is: [/(?:^|\/)(?:AdministratorAccess|PowerUserAccess|IAMFullAccess)$/] },
    wrong: `provider:
  iam:
    role:
      managedPolicies:
        - arn:aws:iam::aws:policy/AdministratorAccess`,
    right: `provider:
  iam:
    role:
      managedPolicies:
        - arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole`,
    words: {
      what: "This role may do everything.",
      attack: "One fault in a function opens the whole account.",
      mend: "Name the actions and the resources.",
    },
  },
  {
    id: "serverless/any-principal",
    cwe: 284,
    severity: "warning",
    properties: "Principal",
    when: {
      all: [
        {
          any: [
            { argument: 0, is: ["*"] },
            { argument: 0, option: "AWS", is: ["*"] },
          ],
        },
        { argument: 1, option: "Effect", is: ["Allow"] },
        {
          argument: 1,
          option: "Action",
          is: [/\*$/, /:(?:Put|Delete|Create|Update|Send|Publish|Invoke|Receive|Assume)/i],
        },
        { not: { argument: 1, option: "Condition", present: true } },
      ],
    },
    wrong: `Statement:
  - Effect: Allow
    Principal: "*"
    Action: s3:PutObject
    Resource: arn:aws:s3:::files/*`,
    right: `Statement:
  - Effect: Allow
    Principal:
      Service: cloudfront.amazonaws.com
    Action: s3:GetObject
    Resource: arn:aws:s3:::files/*`,
    words: {
      what: "Everybody may do this.",
      attack: "Strangers write, delete or act as this role.",
      mend: "Name the service or the account, or add a `Condition`.",
    },
  },
  {
    id: "serverless/public-bucket",
    cwe: 732,
    severity: "warning",
    properties: "AccessControl",
    when: { argument: 0, is: [/^(?:PublicRead|PublicReadWrite|AuthenticatedRead)$/] },
    fix: { value: "Private" },
    wrong: `Type: AWS::S3::Bucket
Properties:
  AccessControl: PublicRead`,
    right: `Type: AWS::S3::Bucket
Properties:
  AccessControl: Private`,
    words: EVERYBODY,
  },
  {
    id: "serverless/public-bucket",
    cwe: 732,
    severity: "warning",
    properties: "BlockPublicAcls BlockPublicPolicy IgnorePublicAcls RestrictPublicBuckets",
    when: { argument: 0, is: [false] },
    fix: { value: "true" },
    wrong: `PublicAccessBlockConfiguration:
  BlockPublicPolicy: false`,
    right: `PublicAccessBlockConfiguration:
  BlockPublicPolicy: true`,
    words: EVERYBODY,
  },
  {
    id: "serverless/any-origin",
    cwe: 942,
    severity: "warning",
    properties: "origin origins allowedOrigins AllowOrigin AllowOrigins",
    when: {
      all: [
        { argument: 0, is: ["*", "'*'"] },
        {
          any: ["allowCredentials", "AllowCredentials"].map((option) => ({
            ...{ argument: 1, option, is: [true, "true", "'true'"] },
          })),
        },
      ],
    },
    wrong: `cors:
  origin: "*"
  allowCredentials: true`,
    right: `cors:
  origin: https://example.com
  allowCredentials: true`,
    words: {
      what: "Every site may read the answers, in the name of whoever is signed in.",
      attack: "A foreign page reads their data.",
      mend: "Name the origins that may.",
    },
  },
  {
    id: "serverless/open-answers",
    unlessSaid: "serverless/any-origin",
    cwe: 942,
    severity: "info",
    properties: "origin origins allowedOrigins AllowOrigin AllowOrigins",
    when: { argument: 0, is: ["*", "'*'"] },
    wrong: `cors:
  origin: "*"`,
    right: `cors:
  origin: https://example.com`,
    words: {
      what: "Every site may read the answers.",
      attack: "If an answer depends on the network or on who asks, other sites learn it.",
      mend: "Name the origins that may.",
    },
  },
  {
    id: "serverless/no-authorisation",
    cwe: 306,
    severity: "info",
    properties: "AuthType AuthorizationType authorizationType",
    when: { argument: 0, is: ["NONE"] },
    unless: { argument: 1, option: "HttpMethod", is: [/^options$/i] },
    wrong: `FunctionUrlConfig:
  AuthType: NONE`,
    right: `FunctionUrlConfig:
  AuthType: AWS_IAM`,
    words: {
      what: "Everybody may call this.",
      attack: "Nobody asks who is there.",
      mend: "Set a kind of authorisation, or say why none is needed.",
    },
  },
  {
    id: "serverless/left-out",
    cwe: 306,
    severity: "info",
    properties: "http httpApi",
    when: {
      all: [
        { argument: 0, option: "method", is: [/^(?:post|put|patch|delete)$/i] },
        { argument: 0, option: "authorizer", missing: true },
        { file: /^\s+authorizer\s*:/m },
      ],
    },
    unless: {
      any: [
        { argument: 0, option: "path", is: [/log-?in|sign-?(?:in|up)|regist|auth|token|hook|callback|public|health/i] },
        { argument: 0, option: "private", is: [true] },
      ],
    },
    confidence: 0.5,
    wrong: `functions:
  list:
    events:
      - http: { path: orders, method: get, authorizer: aws_iam }
  remove:
    events:
      - http: { path: orders, method: delete }
custom:
  authorizer: shared`,
    right: `functions:
  list:
    events:
      - http:
          path: orders
          method: get
          authorizer: aws_iam
  remove:
    events:
      - http:
          path: orders
          method: delete
          authorizer: aws_iam`,
    words: {
      what: "Its neighbours ask who is there, this function does not.",
      attack: "Anybody who knows the address changes what it changes.",
      mend: "Give it the same `authorizer`, or say why it needs none.",
    },
  },
  {
    id: "serverless/plain-storage",
    cwe: 311,
    severity: "warning",
    properties: "StorageEncrypted Encrypted SSEEnabled AtRestEncryptionEnabled",
    when: { argument: 0, is: [false] },
    fix: { value: "true" },
    wrong: `Type: AWS::RDS::DBInstance
Properties:
  StorageEncrypted: false`,
    right: `Type: AWS::RDS::DBInstance
Properties:
  StorageEncrypted: true`,
    words: {
      what: "What is stored is not encrypted.",
      attack: "Whoever gets the disk, or a copy of it, reads it.",
      mend: "Switch it on.",
    },
  },
  {
    id: "serverless/plain-transport",
    cwe: 319,
    severity: "warning",
    properties: "TransitEncryptionEnabled EnforceHTTPS RequireTLS ViewerProtocolPolicy",
    when: { argument: 0, is: [false, "allow-all"] },
    fix: { replace: [/^(["']?)allow-all\1$/, "redirect-to-https"] },
    wrong: `DefaultCacheBehavior:
  ViewerProtocolPolicy: allow-all`,
    right: `DefaultCacheBehavior:
  ViewerProtocolPolicy: redirect-to-https`,
    words: {
      what: "Data also goes without encryption.",
      attack: "Anybody on the way reads and changes it.",
      mend: "Ask for TLS.",
    },
  },
  {
    id: "serverless/old-protocol",
    cwe: 327,
    severity: "warning",
    properties: "MinimumProtocolVersion SecurityPolicy securityPolicy TLSSecurityPolicy SslPolicy minTlsVersion",
    when: {
      argument: 0,
      is: [
        /^(?:SSLv3|TLSv1(?:\.1)?(?:_2016)?|TLS_1_0|TLS_1_1|Policy-Min-TLS-1-0-2019-07|ELBSecurityPolicy-(?:2015-05|TLS-1-[01][\w-]*))$/i,
      ],
    },
    wrong: `customDomain:
  securityPolicy: tls_1_0`,
    right: `customDomain:
  securityPolicy: tls_1_2`,
    words: {
      what: "A protocol version below TLS 1.2 is allowed.",
      attack: "Known faults of old versions let somebody on the way read along.",
      mend: "Ask for TLS 1.2 or above.",
    },
  },
  {
    id: "serverless/public-database",
    cwe: 284,
    severity: "warning",
    properties: "PubliclyAccessible publiclyAccessible",
    when: { argument: 0, is: [true] },
    fix: { value: "false" },
    wrong: `Type: AWS::RDS::DBInstance
Properties:
  PubliclyAccessible: true`,
    right: `Type: AWS::RDS::DBInstance
Properties:
  PubliclyAccessible: false`,
    words: {
      what: "The database has an address in the internet.",
      attack: "Anybody tries passwords and known faults against it.",
      mend: "Keep it in the private network.",
    },
  },
  {
    id: "serverless/open-port",
    cwe: 284,
    severity: "warning",
    properties: "CidrIp CidrIpv6",
    when: {
      all: [
        { argument: 0, is: ["0.0.0.0/0", "::/0"] },
        {
          argument: 1,
          option: "FromPort",
          is: [22, 23, 1433, 1521, 2375, 3306, 3389, 5432, 5601, 5900, 6379, 9200, 11211, 27017].flatMap((port) => [
            port,
            String(port),
          ]),
        },
      ],
    },
    wrong: `SecurityGroupIngress:
  - IpProtocol: tcp
    FromPort: 5432
    ToPort: 5432
    CidrIp: 0.0.0.0/0`,
    right: `SecurityGroupIngress:
  - IpProtocol: tcp
    FromPort: 5432
    ToPort: 5432
    CidrIp: 10.0.0.0/8`,
    words: {
      what: "The whole internet reaches this port of an administrator or a database.",
      attack: "Anybody tries passwords and known faults against it.",
      mend: "Name the addresses that may.",
    },
  },
  {
    id: "serverless/privileged",
    cwe: 250,
    severity: "warning",
    properties: "Privileged PrivilegedMode",
    when: { argument: 0, is: [true] },
    wrong: `ContainerDefinitions:
  - Name: app
    Privileged: true`,
    right: `ContainerDefinitions:
  - Name: app
    Privileged: false`,
    fix: { value: "false" },
    words: {
      what: "This container has every right on its machine.",
      attack: "One fault in it opens the machine.",
      mend: "Leave it out, or name the one capability that it needs.",
    },
  },
];

/** Dockerfiles, and definitions of what runs in a cloud. */
export const DEFINITION_RULES: RuleTables = {
  sources: [],
  cleaners: [],
  handlers: [],
  sinks: [],
  settings: [...DOCKER_SETTINGS, ...SERVERLESS_SETTINGS],
};
