import { CONFIGURATION, SHOP } from "./github.ts";
import type { Telling } from "./telling.ts";

/** mia commits a configuration to the main branch: from the next review on it counts. */
export async function configure({ stage, screen }: Telling, message: string, lines: readonly string[]): Promise<void> {
  const files = { [CONFIGURATION]: `${lines.join("\n")}\n` };
  await stage.github.commit(SHOP, "main", { files, message, author: "mia" });
  const shown = lines.map((line) => `  ${screen.paint("cyan", line)}`);
  screen.say(`${screen.paint("bold", "mia")} writes into ${CONFIGURATION} on the main branch:`, ...shown, "");
}
