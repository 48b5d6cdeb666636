import type { Setting, Sink } from "../row.ts";

/** Input that names members, or is taken over whole: so that the wrong thing is set or called. */
export const OBJECT_SINKS: readonly Sink[] = [
  {
    id: "web/mass-assignment",
    title: "Mass assignment",
    cwe: 915,
    danger: "prototype",
    severity: "warning",
    from: "source",
    calls:
      "*.create|build|insertMany|bulkCreate|update|findByIdAndUpdate|updateOne|findOneAndUpdate|upsert Object.assign lodash:merge|assign|extend|defaultsDeep|mergeWith|set _.merge|_.assign|_.extend|_.defaultsDeep|_.set|_.mergeWith deepmerge: merge: merge-deep: jquery:extend extend: deep-extend: node.extend: object-path:set dot-prop:set lodash.merge: lodash.set: set-value: defaults-deep: hoek:merge",
    argument: "all",
    when: {
      any: [
        { argument: 0, reads: /^[\w.]*(?:body|query|params)$/ },
        { argument: 1, reads: /^[\w.]*(?:body|query|params)$|JSON\.parse|\.\.\./ },
        { argument: 2, reads: /^[\w.]*(?:body|query|params)$|JSON\.parse/ },
        {
          text: /^(?:_|lodash|\$|jQuery)?\.?(?:merge|set|extend|defaultsDeep|setValue|mergeDeep|deepmerge|defaultsDeep)\(/,
        },
      ],
    },
    // Fields that are named, or a place that the code says.
    unless: {
      any: [
        { text: /\bfields\s{0,9}:\s{0,9}\[|\b_?\.?pick\(/ },
        {
          all: [
            { text: /^(?:_|lodash)?\.?set\(/ },
            { argument: 1, is: [/^(?!.{0,200}(?:__proto__|prototype|constructor))/] },
          ],
        },
      ],
    },
    wrong: `app.post("/", (req, res) => { Object.assign(user, req.body); user.save(); });`,
    right: `app.post("/", (req, res) => { user.name = String(req.body.name); user.save(); });`,
    words: {
      what: "is taken over whole",
      attack: "It sets fields that nobody meant to be set (`isAdmin`), or `__proto__` of all objects.",
      mend: "Name the fields that may be set.",
    },
  },
  {
    id: "object/key",
    title: "Prototype pollution",
    unlessSaid: "object/deep-key",
    cwe: 1321,
    danger: "prototype",
    severity: "warning",
    writes: "*!.[].[] *!.[]",
    argument: "key",
    from: "source",
    unless: { any: [{ text: /^[\w.$]+\[\w*(?:[iI]dx|[iI]ndex|\+\+)\]/ }, { withoutPrototype: true }] },
    wrong: `app.post("/", (req, res) => { settings[req.body.name] = req.body.value; });`,
    right: `app.post("/", (req, res) => { settings.set(req.body.name, req.body.value); });`,
    words: {
      what: "names the member that is written",
      attack: "`__proto__` or `constructor` changes every object of the program.",
      mend: "Use a `Map`, or refuse these names.",
    },
  },
  {
    id: "object/deep-key",
    title: "Prototype pollution",
    cwe: 1321,
    danger: "prototype",
    severity: "warning",
    writes: "*!.[].[]",
    argument: "key",
    wrong: `export function set(object, group, name, value) { object[group][name] = value; }`,
    right: `export function set(object, group, name, value) { if (group === "__proto__" || group === "constructor" || group === "prototype") return; object.get(group).set(name, value); }`,
    unless: { file: /["']__proto__["']|hasOwn|Object\.create\(null\)/ },
    words: {
      what: "names the member that is written, two levels deep",
      attack: "`__proto__` changes every object of the program.",
      mend: "Use a `Map`, or refuse `__proto__`, `constructor` and `prototype`.",
    },
  },
  {
    id: "object/method",
    title: "Unsafe dynamic method call",
    cwe: 749,
    danger: "code",
    severity: "error",
    from: "source",
    calls: "*!.[]",
    argument: "key",
    wrong: `app.get("/", (req, res) => { actions[req.query.action](); });`,
    right: `app.get("/", (req, res) => { if (!Object.hasOwn(actions, req.query.action)) return; actions[req.query.action](); });`,
    words: {
      what: "names the function that is called",
      attack: "`constructor` and others are functions too: it calls what nobody meant to be called.",
      mend: "Ask `Object.hasOwn` first, or use a `Map`.",
    },
  },
];

export const OBJECT_SETTINGS: readonly Setting[] = [
  {
    id: "object/merge-loop",
    title: "Prototype pollution",
    unlessSaid: "object/key object/deep-key",
    cwe: 1321,
    severity: "info",
    writes: "*!.[]",
    when: {
      all: [
        { text: /^[\w.]+\[\w+\]\s*=\s*[^\n]*\[\w+\]/ },
        { within: /\bfor\s*\([^)\n]{0,80}\b(?:in|of)\b|\.forEach\(/ },
        {
          any: [
            { within: /^(?:async\s+)?function\s+(\w+)[\s\S]{10,}\b\1\s*\(/ },
            { within: /\b(?:\w*[mM]erge\w*|extend|deep\w+|defaults|mixin|clone\w*)\(/ },
          ],
        },
      ],
    },
    unless: { within: /__proto__|prototype|[hH]asOwn|Object\.create\(null\)|[sS]afeKey|isPlainKey/ },
    confidence: 0.5,
    wrong: `function merge(target, source) {
  for (const key in source) {
    if (typeof source[key] === "object") merge(target[key], source[key]);
    else target[key] = source[key];
  }
}`,
    right: `function merge(target, source) {
  for (const key in source) {
    if (key === "__proto__" || key === "constructor") continue;
    if (typeof source[key] === "object") merge(target[key], source[key]);
    else target[key] = source[key];
  }
}`,
    words: {
      what: "Members of all levels are taken over, whatever they are called.",
      attack: "JSON with `__proto__` in it changes every object of the program.",
      mend: "Leave out `__proto__`, `constructor` and `prototype`, or take over own members into a `Map`.",
    },
  },
  {
    id: "object/path-loop",
    title: "Prototype pollution",
    unlessSaid: "object/key object/deep-key",
    cwe: 1321,
    severity: "info",
    writes: "*!.[]",
    when: {
      all: [
        {
          text: /^([\w.]+)\[[^\n=]{1,60}\]\s*(?:\|\||\?\?)?=\s*(?:\1\[[^\n]{1,60}\]\s*(?:\|\||\?\?)\s*)?(?:\{\}|\[\])/,
        },
        { within: /\.split\(|\bpath\b/i },
        { within: /\b(?:for|while)\s*\(|\.reduce\(|\.forEach\(/ },
      ],
    },
    unless: { within: /__proto__|prototype|[hH]asOwn|Object\.create\(null\)|[sS]afeKey/ },
    confidence: 0.5,
    wrong: `export function set(object, path, value) {
  const keys = path.split(".");
  let at = object;
  for (const key of keys.slice(0, -1)) at = at[key] = at[key] || {};
}`,
    right: `export function set(object, path, value) {
  const keys = path.split(".");
  if (keys.includes("__proto__") || keys.includes("constructor")) return;
  let at = object;
  for (const key of keys.slice(0, -1)) at = at[key] = at[key] || {};
}`,
    words: {
      what: "A path of names is walked and made, whatever the names are.",
      attack: "`__proto__.isAdmin` sets a member of every object of the program.",
      mend: "Refuse `__proto__`, `constructor` and `prototype`.",
    },
  },
];
