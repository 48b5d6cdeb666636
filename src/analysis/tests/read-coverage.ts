import { z } from "zod";
import { pathInCheckout } from "../reports/reported-path.ts";
import { decodeEntities, parseXml } from "../reports/safe-xml.ts";
import { type CoverageFormat, type CoverageOptions, type CoverageReport, gatherCoverage } from "./coverage-report.ts";

const READERS: Readonly<
  Record<CoverageFormat, (text: string, options: CoverageOptions) => CoverageReport | undefined>
> = { lcov: readLcov, istanbul: readIstanbul, cobertura: readCobertura };

/** Reads a coverage report; undefined where it is none, or is empty. Never throws, whatever it is given. */
export function readCoverage(
  format: CoverageFormat,
  text: string,
  options: CoverageOptions,
): CoverageReport | undefined {
  return READERS[format](text, options);
}

function readLcov(text: string, { root, only }: CoverageOptions): CoverageReport | undefined {
  const gathering = gatherCoverage(only);
  let path: string | undefined;
  let lines: [number, number][] = [];
  let branches = { covered: 0, all: 0 };
  let functions = { covered: 0, all: 0 };
  for (const line of text.split("\n")) {
    const [, word, rest = ""] = /^([A-Z]{2,6}):(.*?)\r?$/.exec(line) ?? [];
    if (word === "SF") {
      path = pathInCheckout(rest, root);
      lines = [];
      branches = { covered: 0, all: 0 };
      functions = { covered: 0, all: 0 };
    } else if (word === "DA") {
      const [at, hits] = rest.split(",");
      lines.push([Number(at), Number(hits)]);
    } else if (word === "BRF") branches = { ...branches, all: countOf(rest) };
    else if (word === "BRH") branches = { ...branches, covered: countOf(rest) };
    else if (word === "FNF") functions = { ...functions, all: countOf(rest) };
    else if (word === "FNH") functions = { ...functions, covered: countOf(rest) };
    else if (/^end_of_record\r?$/.test(line)) {
      if (path !== undefined) gathering.take(path, lines, { branches, functions });
      path = undefined;
    }
  }
  return gathering.finish();
}

const hits = z.record(z.string(), z.number());
const IstanbulFile = z.object({
  path: z.string(),
  statementMap: z.record(z.string(), z.object({ start: z.object({ line: z.number() }) })),
  s: hits,
  f: hits.default({}),
  b: z.record(z.string(), z.array(z.number())).default({}),
});

/** Istanbul's `coverage-final.json`: a line counts as often as its busiest statement. */
function readIstanbul(text: string, { root, only }: CoverageOptions): CoverageReport | undefined {
  const files = z.record(z.string(), z.unknown()).safeParse(parseJson(text)).data;
  if (files === undefined) return undefined;
  const gathering = gatherCoverage(only);
  for (const given of Object.values(files)) {
    const file = IstanbulFile.safeParse(given).data;
    const path = file && pathInCheckout(file.path, root);
    if (file === undefined || path === undefined) continue;
    const lines = new Map<number, number>();
    for (const [id, { start }] of Object.entries(file.statementMap))
      lines.set(start.line, Math.max(lines.get(start.line) ?? 0, file.s[id] ?? 0));
    const taken = Object.values(file.b).flat();
    gathering.take(path, lines, { branches: reached(taken), functions: reached(Object.values(file.f)) });
  }
  return gathering.finish();
}

const CoberturaLine = z.object({
  "@number": z.string(),
  "@hits": z.string(),
  "@condition-coverage": z.string().optional(),
});
const Lines = z.object({ line: z.array(CoberturaLine).optional() });
const CoberturaClass = z.object({
  "@filename": z.string(),
  lines: z.union([z.literal(""), Lines]).optional(),
  methods: z
    .union([z.literal(""), z.object({ method: z.array(z.object({ "@line-rate": z.string().optional() })).optional() })])
    .optional(),
});
const Cobertura = z.object({
  coverage: z.object({
    sources: z
      .union([z.string(), z.object({ source: z.array(z.string()) })])
      .optional()
      .catch(undefined),
    packages: z.object({
      package: z.array(z.object({ classes: z.union([z.string(), z.object({ class: z.array(z.unknown()) })]) })),
    }),
  }),
});
/** In front of the first element. */
const HEAD_CHARACTERS = 10_000;
const LISTS = new Set(["package", "class", "line", "method", "source"]);

/** Cobertura's XML, as coverage.py and many others write it. Its document type names a file elsewhere, which is not opened. */
function readCobertura(text: string, { root, only }: CoverageOptions): CoverageReport | undefined {
  const head = text.slice(0, HEAD_CHARACTERS);
  if (/<!ENTITY/i.test(text) || /<!DOCTYPE[^>]*\[/i.test(head)) return undefined;
  if (!head.includes("<coverage")) return undefined;
  const report = Cobertura.safeParse(parseXml(text, LISTS)).data;
  if (report === undefined) return undefined;
  const gathering = gatherCoverage(only);
  const { sources, packages } = report.coverage;
  const roots = typeof sources === "object" ? sources.source.slice(0, 20) : [];
  for (const { classes } of packages.package) {
    for (const given of typeof classes === "string" ? [] : classes.class) {
      const one = CoberturaClass.safeParse(given).data;
      const path = one && coberturaPath(decodeEntities(one["@filename"]), roots, root, only);
      if (one === undefined || path === undefined) continue;
      const lines = typeof one.lines === "object" ? (one.lines.line ?? []) : [];
      const conditions = lines.map((line) => /\((\d{1,6})\/(\d{1,6})\)/.exec(line["@condition-coverage"] ?? ""));
      const branches = conditions.reduce(
        (sum, each) => ({ covered: sum.covered + Number(each?.[1] ?? 0), all: sum.all + Number(each?.[2] ?? 0) }),
        { covered: 0, all: 0 },
      );
      const methods = typeof one.methods === "object" ? (one.methods.method ?? []) : [];
      gathering.take(
        path,
        lines.map((line) => [Number(line["@number"]), Number(line["@hits"])] as const),
        { branches, functions: reached(methods.map((method) => Number(method["@line-rate"] ?? 0))) },
      );
    }
  }
  return gathering.finish();
}

/** Names are relative to one of the sources, it is not said to which: the first that gives a requested file. */
function coberturaPath(
  name: string,
  roots: readonly string[],
  root: string,
  only: ReadonlySet<string>,
): string | undefined {
  const places = [name, ...roots.map((each) => `${each.replace(/\/$/, "")}/${name}`)];
  const paths = places.map((place) => pathInCheckout(place, root)).filter((path) => path !== undefined);
  return paths.find((path) => only.has(path)) ?? paths[0];
}

function reached(hits: readonly number[]): { covered: number; all: number } {
  return { covered: hits.filter((each) => each > 0).length, all: hits.length };
}

function countOf(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
