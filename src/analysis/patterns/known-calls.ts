import { NameTable } from "./name-pattern.ts";

/** Text and collections: what such a member gives is made of what it is called on, and of what it is given. */
export const PASSING = new Set(
  "toString trim trimStart trimEnd slice substring substr concat split join toLowerCase toUpperCase toLocaleLowerCase toLocaleUpperCase normalize padStart padEnd repeat at pop shift replace replaceAll reverse sort flat filter find map flatMap reduce get getAll values keys entries valueOf then catch finally charAt match matchAll exec toJSON text json arrayBuffer formData item set append add push unshift with splice toSorted".split(
    " ",
  ),
);
/** Answers that are numbers or yes and no. */
export const HARMLESS = new Set(
  "includes indexOf lastIndexOf startsWith endsWith test has hasOwnProperty some every findIndex length localeCompare search charCodeAt codePointAt getTime isInteger isFinite isNaN isSafeInteger byteLength equals compare status end send write writeHead sendStatus forEach setHeader".split(
    " ",
  ),
);
/** Functions that give on what they get. */
export const CARRIERS = new NameTable<true>();
CARRIERS.add(
  true,
  `String Object JSON.stringify JSON.parse Buffer.from Buffer.concat decodeURIComponent decodeURI unescape atob btoa URL URLSearchParams Object.assign|values|keys|entries|fromEntries|freeze
   Array.from|of Array Promise.resolve|all|race Set Map Blob Request Headers structuredClone Uint8Array TextDecoder().decode
   path|path/posix|path/win32:join|resolve|normalize|relative path|path/posix:posix.join|posix.resolve|win32.join|format url:parse|resolve|format|URL|URLSearchParams util:format|inspect|promisify
   querystring|qs:parse|stringify|unescape lodash:..merge|get|template|trim|join|map|assign|pick|cloneDeep|toString buffer:Buffer.from|Buffer.concat
   cookie:parse body-parser:..json sprintf-js:sprintf|vsprintf dedent: String.raw
   pathlib:Path|PurePath|PosixPath base64:b64decode|urlsafe_b64decode|standard_b64decode|b32decode|decodebytes binascii:unhexlify|a2b_base64 zlib:decompress bytes bytearray`,
);

/** Of those that give on: what they are given only chooses. */
export const CHOOSING = new Set(["get", "find", "filter", "at", "item", "match"]);

/** What these are given is a place. */
export const CUTTING = new Set(["slice", "substring", "substr"]);

export const PLAIN_TEXT = new Set(["hex", "base64", "base64url", "2", "10", "16", "32", "36"]);
export const ITERATORS = new Set(
  "map forEach filter find some every flatMap reduce reduceRight then findIndex".split(" "),
);
export const KNOWN_GLOBALS = new Set(
  "undefined arguments module exports require console document window global globalThis self process navigator location history screen __dirname __filename performance crypto fetch localStorage sessionStorage jest vi describe it expect test".split(
    " ",
  ),
);
export const SOUNDS_CLEANING =
  /sanit|escape|quote|encod|purif|whitelist|allowlist|validat|slugify|strip(?:tags|html)|hash|digest|encrypt|sign(?:$|[A-Z])|parse(?:Int|Float|Number)|^to(?:Int|Number)|uuid/i;

export function isUnreadable(name: string): boolean {
  return /^(?:find|findOne|findAll|findBy\w*|findUnique|findFirst|findMany|query|fetch|get|head|save|create|insert\w*|update\w*|select|count|load\w*|verify|compare|delete|remove|exists|where|first|one|request|open|connect|read\w*|axios|post|put|patch|send|exec|execute|run)$/.test(
    name,
  );
}

/** Functions whose result no outsider influences, or which only make something. */
export function isLocalOnly(path: string, last: string): boolean {
  return (
    /^(?:Math|Date|Number|Boolean|Symbol|BigInt|performance|Object\.(?:create|getPrototypeOf)|crypto|console|setTimeout|setInterval|clearTimeout|require|os|express|koa|fastify|hono|path|util|uuid|nanoid|ulid|React|react|vue|jest|vitest|chai)\b/.test(
      path,
    ) ||
    /^(?:randomUUID|randomBytes|now|uuid|v4|nanoid|getElementById|querySelector|createElement|createServer|get[A-Z]\w*Id)$/.test(
      last,
    )
  );
}
