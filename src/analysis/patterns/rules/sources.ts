import type { Cleaner, Danger, Handler, Source } from "../row.ts";

/** The person who starts a program may read its files and use its network without it. */
const AT_HOME: readonly Danger[] = [
  "resource",
  "path",
  "url",
  "redirect",
  "log",
  "header",
  "html",
  "regex",
  "nosql",
  "format",
  "prototype",
  "browser",
  "query",
];

/** Where foreign input comes from. What lies below a value is foreign too: `@request.query` is said once for all its members. */
export const SOURCES: readonly Source[] = [
  {
    id: "request",
    what: "the request",
    remote: true,
    values: `@request.query|body|files|file|rawBody|nextUrl.searchParams|payload
      @request.get|header|param|text|json|formData|arrayBuffer|raw|parseBody|searchParams @request.req.query|param|body|header @request.request.url|text|json|formData|body|headers @request.searchParams h3:getQuery|readBody|getRouterParam|getHeader getQuery readBody @trpc.input|rawInput
      @context.query|get
      @context.request.body|query|params|url|headers|files|path|querystring|rawBody|header|get @context.req.query|param|json|text|header|parseBody|queries|body|url|formData|path|valid
      @context.args @input @event @page-event.request`,
  },
  {
    id: "request-address",
    what: "the request",
    remote: true,
    // Next makes it of its own host. A path in it never begins with two slashes, and what follows `?` or `#` names no host.
    clean: ["redirect", "url", "nosql"],
    values: "@request.nextUrl",
  },
  {
    id: "request-cookies",
    what: "the request",
    remote: true,
    // Nobody sets a cookie of another site.
    clean: ["redirect"],
    values: "@request.cookies|signedCookies @context.cookies h3:getCookie hono/cookie:getCookie next/headers:cookies",
  },
  {
    id: "session",
    what: "the session",
    remote: true,
    // The program itself put it there, mostly the address of this request.
    unsure: true,
    values: "@request.session.returnTo",
  },
  {
    id: "request-text",
    what: "the request",
    remote: true,
    // Always text, never an object with operators.
    clean: ["nosql"],
    values: `@request.params|headers|url|originalUrl|path|hostname|host|rawHeaders|baseUrl|subdomains|ip @context.params|url|path|querystring|search|host|hostname|href|headers|header|origin
      *.queryStringParameters|pathParameters|multiValueQueryStringParameters|rawQueryString|rawPath *.Records`,
  },
  {
    id: "request-headers",
    what: "the request",
    remote: true,
    values:
      "next/headers:headers next/navigation:useSearchParams react-router-dom|react-router:useParams|useSearchParams|useLocation next/router:useRouter().query vue-router:useRoute().query|useRoute().params|useRoute().hash $route.query|params *.$route.query|$route.params",
  },
  {
    id: "address",
    what: "the address of the page",
    remote: true,
    values: `location.hash|search|href|pathname document.location document.location.hash|search|href document.URL|documentURI|referrer|baseURI|cookie name.[] window.name location history.state
      *.$location.search|$location.hash|$location.path|$location.url $location.search|hash|path|url $routeParams $stateParams
      @angular/router:ActivatedRoute().snapshot.params|queryParams|paramMap|queryParamMap|fragment @angular/router:ActivatedRoute().params|queryParams|paramMap|queryParamMap|fragment`,
  },
  {
    id: "message",
    what: "a message of another window or process",
    remote: true,
    values: "@page-event.data|detail @message",
  },
  { id: "socket", what: "a message on a socket", remote: true, values: "@socket" },
  {
    id: "storage",
    what: "the browser's storage",
    remote: false,
    values: "localStorage.getItem sessionStorage.getItem localStorage.[] sessionStorage.[]",
  },
  {
    id: "arguments",
    what: "the command line",
    remote: false,
    clean: AT_HOME,
    values: "process.argv Deno.args Bun.argv process:argv yargs:..argv yargs/yargs:..argv minimist: commander:..opts",
  },
  {
    id: "environment",
    what: "the environment",
    remote: false,
    clean: AT_HOME,
    values: "process.env Deno.env.get Bun.env process:env",
  },
  {
    id: "person",
    what: "what a person types",
    remote: false,
    values: "prompt readline:..question inquirer:..prompt prompts: readline-sync:question @typed",
  },
  {
    id: "file",
    what: "a file",
    remote: false,
    // Templates, schemas and data are read from files by design.
    clean: [...AT_HOME, "template", "sql", "xml", "data"],
    unsure: true,
    values:
      "fs|fs/promises|fs-extra:readFile|readFileSync|promises.readFile Deno.readTextFile|readTextFileSync Bun.file",
  },
  {
    id: "queue",
    what: "a message of a queue",
    remote: true,
    values: "@aws-sdk/client-sqs:..send aws-sdk:..receiveMessage nats:..subscribe",
  },
];

const ROUTES = "get|post|put|patch|delete|del|all|use|options|head|route|param";

/** Functions that are called with foreign input. */
export const HANDLERS: readonly Handler[] = [
  { calls: "express:..param", parameters: ["@request", "@response", "-", "@input"] },
  { calls: "@request..on", event: /^(?:data|field|file|part|message)$/, parameters: ["@input"] },
  { calls: "process.stdin.on process:stdin.on readline:..on", parameters: ["@typed"] },
  {
    calls: `express|restify|polka|connect|express-promise-router|router|find-my-way:..${ROUTES}`,
    parameters: ["@request", "@response"],
  },
  { calls: `fastify:..${ROUTES}|addHook|setErrorHandler`, parameters: ["@request", "@response"] },
  { calls: "fastify|@hapi/hapi|hapi:..route", member: "handler", parameters: ["@request", "@response"] },
  { calls: "@trpc/server:..query|mutation|subscription", parameters: ["@trpc"] },
  { calls: `koa|@koa/router|koa-router|@koa/cors|oak:..${ROUTES}`, parameters: ["@context"] },
  { calls: `hono:..${ROUTES}|on`, parameters: ["@context"] },
  {
    calls: "http|https|http2:createServer|createSecureServer http|https:Server()",
    parameters: ["@request", "@response"],
  },
  { calls: "http|https:..on", parameters: ["@request", "@response"] },
  {
    calls: `*.${ROUTES}`,
    on: /^(?:app|router|server|api|routes?|express|fastify|\w*[rR]outer|\w*App)$/,
    parameters: ["@request", "@response"],
  },
  { calls: "Deno.serve Deno.serveHttp std/http:serve serve", parameters: ["@request"] },
  { calls: "Bun.serve", member: "fetch", parameters: ["@request"] },
  {
    calls: "@google-cloud/functions-framework:http firebase-functions:..onRequest",
    parameters: ["@request", "@response"],
  },
  { calls: "firebase-functions:..onCall", parameters: ["@input"] },
  { calls: "@azure/functions:app.http", member: "handler", parameters: ["@request"] },
  {
    calls:
      "@azure/functions:app.storageQueue|app.storageBlob|app.serviceBusQueue|app.serviceBusTopic|app.eventHub|app.eventGrid|app.cosmosDB",
    member: "handler",
    parameters: ["@socket"],
  },
  { calls: "@google-cloud/functions-framework:cloudEvent", parameters: ["@event"] },
  { calls: "addEventListener *.addEventListener", parameters: ["@page-event"] },
  { calls: "ws|socket.io|net|tls|dgram|sockjs|faye-websocket:..on", parameters: ["-"] },
  {
    calls: "*.on|once|addListener",
    on: /^(?:socket|ws|client|connection|conn|io|websocket|webSocket|sock)$/,
    parameters: ["@socket"],
  },
  { calls: "amqplib:..consume bullmq|bull:..process bullmq:Worker", parameters: ["@socket", "@socket"] },
  {
    calls: "*.consume|subscribe",
    on: /^(?:channel|ch|consumer|queue|broker|nats|nc|mqtt)$/,
    parameters: ["@socket", "@socket"],
  },
  { calls: "mqtt:..on redis|ioredis:..subscribe|pSubscribe", parameters: ["@socket", "@socket"] },
  { calls: "@google-cloud/pubsub:..on", parameters: ["@socket"] },
  { calls: "kafkajs:..run *.run", on: /[cC]onsumer$/, member: "eachMessage", parameters: ["@socket"] },
  { calls: "kafkajs:..run *.run", on: /[cC]onsumer$/, member: "eachBatch", parameters: ["@socket"] },
  { calls: "electron:ipcMain.on|handle|once", parameters: ["-", "@socket", "@socket", "@socket"] },
];

/** What makes input harmless. */
export const CLEANERS: readonly Cleaner[] = [
  {
    calls:
      "Number parseInt parseFloat Number.parseInt|parseFloat BigInt Boolean Math.floor|round|abs|min|max|trunc|ceil Date",
    clean: "all",
  },
  {
    calls: "encodeURIComponent",
    clean: ["url", "redirect", "html", "path", "header", "log", "shell", "query", "xml", "browser"],
  },
  { calls: "encodeURI", clean: ["header", "log"] },
  { calls: "querystring|qs:stringify|escape", clean: ["url", "redirect", "html", "header", "log", "path"] },
  {
    calls: "path|path/posix|path/win32:basename|extname|posix.basename|win32.basename sanitize-filename:",
    clean: ["path"],
  },
  {
    calls: `escape-html: he:encode|escape lodash:escape lodash.escape: lodash/escape: lodash/escape.js: underscore:escape validator:escape entities:encode|encodeHTML|escapeUTF8 html-entities:encode|escape xss: xss:filterXSS xss-filters:inHTMLData|inDoubleQuotedAttr
      dompurify:sanitize isomorphic-dompurify:sanitize dompurify:().sanitize DOMPurify.sanitize sanitize-html: _.escape html-escaper:escape mustache:escape handlebars:escapeExpression Handlebars.escapeExpression Handlebars.Utils.escapeExpression
      @angular/platform-browser:DomSanitizer().sanitize node-html-encoder:..htmlEncode @braintree/sanitize-url:sanitizeUrl`,
    clean: ["html", "browser", "xml", "log"],
  },
  { calls: "@braintree/sanitize-url:sanitizeUrl", clean: ["html", "browser", "redirect"] },
  {
    calls:
      "mysql|mysql2|sqlstring|pg-format|mysql2/promise:..escape|escapeId|format|literal|ident pg-format: *.escapeLiteral|escapeIdentifier",
    clean: ["sql"],
  },
  {
    calls: "*.escape|escapeId",
    on: /^(?:db|conn|connection|pool|mysql|client|sequelize|SqlString|sqlstring|sql|knex)$/i,
    clean: ["sql"],
  },
  { calls: "shell-quote:quote shell-escape: shescape:..quote|escape shlex:quote", clean: ["shell"] },
  {
    calls:
      "lodash:escapeRegExp|_.escapeRegExp escape-string-regexp: _.escapeRegExp lodash.escaperegexp: RegExp.escape regexp.escape:",
    clean: ["regex"],
  },
  {
    calls:
      "mongo-sanitize: express-mongo-sanitize:sanitize mongoose:Types.ObjectId|mongo.ObjectId|Types.ObjectId.createFromHexString mongodb:ObjectId|ObjectID ObjectId",
    clean: ["nosql"],
  },
  { calls: "String *.toString", clean: ["nosql", "prototype"] },
  { calls: "JSON.stringify util:inspect", clean: ["log", "nosql"] },
  { calls: "ldapjs:..escape ldap-escape:filter|dn", clean: ["query"] },
  {
    calls: "*.parse|parseAsync|safeParse|validate|validateAsync|validateSync|check|cast|assert|attempt|decode",
    on: /(?:[sS]chema|[vV]alidator|^z$|^Joi$|^joi$|^yup$|^ajv$|[sS]hape|[dD]to|DTO|[cC]odec)/,
    clean: "all",
  },
  {
    calls:
      "zod:..parse|parseAsync|safeParse joi|@hapi/joi|yup|ajv|superstruct|valibot|io-ts|typebox|class-validator|celebrate|express-validator:..validate|validateAsync|validateSync|attempt|parse|assert|create|compile|matchedData|cast|isValid",
    clean: "all",
  },
  {
    calls:
      "crypto:..digest|createHash|createHmac|randomBytes|randomUUID crypto.randomUUID bcrypt|bcryptjs|argon2:..hash|hashSync|compare jsonwebtoken|jose:..verify|jwtVerify",
    clean: "all",
  },
  {
    calls:
      "Prisma.sql sql-template-strings: sql-template-tag: @prisma/client:Prisma.sql slonik:sql @vercel/postgres:sql drizzle-orm:sql postgres:() SQL sql",
    clean: ["sql"],
  },
  { calls: "lit|lit-html|hono/html:html|svg html", clean: ["html"] },
  { calls: "content-disposition:", clean: ["header"] },
  {
    calls:
      "ejs|pug|nunjucks|handlebars|mustache|eta|liquidjs|hogan.js|twig:..render|renderFile|renderString|compile()|compileFile() react-dom/server:renderToString|renderToStaticMarkup Mustache.render ejs.render nunjucks.render pug.render",
    clean: ["html"],
  },
];
