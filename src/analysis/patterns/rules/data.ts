import type { Setting, Sink } from "../row.ts";

/** Of whatever becomes a regular expression. */
const AS_PATTERN: Sink["words"] = {
  what: "becomes a regular expression",
  attack: "A pattern like `(a+)+$` stops the program for minutes.",
  mend: "Escape it with `escape-string-regexp`, or use `includes`.",
};

export const DATA_SINKS: readonly Sink[] = [
  {
    id: "data/regex",
    title: "Regular expression injection (ReDoS)",
    cwe: 1333,
    danger: "regex",
    severity: "warning",
    from: "source",
    calls: "*!.match|matchAll|search",
    argument: 0,
    unless: { argument: 0, reads: /^\{/ },
    wrong: `app.get("/", (req, res) => { if (text.match(req.query.pattern)) res.end(); });`,
    right: `app.get("/", (req, res) => { if (text.includes(req.query.pattern)) res.end(); });`,
    words: AS_PATTERN,
  },
  {
    id: "data/deserialise",
    title: "Unsafe deserialization",
    cwe: 502,
    danger: "data",
    severity: "error",
    calls:
      "node-serialize:unserialize serialize-to-js:deserialize funcster:deepDeserialize cryo:parse|stringify serialize-javascript:deserialize *.unserialize|deepDeserialize v8:deserialize php-serialize:unserialize js-yaml:load|loadAll|safeLoad un-eval:",
    argument: 0,
    unless: {
      any: [
        {
          text: /^(?:yaml|jsyaml|YAML)\.(?:safeLoad|load)\([^,]*,[^)]*(?:FAILSAFE|JSON|CORE|DEFAULT_SAFE|SAFE)_SCHEMA/,
        },
        { text: /yaml/i, not: { text: /DEFAULT_FULL_SCHEMA/ } },
      ],
    },
    wrong: `app.post("/", (req, res) => { const state = require("node-serialize").unserialize(req.body.state); });`,
    right: `app.post("/", (req, res) => { const state = JSON.parse(req.body.state); });`,
    words: {
      what: "is turned back into objects and functions",
      attack: "A function in it runs on the server.",
      mend: "Use `JSON.parse`.",
    },
  },
  {
    id: "data/regex",
    title: "Regular expression injection (ReDoS)",
    cwe: 1333,
    danger: "regex",
    severity: "warning",
    calls: "RegExp *!.match|matchAll|search",
    argument: 0,
    when: { any: [{ text: /^(?:new\s+)?RegExp/ }] },
    wrong: `export function search(list, text) { return list.filter((each) => new RegExp(text).test(each)); }`,
    right: `const escape = require("escape-string-regexp");
export function search(list, text) { return list.filter((each) => new RegExp(escape(text)).test(each)); }`,
    words: AS_PATTERN,
  },
  {
    id: "data/xml",
    title: "XML external entities (XXE)",
    cwe: 611,
    danger: "xml",
    severity: "error",
    calls: "libxmljs|libxmljs2:parseXml|parseXmlString *.parseXml|parseXmlString",
    argument: 0,
    from: "anything",
    when: {
      any: [
        { argument: 1, option: "noent", is: [true] },
        { argument: 1, option: "dtdload", is: [true] },
      ],
    },
    wrong: `const libxml = require("libxmljs");
export function read(text) { return libxml.parseXml(text, { noent: true }); }`,
    right: `const libxml = require("libxmljs");
export function read(text) { return libxml.parseXml(text, { noent: false }); }`,
    words: {
      what: "is read as XML with external entities",
      attack: "A document reads files of the server and sends them away.",
      mend: "Leave `noent` out.",
    },
  },
  {
    id: "data/xml",
    title: "XML external entities (XXE)",
    cwe: 611,
    danger: "xml",
    severity: "warning",
    calls:
      "node-expat:Parser().parse|Parser().write xml2json:toJson sax:parser().write *.parseFromString expat: xml2json:parser",
    from: "source",
    argument: 0,
    when: { file: /\b(?:node-expat|xml2json|sax)\b/ },
    wrong: `const xml2json = require("xml2json");
app.post("/", (req, res) => { res.json(xml2json.toJson(req.body)); });`,
    right: `const { XMLParser } = require("fast-xml-parser");
app.post("/", (req, res) => { res.json(new XMLParser({ processEntities: false }).parse(req.body)); });`,
    words: {
      what: "is read as XML by a parser that expands entities",
      attack: "A short document becomes gigabytes in memory, or reads files of the server.",
      mend: "Use a parser without entities, or switch them off.",
    },
  },
  {
    id: "data/xpath",
    title: "XPath injection",
    cwe: 643,
    danger: "query",
    severity: "warning",
    joined: true,
    calls: "xpath:select|select1|parse|evaluate|useNamespaces *.evaluate|select",
    on: /^(?:xpath|document)$/,
    argument: 0,
    wrong: `const xpath = require("xpath");
app.get("/", (req, res) => { xpath.select("//user[@name='" + req.query.name + "']", page); });`,
    right: `const xpath = require("xpath");
app.get("/", (req, res) => { xpath.select("//user[@name='admin']", page); });`,
    words: {
      what: "goes into the text of an XPath query",
      attack: "It reads other parts of the document, other people's passwords among them.",
      mend: "Hand the value over as a variable of the query.",
    },
  },
  {
    id: "data/ldap",
    title: "LDAP injection",
    cwe: 90,
    danger: "query",
    severity: "error",
    joined: true,
    calls: "ldapjs:..search|bind *.search",
    on: /^(?:ldap\w*|client|ldapClient)$/,
    argument: { at: 1, options: "filter" },
    wrong: `const client = require("ldapjs").createClient({ url: "ldaps://a" });
app.get("/", (req, res) => { client.search("o=a", { filter: "(uid=" + req.query.name + ")" }, done); });`,
    right: `const client = require("ldapjs").createClient({ url: "ldaps://a" });
app.get("/", (req, res) => { client.search("o=a", { filter: new EqualityFilter({ attribute: "uid", value: req.query.name }) }, done); });`,
    words: {
      what: "goes into the text of an LDAP filter",
      attack: "`*` and brackets in it find other people's entries.",
      mend: "Build the filter from objects of the library.",
    },
  },
  {
    id: "data/lambda-table",
    title: "NoSQL injection",
    cwe: 943,
    danger: "nosql",
    severity: "warning",
    from: "source",
    calls:
      "aws-sdk|@aws-sdk/lib-dynamodb|@aws-sdk/client-dynamodb:..scan|query|put|get|update|delete|ScanCommand|QueryCommand",
    argument: {
      at: 0,
      options: "FilterExpression KeyConditionExpression ScanFilter ExpressionAttributeValues TableName",
    },
    unless: {
      argument: 0,
      option: "ExpressionAttributeValues",
      present: true,
      not: { argument: 0, option: "FilterExpression", reads: /\$\{|\+/ },
    },
    wrong: `const { DynamoDB } = require("aws-sdk");
exports.handler = async (event) => new DynamoDB.DocumentClient().scan({ TableName: "a", ScanFilter: event.filter });`,
    right: `const { DynamoDB } = require("aws-sdk");
exports.handler = async (event) => new DynamoDB.DocumentClient().scan({ TableName: "a" });`,
    words: {
      what: "decides what the table is asked",
      attack: "It reads rows of others.",
      mend: "Keep the expression constant, and pass values separately.",
    },
  },
];

export const DATA_SETTINGS: readonly Setting[] = [
  {
    id: "data/slow-regex",
    title: "Catastrophic backtracking (ReDoS)",
    cwe: 1333,
    severity: "info",
    slow: true,
    confidence: 0.6,
    wrong: `const isName = /^(a+)+$/.test(text);`,
    right: `const isName = /^a+$/.test(text);`,
    words: {
      what: "This expression repeats what is repeated already.",
      attack: "A text that nearly fits takes it time that doubles with each character.",
      mend: "Write one repetition, or make its parts begin with different characters.",
    },
  },
  {
    id: "data/unset-memory",
    title: "Uninitialized buffer",
    fix: { names: { allocUnsafe: "alloc", allocUnsafeSlow: "alloc" } },
    cwe: 908,
    severity: "info",
    calls: "Buffer.allocUnsafe|allocUnsafeSlow buffer:Buffer.allocUnsafe|Buffer.allocUnsafeSlow",
    confidence: 0.5,
    wrong: `const bytes = Buffer.allocUnsafe(size);`,
    right: `const bytes = Buffer.alloc(size);`,
    words: {
      what: "This memory holds what was in it before.",
      attack: "What is not written over goes out with it: keys, other people's data.",
      mend: "Use `Buffer.alloc`.",
    },
  },
  {
    id: "data/unset-memory",
    title: "Uninitialized buffer",
    cwe: 908,
    severity: "info",
    calls: "Buffer buffer:Buffer",
    when: { text: /^new / },
    unless: { argument: 0, reads: /^(?:["'`[]|\w*(?:[sS]tr|[tT]ext)\b)/ },
    confidence: 0.5,
    wrong: `const bytes = new Buffer(size);`,
    right: `const bytes = Buffer.alloc(size);`,
    words: {
      what: "Given a number, this makes memory that holds what was in it before.",
      attack: "A client that sends a number instead of text reads the leftover data of others.",
      mend: "Use `Buffer.from` for text and `Buffer.alloc` for a size.",
    },
  },
  {
    id: "data/yaml-functions",
    title: "Unsafe YAML schema",
    cwe: 502,
    severity: "error",
    calls: "js-yaml:load|loadAll|safeLoad *.load",
    on: /^(?:yaml|jsyaml|js-yaml|YAML)$/,
    when: { argument: 1, option: "schema", reads: /DEFAULT_FULL_SCHEMA|js-yaml-js-types|unsafe/i },
    wrong: `const settings = require("js-yaml").load(text, { schema: yaml.DEFAULT_FULL_SCHEMA });`,
    right: `const settings = require("js-yaml").load(text, { schema: yaml.CORE_SCHEMA });`,
    words: {
      what: "YAML is read with functions in it.",
      attack: "A document runs code on the server.",
      mend: "Use the default schema.",
    },
  },
  {
    id: "data/unescaped-script",
    title: "Cross-site scripting (XSS) in inline script data",
    fix: { without: true },
    cwe: 79,
    severity: "warning",
    calls: "serialize-javascript: serialize",
    when: { argument: 1, option: "unsafe", is: [true] },
    wrong: `const text = require("serialize-javascript")(state, { unsafe: true });`,
    right: `const text = require("serialize-javascript")(state);`,
    words: {
      what: "Data is written into a script without escaping.",
      attack: "`</script>` in it ends the script and begins another.",
      mend: "Leave `unsafe` out.",
    },
  },
  {
    id: "data/all-errors",
    title: "Validation without an early stop",
    fix: { without: true },
    cwe: 400,
    severity: "warning",
    calls: "ajv: ajv:Ajv ajv/dist/2019: ajv/dist/2020: Ajv",
    when: { argument: 0, option: "allErrors", is: [true] },
    wrong: `const Ajv = require("ajv");
const ajv = new Ajv({ allErrors: true });`,
    right: `const Ajv = require("ajv");
const ajv = new Ajv({ allErrors: false });`,
    words: {
      what: "Checking goes on after the first error.",
      attack: "Input made for it keeps the server busy and fills its memory.",
      mend: "Leave `allErrors` out.",
    },
  },
  {
    id: "data/xml-entities",
    title: "XML entity expansion",
    unlessSaid: "data/xml",
    cwe: 776,
    severity: "warning",
    properties: "processEntities resolveExternalEntities expandEntities noent replaceEntities loadExternalSubset",
    when: { all: [{ argument: 0, is: [true] }, { file: /xml/i }] },
    fix: { value: "false" },
    wrong: `const xml = new XMLReader({ resolveExternalEntities: true });`,
    right: `const xml = new XMLReader({ resolveExternalEntities: false });`,
    words: {
      what: "This XML parser expands entities.",
      attack: "A document reads files of the server, or fills its memory.",
      mend: "Switch it off.",
    },
  },
  {
    id: "data/one-replacement",
    title: "Incomplete escaping: only the first match replaced",
    fix: { names: { replace: "replaceAll" } },
    cwe: 116,
    severity: "info",
    calls: "*.replace",
    when: {
      all: [
        { argument: 0, is: ["<", ">", "'", '"', "&", "../", "..", "<script>", ";", "`", "$", "/../"] },
        { argument: 1, written: true },
      ],
    },
    wrong: `export const clean = (text) => text.replace("<", "&lt;");`,
    right: `export const clean = (text) => text.replaceAll("<", "&lt;");`,
    words: {
      what: "Only the first one is replaced.",
      attack: "The second one goes through.",
      mend: "Use `replaceAll`, or a function made for it.",
    },
  },
  {
    id: "data/no-assert",
    title: "Out-of-bounds buffer access",
    cwe: 125,
    severity: "warning",
    calls:
      "*.readUInt8|readUInt16LE|readUInt16BE|readUInt32LE|readUInt32BE|readInt8|readInt16LE|readInt16BE|readInt32LE|readInt32BE|readFloatLE|readFloatBE|readDoubleLE|readDoubleBE|writeUInt8|writeUInt16LE|writeUInt16BE|writeUInt32LE|writeUInt32BE|writeInt8|writeInt16LE|writeInt32LE|writeFloatLE|writeDoubleLE",
    when: { argument: -1, is: [true] },
    wrong: `const size = buffer.readUInt8(0, true);`,
    right: `const size = buffer.readUInt8(0);`,
    words: {
      what: "It is not checked that the place is inside of the buffer.",
      attack: "Memory of others is read or written.",
      mend: "Leave the last argument out.",
    },
  },
];
