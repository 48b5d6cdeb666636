import { calledAs } from "../workspace/called-as.ts";

/**
 * Text that pull requests and terminals share, with the commands in it as the user starts Forge here: plain `forge` can be missing or another
 * program.
 */
export function asCalled(text: string, called = calledAs()): string {
  return text.replaceAll("`forge doctor", () => `\`${called} doctor`);
}
