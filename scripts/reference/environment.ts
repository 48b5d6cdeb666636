import { readFileSync } from "node:fs";
import { writtenFrom } from "./table.ts";

const INTRODUCTION = `# Environment variables

${writtenFrom(".env.example")}

Forge reads its own settings from the environment, and from a file named \`.env\` in the folder where it starts. A variable that is already set wins
over the file. [.env.example](../../.env.example) is that file with every variable; a value after \`# NAME=\` is the default or shows the form.
\`forge doctor\` and \`forge start\` name each variable that is wrong.
`;

/** docs/reference/environment.md: each comment of the example, with the variables below it. */
export function environmentPage(): string {
  const blocks: { readonly text: string[]; readonly names: string[] }[] = [];
  for (const line of readFileSync(".env.example", "utf8").split("\n")) {
    const variable = /^(?:# )?([A-Z][A-Z_]+=.*)$/.exec(line)?.[1];
    let block = blocks.at(-1);
    if (variable !== undefined) block?.names.push(variable);
    else if (line.startsWith("# ")) {
      if (block === undefined || block.names.length > 0) {
        block = { text: [], names: [] };
        blocks.push(block);
      }
      block.text.push(line.slice(2));
    } else if (line === "" && block !== undefined && block.names.length === 0) blocks.pop();
  }
  const sections = blocks.map(({ text, names }) => {
    const titles = names.map((name) => `\`${name.split("=")[0]}\``).join(", ");
    return `## ${titles}\n\n${text.join(" ")}\n\n\`\`\`sh\n${names.join("\n")}\n\`\`\`\n`;
  });
  return [INTRODUCTION, ...sections].join("\n");
}
