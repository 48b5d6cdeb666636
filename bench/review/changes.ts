/** TypeScript that nothing is wrong with, different for every seed: `lines` lines in all. */
export function cleanModule(seed: number, lines: number): string {
  const parts: string[] = [];
  for (let at = 0; parts.length < lines; at += 1) {
    const name = `step${seed}x${at}`;
    parts.push(
      `/** Adds up what step ${at} of module ${seed} counted. */`,
      `export function ${name}(values: readonly number[], limit: number): number {`,
      "  let total = 0;",
      "  for (const value of values) {",
      `    if (value > limit * ${at + 1}) continue;`,
      `    total += value * ${seed + 1};`,
      "  }",
      "  return total;",
      "}",
      "",
    );
  }
  return `${parts.slice(0, lines).join("\n")}\n`;
}

/** The same with a fault that is found in every file: a constant that is assigned again. */
export function faultyModule(seed: number, lines: number): string {
  return `${cleanModule(seed, lines)}const limit${seed} = 1;\nlimit${seed} = 2;\nexport { limit${seed} };\n`;
}

export function files(count: number, lines: number, make: (seed: number, lines: number) => string, from = 0) {
  const entries = Array.from({ length: count }, (_, at) => {
    return [`src/part${Math.floor(at / 50)}/module${from + at}.ts`, make(from + at, lines)] as const;
  });
  return Object.fromEntries(entries);
}
