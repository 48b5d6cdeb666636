import { describe, expect, it } from "vitest";
import { drawMap } from "../../../src/analysis/map/draw-map.ts";
import { dependents, rankFiles, reach } from "../../../src/analysis/map/import-graph.ts";
import { createGraphReader, createOutlineMemory } from "../../../src/analysis/map/read-graph.ts";
import { folderWith } from "../../tools/tool-fixture.ts";
import { temporaryFolder } from "../../workspace/sandbox-machine.ts";

const { signal } = new AbortController();

function readerOf(files: Readonly<Record<string, string | Buffer>>, immutable = true) {
  const folder = folderWith(files);
  return { ...folder, read: createGraphReader({ files: folder.files, scratch: temporaryFolder(), immutable }) };
}

const PROJECT = {
  "src/money.ts":
    "export function addTax(amount: number,\n  rate: number): number {\n  return amount * rate;\n}\nconst hidden = 1;\nexport const RATE = 0.2;\nexport const half = (n: number) => n / 2;\n",
  "src/index.ts": "export { addTax } from './money.js';\nexport * from './shop.ts';\n",
  "src/shop.ts":
    "import { addTax } from './money';\nexport class Shop {\n  total(items: number[]) { return addTax(items[0], 1); }\n}\nexport interface Item { price: number }\nexport type Id = string;\n",
  "src/page.tsx": "import { Shop } from '.';\nexport default function Page() { return <p>{String(Shop)}</p>; }\n",
  "src/other.ts": "const fs = require('fs');\nexport const addTax = 1;\n",
  "test/shop.test.ts": "import { Shop } from '../src/shop.ts';\nnew Shop();\n",
  "tool/main.py":
    "from . import helper\nfrom tool.deep import thing\nimport os, tool.late\n\nclass Runner:\n    def run(self, x):\n        pass\n\nasync def start(): ...\n",
  "tool/helper.py": "def help_me(a, b):\n    return a\n",
  "tool/deep/__init__.py": "",
  "tool/late.py": "",
  "broken.ts": "export const = ;",
};

describe("the import graph", () => {
  it("TOOLS-1: knows what files declare, with lines and signatures", async () => {
    const graph = await readerOf(PROJECT).read(signal);
    const said = (path: string) =>
      graph.symbols
        .get(path)
        ?.map(({ line, kind, signature, exported }) => `${line} ${kind}${exported ? "" : " (own)"}: ${signature}`);
    expect(said("src/money.ts")).toEqual([
      "1 function: function addTax(amount: number, rate: number): number",
      "5 variable (own): hidden = 1",
      "6 variable: RATE = 0.2",
      "7 function: half = (n: number)",
    ]);
    expect(said("src/shop.ts")).toEqual([
      "2 class: class Shop",
      "3 method: total(items: number[])",
      "5 interface: interface Item",
      "6 type: type Id = string;",
    ]);
    expect(said("tool/main.py")).toEqual([
      "5 class: class Runner",
      "6 method: def run(self, x)",
      "9 function: async def start(): ...",
    ]);
    expect(graph.unread).toBe(1);
  });

  it("follows imports by the names of files, and what is passed on", async () => {
    const graph = await readerOf(PROJECT).read(signal);
    expect([...(graph.imports.get("src/page.tsx") ?? [])]).toEqual(["src/index.ts"]);
    expect([...(graph.imports.get("tool/main.py") ?? [])].sort()).toEqual([
      "tool/deep/__init__.py",
      "tool/helper.py",
      "tool/late.py",
    ]);
    expect([...reach(graph, "src/money.ts")].sort()).toEqual([
      "src/index.ts",
      "src/money.ts",
      "src/page.tsx",
      "src/shop.ts",
    ]);
    expect([...dependents(graph, ["src/money.ts"])].sort()).toEqual([
      "src/index.ts",
      "src/money.ts",
      "src/page.tsx",
      "src/shop.ts",
      "test/shop.test.ts",
    ]);
  });

  it("sees a file that changed, where files may change", async () => {
    const { files, read } = readerOf({ "a.ts": "export const one = 1;\n" }, false);
    await read(signal);
    await files.change(
      [
        {
          path: "a.ts",
          content: Buffer.from("export const two = 2;\n"),
          before: Buffer.from("export const one = 1;\n"),
        },
      ],
      signal,
    );
    expect((await read(signal)).symbols.get("a.ts")?.map(({ name }) => name)).toEqual(["two"]);
  });

  it("takes what another reader of this process learnt, and forgets what was asked for longest ago", async () => {
    const outlines = createOutlineMemory(2);
    const read = (files: Readonly<Record<string, string>>) =>
      createGraphReader({ ...folderWith(files), scratch: temporaryFolder(), immutable: true, outlines })(signal);
    /** The program that reads is Node. */
    const readWithoutProgram = async (files: Readonly<Record<string, string>>) => {
      const { execPath } = process;
      process.execPath = "/nonexistent/node";
      return read(files).finally(() => {
        process.execPath = execPath;
      });
    };
    const [one, two, three] = [1, 2, 3].map((at) => `export const number${at} = ${at};\n`) as [string, string, string];
    await read({ "a.ts": one, "b.ts": two });
    const graph = await readWithoutProgram({ "moved.ts": one });
    expect(graph.symbols.get("moved.ts")?.map(({ signature }) => signature)).toEqual(["number1 = 1"]);
    await read({ "c.ts": three });
    await readWithoutProgram({ "a.ts": one });
    await expect(readWithoutProgram({ "b.ts": two })).rejects.toThrow();
  });

  it("reads no file whose content it knows by the id that the list gives", async () => {
    const outlines = createOutlineMemory();
    const { files } = folderWith({ "a.ts": "export const one = 1;\n", "b.ts": "export const two = 2;\n" });
    const asked: (readonly string[])[] = [];
    const identified = {
      ...files,
      list: async () => ({
        ...{ ok: true as const, paths: ["a.ts", "b.ts"], truncated: false },
        ids: new Map([["a.ts", "d8157863065d81742f8fb38fe13ec2cc05ce8207"]]),
      }),
      readMany: (paths: readonly string[]) => {
        asked.push(paths);
        return files.readMany(paths, signal);
      },
    };
    const read = createGraphReader({ files: identified, scratch: temporaryFolder(), immutable: false, outlines });
    await read(signal);
    expect([...(await read(signal)).symbols.keys()]).toEqual(["a.ts", "b.ts"]);
    expect(asked).toEqual([["a.ts", "b.ts"], ["b.ts"]]);
  });

  it("survives a file that kills the parser", async () => {
    const { read } = readerOf({
      "a.ts": "export const one = 1;\n",
      "bomb.ts": `export const x = ${"[".repeat(140_000)}`,
    });
    const graph = await read(signal);
    expect([...graph.symbols.keys()]).toEqual(["a.ts"]);
    expect(graph.unread).toBe(1);
  });

  it("ranks what is near to the focus before what is not", async () => {
    const graph = await readerOf(PROJECT).read(signal);
    const ranks = rankFiles(graph, ["src/shop.ts"]);
    const order = [...ranks].sort(([, a], [, b]) => b - a).map(([path]) => path);
    expect(order[0]).toBe("src/shop.ts");
    expect(order[1]).toBe("src/money.ts");
    expect(ranks.get("tool/main.py")).toBe(0);
    expect([...ranks.values()].reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 6);
    expect([...rankFiles(graph, []).values()].reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 6);
  });

  it("TOOLS-1: draws a map that keeps to its budget and says where it goes on", async () => {
    const graph = await readerOf(PROJECT).read(signal);
    const whole = drawMap(graph, { focus: ["src/shop.ts"], budgetTokens: 5_000, fromFile: 1 });
    expect(whole.left).toBe(0);
    expect(whole.blocks[0]).toBe(
      "src/shop.ts (imported by 2) *\n  imports src/money.ts\n  2: class Shop\n  3:   total(items: number[])\n  5: interface Item\n  6: type Id = string;",
    );
    expect(whole.blocks[1]).not.toContain("hidden");
    const cut = drawMap(graph, { focus: ["src/shop.ts"], budgetTokens: 60, fromFile: 1 });
    expect(cut.blocks.join("\n").length).toBeLessThanOrEqual(60 * 3.5);
    expect(cut.left).toBe(whole.blocks.length - cut.blocks.length);
    const rest = drawMap(graph, { focus: ["src/shop.ts"], budgetTokens: 5_000, fromFile: cut.blocks.length + 1 });
    expect([...cut.blocks, ...rest.blocks]).toEqual(whole.blocks);
  });
});
