import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** What `deploy/` has for Prometheus and Grafana. */
export const RULES = "deploy/prometheus/alerts.yml";
export const TESTS = ["deploy/prometheus/alerts.test.yml", "deploy/prometheus/alerts.week.test.yml"];

export interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}
export const panels: readonly Panel[] = JSON.parse(readFileSync("deploy/grafana/forge.json", "utf8")).panels;
export const plots = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
export const rules: readonly { readonly alert: string; readonly expr: string }[] = parse(readFileSync(RULES, "utf8"))
  .groups[0].rules;

/** The metrics of Forge that an expression is about. */
export function namesIn(expr: string): string[] {
  return [...new Set(expr.match(/\bforge_\w+/g) ?? [])];
}

/** The labels that it matches on and those that it groups by. */
export function labelsIn(expr: string): string[] {
  const matched = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside]) => [...inside!.matchAll(/(\w+)=~?"/g)]);
  const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, inside]) => inside!.split(/, */));
  return [...new Set([...matched.map(([, label]) => label!), ...grouped])];
}
