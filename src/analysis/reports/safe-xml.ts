import { XMLParser } from "fast-xml-parser";

/** No tool declares entities in a report; who does wants them to grow. */
export function declaresEntities(text: string): boolean {
  return /<!DOCTYPE|<!ENTITY/i.test(text);
}

/**
 * XML as plain objects, attributes with `@` before their names; undefined where it is none. Entities are left as they stand.
 * @param lists names of elements that are an array even where there is one
 */
export function parseXml(text: string, lists: ReadonlySet<string>): unknown {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    parseAttributeValue: false,
    parseTagValue: false,
    trimValues: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    // Decoded here, where nothing can be declared.
    processEntities: false,
    isArray: (name) => lists.has(name),
  });
  try {
    return parser.parse(text.startsWith("\ufeff") ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** The five entities of XML and characters by their number. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (given, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? given;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : given;
  });
}
