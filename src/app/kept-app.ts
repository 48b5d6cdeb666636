import { ForgeError } from "../domain/errors.ts";
import { APP_VARIABLES, appFileIn, readAppFile } from "../setup/app-file.ts";
import { calledAs } from "../workspace/called-as.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Whether the environment says nothing of an App. */
export function hasNoApp(environment: Variables): boolean {
  return APP_VARIABLES.every((name) => !environment[name]);
}

/**
 * The environment with the App that the set-up page registered, where it names none itself. What stands in the environment wins.
 * @throws ForgeError where it names half of an App, or the file cannot be used.
 */
export async function withKeptApp(environment: Variables): Promise<Variables> {
  const file = appFileIn(environment.FORGE_DATA || "./data");
  if (!hasNoApp(environment)) {
    checkWhole(environment, file);
    return environment;
  }
  const kept = await readAppFile(file);
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
  return kept === undefined ? environment : { ...environment, ...kept, ...given };
}

function checkWhole(environment: Variables, file: string): void {
  const hasKey = Boolean(environment.PRIVATE_KEY || environment.PRIVATE_KEY_PATH);
  const missing = [
    ...["APP_ID", "WEBHOOK_SECRET"].filter((name) => !environment[name]),
    ...(hasKey ? [] : ["PRIVATE_KEY or PRIVATE_KEY_PATH"]),
  ];
  if (missing.length === 0) return;
  const there = APP_VARIABLES.filter((name) => environment[name]).join(", ");
  throw new ForgeError(
    "configuration_half_set",
    `The environment names half of an App: ${there} set, ${missing.join(", ")} missing.\nSet the rest (see .env.example), or take all of these away: then the App in ${file} is used, and where there is none \`${calledAs()} start\` registers one.`,
    { source: "validation", severity: "critical", recoverability: "manual" },
  );
}
