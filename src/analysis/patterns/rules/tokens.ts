import type { Setting } from "../row.ts";

const HARD_CODED = {
  attack: "Anyone who reads or guesses it can sign tokens and pose as any user.",
  mend: "Read it from the environment or a secret store, and change it.",
};

/** A password in the code, and no word for one that is put there later. */
const WRITTEN = {
  written: true,
  isNot: [/^(?:<.{0,80}>|x+|\*+|\.+|your[-_ ].{0,80}|change_?me|placeholder|example)$/i],
} as const;

/** Of whatever is given a secret that stands in the code. */
const SECRET_IN_CODE: Setting["words"] = {
  what: "A secret is written in the code.",
  attack: "Anyone who reads the code, now or in its history, can use it.",
  mend: HARD_CODED.mend,
};

/** Tokens, and secrets that stand in the code where a library takes them. */
export const TOKEN_SETTINGS: readonly Setting[] = [
  {
    id: "token/whole-object",
    title: "Sensitive data in a JWT",
    cwe: 522,
    severity: "info",
    calls: "jsonwebtoken:sign jwt.sign *.sign",
    on: /^(?:jwt|jsonwebtoken|jwtService|JWT)$/,
    when: { argument: 0, reads: /^(?:\w+\.)?(?:user|account|customer|member|profile)$/ },
    confidence: 0.5,
    wrong: `const token = require("jsonwebtoken").sign(user, process.env.JWT_SECRET);`,
    right: `const token = require("jsonwebtoken").sign({ id: user.id }, process.env.JWT_SECRET);`,
    words: {
      what: "Everything known about a user goes into the token.",
      attack:
        "Tokens are signed and not encrypted: their holder reads everything in them, including the hash of the password.",
      mend: "Name the members that the token needs.",
    },
  },
  {
    id: "token/written-key",
    title: "Hard-coded JWT secret",
    cwe: 798,
    severity: "error",
    calls:
      "jsonwebtoken:sign|verify jwt.sign|verify jwt-simple:encode|decode jws:sign|createSign|verify fastify:..jwt.sign|jwt.verify @nestjs/jwt:JwtService().sign jose:JWT.sign|JWT.verify|JWS.sign *.sign|verify",
    on: /^(?:jwt|jsonwebtoken|jws|JWT|jwtService|jwt-simple|)$/,
    when: {
      any: [
        { argument: 1, written: true },
        {
          argument: 1,
          reads:
            /^(?:Buffer\.from|new TextEncoder\(\)\.encode|jose\.JWK\.asKey|JWK\.asKey|crypto\.createSecretKey)\(\s*["'`][^$]*["'`]/,
        },
        { argument: 1, option: "secret", written: true },
        { argument: 2, option: "secret", written: true },
      ],
    },
    wrong: `const token = require("jsonwebtoken").sign({ id }, "s3cret");`,
    right: `const token = require("jsonwebtoken").sign({ id }, process.env.JWT_SECRET);`,
    words: { what: "The key that signs these tokens is written in the code.", ...HARD_CODED },
  },
  {
    id: "token/written-key",
    title: "Hard-coded JWT secret",
    cwe: 798,
    severity: "error",
    calls:
      "jose:importJWK|createSecretKey|JWK.asKey|JWK.createKey jose:..sign jose:jwtVerify jose:JWT.sign *.asKey express-jwt: express-jwt:expressjwt|jwt koa-jwt: passport-jwt:Strategy @fastify/jwt: fastify-jwt: @nestjs/jwt:JwtModule.register hono/jwt:jwt|sign|verify",
    when: {
      any: [
        { argument: 0, written: true, text: /asKey/ },
        { argument: 0, option: "secret", written: true },
        { argument: 0, option: "secretOrKey", written: true },
        { argument: 0, option: "secretOrPrivateKey", written: true },
        { argument: 1, written: true },
        { argument: 0, option: "privateKey", written: true },
        { argument: 0, option: "k", written: true },
        { argument: 1, reads: /^new TextEncoder\(\)\.encode\(\s*["'`][^$]*["'`]/ },
        { argument: 0, reads: /^new TextEncoder\(\)\.encode\(\s*["'`][^$]*["'`]/ },
      ],
    },
    wrong: `app.use(require("express-jwt").expressjwt({ secret: "s3cret", algorithms: ["HS256"] }));`,
    right: `app.use(require("express-jwt").expressjwt({ secret: process.env.JWT_SECRET, algorithms: ["HS256"] }));`,
    words: { what: "The key that signs these tokens is written in the code.", ...HARD_CODED },
  },
  {
    id: "token/unsigned",
    title: "Unsigned JWT accepted",
    fix: { replace: [/^\[\s*["'`]none["'`]\s*,\s*(?=["'`])/i, "["] },
    cwe: 347,
    severity: "error",
    calls:
      "jsonwebtoken:sign|verify jwt.sign|verify jose:jwtVerify|JWT.sign|JWT.verify|JWS.verify|JWT.decode jwt-simple:encode|decode express-jwt: express-jwt:expressjwt *.sign|verify|jwtVerify passport-jwt:Strategy",
    on: /^(?:jwt|jsonwebtoken|jose|JWT|JWS|jwtService|jwt-simple|express-jwt|passport-jwt|)$/,
    when: {
      any: [
        { argument: 2, option: "algorithms", is: [/^none$/i] },
        { argument: 2, option: "algorithm", is: [/^none$/i] },
        { argument: 0, option: "algorithms", is: [/^none$/i] },
        { argument: 2, is: [/^none$/i] },
        { argument: 1, reads: /\bNone$|\.None\b/ },
      ],
    },
    wrong: `const claims = require("jsonwebtoken").verify(token, key, { algorithms: ["none", "HS256"] });`,
    right: `const claims = require("jsonwebtoken").verify(token, key, { algorithms: ["RS256"] });`,
    words: {
      what: "Tokens without a signature are made or accepted.",
      attack: "Anyone can write such a token and pose as any user.",
      mend: 'Name the one algorithm that is used, `["RS256"]`.',
    },
  },
  {
    id: "token/unverified",
    title: "JWT signature not verified",
    cwe: 345,
    severity: "warning",
    calls:
      "jsonwebtoken:decode jwt.decode jose:decodeJwt|JWT.decode|UnsecuredJWT.decode jwt-decode: jwt-decode:jwtDecode",
    unless: { file: /\bverify\w*\s*\(|jwtVerify/ },
    wrong: `const jwt = require("jsonwebtoken");
if (jwt.decode(token).admin) open();`,
    right: `const jwt = require("jsonwebtoken");
if (jwt.verify(token, key, { algorithms: ["RS256"] }).admin) open();`,
    words: {
      what: "The token is read and its signature is not checked.",
      attack: "Anyone can write such a token and pose as any user.",
      mend: "Use `verify`, with the key and the algorithm.",
    },
  },
  {
    id: "token/unverified",
    title: "JWT signature not verified",
    cwe: 345,
    severity: "error",
    calls: "jwt-simple:decode",
    when: { argument: 2, is: [true] },
    wrong: `const claims = require("jwt-simple").decode(token, key, true);`,
    right: `const claims = require("jwt-simple").decode(token, key, false, "HS256");`,
    words: {
      what: "The token is read and its signature is not checked.",
      attack: "Anyone can write such a token and pose as any user.",
      mend: "Leave the third argument out.",
    },
  },
  {
    id: "token/ignored-expiry",
    title: "JWT expiry ignored",
    fix: { without: true },
    cwe: 613,
    severity: "warning",
    properties: "ignoreExpiration ignoreExp",
    when: { argument: 0, is: [true] },
    wrong: `const claims = verify(token, key, { ignoreExpiration: true });`,
    right: `const claims = verify(token, key, { ignoreExpiration: false });`,
    words: {
      what: "Tokens are accepted after their end.",
      attack: "A token that got out once opens for ever.",
      mend: "Leave it out.",
    },
  },
  {
    id: "token/exposed-password",
    title: "Password in a JWT",
    cwe: 522,
    severity: "warning",
    calls: "jsonwebtoken:sign jwt.sign jose:JWT.sign jwt-simple:encode *.sign",
    on: /^(?:jwt|jsonwebtoken|JWT|jwtService|jwt-simple)$/,
    when: {
      any: [
        { argument: 0, option: "password", present: true },
        { argument: 0, option: "passwd", present: true },
        { argument: 0, option: "user.password", present: true },
        { argument: 0, option: "secret", present: true },
      ],
    },
    wrong: `const token = require("jsonwebtoken").sign({ id, password }, key);`,
    right: `const token = require("jsonwebtoken").sign({ id }, key);`,
    words: {
      what: "A password is put into a token, which everybody can read.",
      attack: "A token is signed and not encrypted: its holder can read the password.",
      mend: "Put only an id into it.",
    },
  },
  {
    id: "secret/written-session",
    title: "Hard-coded session secret",
    cwe: 798,
    severity: "error",
    calls:
      "express-session: cookie-session: iron-session: koa-session: cookie-parser: client-sessions: @fastify/session: @fastify/cookie: @fastify/secure-session: next-auth: express:..session session cookieSession cookieParser",
    when: {
      any: [
        { argument: 0, option: "secret", written: true },
        { argument: 0, option: "keys", reads: /^\[\s*["'`]/ },
        { argument: 0, option: "password", written: true },
        { argument: 0, written: true },
        { argument: 0, option: "secret", reads: /^\[\s*["'`]/ },
      ],
    },
    wrong: `app.use(require("express-session")({ secret: "keyboard", cookie: { secure: true, httpOnly: true } }));`,
    right: `app.use(require("express-session")({ secret: process.env.SESSION_SECRET, cookie: { secure: true, httpOnly: true } }));`,
    words: {
      what: "The key that signs sessions is written in the code.",
      attack: "Anyone who reads the code can make cookies and pose as any user.",
      mend: HARD_CODED.mend,
    },
  },
  {
    id: "secret/written-hmac",
    title: "Hard-coded HMAC key",
    cwe: 798,
    severity: "warning",
    calls:
      "crypto:createHmac|createCipheriv|createDecipheriv *.createHmac|createCipheriv CryptoJS.AES.encrypt|decrypt CryptoJS.HmacSHA256|HmacSHA512|HmacSHA1 crypto-js:HmacSHA256|HmacSHA512|HmacSHA1|HmacMD5|AES.encrypt|AES.decrypt crypto-js/aes:encrypt|decrypt",
    when: {
      any: [
        { argument: 1, written: true },
        { argument: 1, reads: /^Buffer\.from\(\s*["'`][^$]*["'`]/ },
      ],
    },
    wrong: `const sum = require("node:crypto").createHmac("sha256", "s3cret").update(text).digest("hex");`,
    right: `const sum = require("node:crypto").createHmac("sha256", process.env.KEY).update(text).digest("hex");`,
    words: { what: "A key is written in the code.", ...HARD_CODED },
  },
  {
    id: "secret/written-password",
    title: "Hard-coded password",
    cwe: 798,
    severity: "warning",
    calls:
      "mysql|mysql2|mysql2/promise:createConnection|createPool|createPoolCluster pg:Client|Pool sequelize: sequelize:Sequelize mongoose:connect|createConnection mssql:connect|ConnectionPool knex: ioredis: redis:createClient nodemailer:createTransport oracledb:getConnection|createPool typeorm:DataSource|createConnection tedious:Connection mongodb:MongoClient|MongoClient.connect ldapjs:createClient ssh2:Client().connect basic-ftp:Client().access imap: node-ssh:NodeSSH().connect",
    when: {
      any: [
        { argument: 0, option: "password", ...WRITTEN },
        { argument: 0, option: "connection.password", ...WRITTEN },
        { argument: 0, option: "auth.pass", ...WRITTEN },
        { argument: 1, option: "password", ...WRITTEN },
        { all: [{ argument: 2, ...WRITTEN }, { text: /Sequelize/ }] },
        { argument: 0, is: [/^[a-z+]+:\/\/[^:@/\s]+:[^@/\s]+@(?!localhost)/] },
        { argument: 1, option: "auth_pass", ...WRITTEN },
        { argument: 1, option: "pass", ...WRITTEN },
        { argument: 0, option: "authentication.options.password", ...WRITTEN },
      ],
    },
    confidence: 0.7,
    wrong: `const db = require("mysql").createConnection({ host: "db", user: "shop", password: "s3cret" });`,
    right: `const db = require("mysql").createConnection({ host: "db", user: "shop", password: process.env.DB_PASSWORD });`,
    words: {
      what: "A password is written in the code.",
      attack: "Anyone who reads the code, now or in its history, can sign in with it.",
      mend: HARD_CODED.mend,
    },
  },
  {
    id: "secret/written-client-secret",
    title: "Hard-coded client secret",
    cwe: 798,
    severity: "warning",
    properties:
      "clientSecret client_secret consumerSecret secretAccessKey secretOrKey apiSecret accessKeySecret appSecret tokenSecret privateKey",
    when: {
      all: [
        { argument: 0, written: true },
        {
          not: {
            argument: 0,
            is: [
              /^(?:|<.*>|x+|\*+|\.+|your[-_ ].*|changeme|placeholder|example|test|string|utf-?8|hex|pem|raw|base64)$/i,
              /\s|^\$\{|^\/|\.(?:pem|key|json)$|^env/,
            ],
          },
        },
      ],
    },
    confidence: 0.7,
    wrong: `passport.use(new Strategy({ clientID: "a", clientSecret: "9f8a7b6c5d" }, done));`,
    right: `passport.use(new Strategy({ clientID: "a", clientSecret: process.env.CLIENT_SECRET }, done));`,
    words: {
      what: "A secret is written in the code.",
      attack: "Anyone who reads the code, now or in its history, can act as this application.",
      mend: HARD_CODED.mend,
    },
  },
  {
    id: "secret/written-address",
    title: "Hard-coded password in a URL",
    cwe: 798,
    severity: "warning",
    texts:
      /^[a-z][\w+.-]*:\/\/[^:@/\s]{0,80}:(?!(?:password|pass|pwd|secret|<|\$|\*|x{3}))[^@/\s$<{]{3,80}@(?!localhost|127\.|example\.(?:com|org))/i,
    wrong: `const db = connect("postgres://shop:blue-kettle-17@db.internal:5432/shop");`,
    right: `const db = connect("postgres://db.internal:5432/shop");`,
    words: {
      what: "This URL contains a password.",
      attack: "Anyone who reads the code, now or in its history, can sign in with it.",
      mend: HARD_CODED.mend,
    },
  },
  {
    id: "secret/written-value",
    title: "Hard-coded secret",
    cwe: 798,
    severity: "info",
    properties:
      "password passwd apiKey api_key authToken accessToken auth_token secret SESSION_SECRET DB_PASSWORD JWT_SECRET",
    when: {
      all: [
        {
          argument: 0,
          is: [
            /^(?=.*[a-z])(?!.*(?:password|example|placeholder|your|change|xxx|\.\.\.|test|dummy|foo|enter|invalid|required|missing))\S{8,100}$/i,
          ],
        },
        {
          not: {
            argument: 0,
            is: [/^(?:https?:|\/|\$|<|[a-z]+(?:[A-Z][a-z]+)*$|[A-Z_]+$|[\w]+(?:\.[a-z]\w*)+$|env\()/],
          },
        },
      ],
    },
    confidence: 0.5,
    wrong: `const ai = new Client({ apiKey: "an-invented-key-17" });`,
    right: `const ai = new Client({ apiKey: process.env.API_KEY });`,
    words: SECRET_IN_CODE,
  },
  {
    id: "secret/written-call",
    title: "Hard-coded secret",
    cwe: 798,
    severity: "warning",
    calls:
      "twilio: stripe: neo4j-driver:auth.basic neo4j.auth.basic *.unsafePlainText @sendgrid/mail:setApiKey *.setApiKey",
    when: {
      any: [
        { all: [{ text: /unsafePlainText|setApiKey|[sS]tripe\(/ }, { argument: 0, written: true }] },
        { argument: 1, written: true },
      ],
    },
    wrong: `const driver = neo4j.driver(address, neo4j.auth.basic("neo4j", "Graph.harbour41"));`,
    right: `const driver = neo4j.driver(address, neo4j.auth.basic("neo4j", process.env.NEO4J_PASSWORD));`,
    words: SECRET_IN_CODE,
  },
  {
    id: "secret/written-basic",
    title: "Hard-coded credentials",
    cwe: 798,
    severity: "warning",
    calls: "express-basic-auth: *.auth|basicAuth *.setBasicAuth passport-local:Strategy",
    on: /^(?:request|superagent|\w*[rR]equest|req|page|get|post|put|express-basic-auth|)$/,
    when: {
      any: [
        {
          all: [
            { argument: 0, written: true },
            { argument: 1, written: true },
          ],
        },
        { argument: 0, option: "users", reads: /:\s*["'`][^"'`]+["'`]/ },
      ],
    },
    confidence: 0.7,
    wrong: `app.use(require("express-basic-auth")({ users: { admin: "s3cret" } }));`,
    right: `app.use(require("express-basic-auth")({ authorizer: check }));`,
    words: {
      what: "A name and a password are written in the code.",
      attack: "Anyone who reads the code, now or in its history, can sign in with it.",
      mend: HARD_CODED.mend,
    },
  },
];
