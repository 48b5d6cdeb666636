import { Fields, type Literal, readNamed } from "../../child/imports/read-literals.ts";
import { settingsIn } from "./settings-in.ts";

const SETTINGS = /^jest[\w.-]{0,80}\.config\.(?:[cm]?[jt]s|json)$|^jest\.config[\w.-]{0,80}\.(?:[cm]?[jt]s|json)$/;
/** What Jest takes by its name and lets change code, or what an import leads to. */
const PARTS = new Set(["transform", "preset", "resolver"]);
/** None of these brings code into other code. */
const KNOWN = new Set(
  [
    "babel-jest ts-jest @swc/jest esbuild-jest jest-esbuild @sucrase/jest-plugin @vue/vue3-jest @vue/vue2-jest vue-jest svelte-jester",
    "react-native jest-expo jest-preset-angular jest-transform-stub jest-transform-css jest-raw-loader jest-text-transformer",
    "jest-file-loader @nx/jest/preset @nx/jest/plugins/resolver @nx/react/plugins/jest jest-transformer-svg @glen/jest-raw-loader",
    "jest-playwright-preset jest-puppeteer @shelf/jest-mongodb @shelf/jest-dynamodb @stencil/core/testing solid-jest graphql-tag",
    "identity-obj-proxy @graphql-tools/jest-transform ts-jest-resolver jest-pnp-resolver jest-module-field-resolver jest-ts-webcompat-resolver",
    "@happy-dom/jest-environment @automock/jest yaml-jest jest-yaml-transform jest-transform-yaml jest-css-modules-transform",
  ]
    .join(" ")
    .split(" "),
);

/**
 * Whether Jest is given a package by its name that nobody knows: it may bring any file into any code. Files of the repository are read for
 * what they name, as all others are.
 */
export function hasUnknownTransform(path: string, text: string): boolean {
  const settings = settingsIn(path, text, { file: SETTINGS, member: "jest" });
  if (settings === undefined || !/transform|preset|resolver/.test(settings)) return false;
  const isData = path.endsWith(".json");
  return readNamed(settings, "", PARTS, isData).flatMap(namesIn).some(isUnknown);
}

/** `"x"`, `{ pattern: "x" }` and `{ pattern: ["x", options] }`. */
function namesIn(value: Literal): string[] {
  if (typeof value === "string") return [value];
  if (value instanceof Fields) return [...value.entries.values()].flatMap(namesIn);
  return Array.isArray(value) ? namesIn((value as readonly Literal[])[0]) : [];
}

function isUnknown(name: string): boolean {
  const isOwn = /^(?:\.|\/|<rootDir>)/.test(name);
  const [first = "", second = ""] = name.split("/", 2);
  const own = first.startsWith("@") ? `${first}/${second}` : first;
  return !isOwn && !KNOWN.has(name) && !KNOWN.has(own);
}
