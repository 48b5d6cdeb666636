import type { Setting } from "../row.ts";

/** Of whatever switches the check of a certificate off. */
const UNCHECKED: Setting["words"] = {
  what: "The certificate of the other side is not checked.",
  attack: "An attacker on the network can read and change this connection.",
  mend: "Leave it out; a certificate of your own goes into `ca`.",
};

/** Connections that are not encrypted, or whose other side is not checked. */
export const TLS_SETTINGS: readonly Setting[] = [
  {
    id: "tls/old-version",
    title: "Outdated TLS version or ciphers",
    cwe: 327,
    severity: "warning",
    properties: "ciphers",
    when: { argument: 0, is: [/(?:^|:)(?:NULL|RC4|DES|3DES|EXPORT|aNULL|eNULL|MD5|LOW)(?:[:-]|$)|DES-CBC/] },
    wrong: `const server = createServer({ ciphers: "RC4:DES-CBC3-SHA" });`,
    right: `const server = createServer({ ciphers: "ECDHE-RSA-AES256-GCM-SHA384:!RC4" });`,
    words: {
      what: "Broken ciphers are allowed.",
      attack: "Their known faults let others read the connection.",
      mend: "Leave the list to Node.",
    },
  },
  {
    id: "tls/unchecked",
    title: "Certificate verification disabled",
    cwe: 295,
    severity: "warning",
    properties: "ignoreHTTPSErrors acceptInsecureCerts ignoreCertificateErrors",
    when: { argument: 0, is: [true] },
    fix: { without: true },
    wrong: `const browser = await launch({ ignoreHTTPSErrors: true });`,
    right: `const browser = await launch({ ignoreHTTPSErrors: false });`,
    words: {
      what: "The certificate of the other side is not checked.",
      attack: "An attacker on the network can read and change this connection.",
      mend: "Leave it out.",
    },
  },
  {
    id: "tls/unchecked",
    title: "Certificate verification disabled",
    cwe: 295,
    severity: "error",
    properties: "rejectUnauthorized strictSSL sslValidate",
    when: { argument: 0, is: [false] },
    confidence: 0.85,
    fix: { without: true },
    wrong: `const agent = new Agent({ rejectUnauthorized: false });`,
    right: `const agent = new Agent({ rejectUnauthorized: true });`,
    words: UNCHECKED,
  },
  {
    id: "tls/unchecked",
    title: "Certificate verification disabled",
    cwe: 295,
    severity: "error",
    properties:
      "insecureHTTPParser insecure trustServerCertificate tlsAllowInvalidCertificates tlsAllowInvalidHostnames tlsInsecure trustAllCertificates",
    when: { argument: 0, is: [true] },
    confidence: 0.85,
    fix: { without: true },
    wrong: `const pool = new ConnectionPool({ trustServerCertificate: true });`,
    right: `const pool = new ConnectionPool({ trustServerCertificate: false });`,
    words: UNCHECKED,
  },
  {
    id: "tls/unchecked",
    title: "Certificate verification disabled",
    cwe: 295,
    severity: "error",
    properties: "checkServerIdentity",
    when: {
      argument: 0,
      reads:
        /=>\s*(?:undefined|null|\{\s*\}|true|false)$|^function\s*\(\w*\)\s*\{\s*(?:return(?:\s+(?:undefined|null|true))?;?)?\s*\}$|^\(\w*\)\s*\{\s*\}/,
    },
    confidence: 0.85,
    wrong: `const agent = new Agent({ checkServerIdentity: () => undefined });`,
    right: `const agent = new Agent({ checkServerIdentity: compare });`,
    words: UNCHECKED,
  },
  {
    id: "tls/unchecked-everywhere",
    title: "Certificate verification disabled globally",
    cwe: 295,
    severity: "error",
    writes: "process.env.NODE_TLS_REJECT_UNAUTHORIZED *!.rejectUnauthorized *!.strictSSL",
    when: { argument: 0, is: ["0", 0, false] },
    confidence: 0.85,
    wrong: `process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";`,
    right: `process.env.NODE_TLS_REJECT_UNAUTHORIZED = "1";`,
    words: {
      what: "No connection checks certificates.",
      attack: "An attacker on the network can read and change all traffic.",
      mend: "Leave it out; a certificate of your own goes into `ca`.",
    },
  },
  {
    id: "tls/old-version",
    title: "Outdated TLS version or ciphers",
    cwe: 327,
    severity: "warning",
    properties:
      "minVersion maxVersion secureProtocol minProtocol tlsVersion minimumProtocolVersion sslProtocol minTlsVersion securityPolicy",
    when: {
      any: [
        {
          argument: 0,
          is: [
            /^(?:SSLv[23]|TLSv1(?:\.[01])?|(?:SSLv[23]|TLSv1(?:_1)?)_(?:method|client_method|server_method)|TLS_?1[._][01]|TLSv1_2016|TLSv1\.1_2016)$/i,
          ],
        },
        { argument: 0, reads: /\b(?:TLS_V1|TLS_V1_1_2016|TLS_V1_2016|SSL_V3|TLS_1_0|TLS_1_1)$/ },
      ],
    },
    wrong: `const agent = new Agent({ minVersion: "TLSv1" });`,
    right: `const agent = new Agent({ minVersion: "TLSv1.2" });`,
    words: {
      what: "A protocol version below TLS 1.2 is allowed.",
      attack: "Its known faults let others read the connection.",
      mend: 'Say `minVersion: "TLSv1.2"`.',
    },
  },
  {
    id: "tls/plain-grpc",
    title: "Unencrypted gRPC",
    cwe: 502,
    severity: "warning",
    calls:
      "grpc|@grpc/grpc-js:credentials.createInsecure|ServerCredentials.createInsecure grpc.credentials.createInsecure grpc.ServerCredentials.createInsecure *.createInsecure",
    wrong: `const client = new Greeter("example.com:50051", grpc.credentials.createInsecure());`,
    right: `const client = new Greeter("example.com:50051", grpc.credentials.createSsl());`,
    words: {
      what: "These calls are neither encrypted nor checked.",
      attack: "An attacker on the network can read and change them.",
      mend: "Use `createSsl`.",
    },
  },
  {
    id: "database/plain-connection",
    title: "Unencrypted database connection",
    fix: { replace: [/^false$/, "true"] },
    cwe: 319,
    severity: "info",
    properties: "ssl sslmode encrypt useSSL requireTLS ignoreTLS",
    when: {
      any: [
        {
          all: [
            { argument: 0, is: [false, "disable"] },
            { not: { text: /^ignoreTLS/ } },
            {
              any: [
                { argument: 1, option: "host", present: true },
                { argument: 1, option: "dialect", present: true },
                { argument: 1, option: "server", present: true },
                { file: /sequelize|tedious|mssql|\bpg\b|nodemailer/i },
              ],
            },
          ],
        },
        { all: [{ argument: 0, is: [true] }, { text: /^ignoreTLS/ }] },
      ],
    },
    wrong: `const db = new Client({ host: "db.example.com", ssl: false });`,
    right: `const db = new Client({ host: "db.example.com", ssl: { ca } });`,
    words: {
      what: "This connection is not encrypted.",
      attack: "An attacker on the network can read the password and the data.",
      mend: "Switch TLS on.",
    },
  },
];
