/** Severity of a finding, mildest first; not the same scale as the level of a risk. A file without imports, for readers that start for each change. */
export const SEVERITIES = ["info", "warning", "error", "critical"] as const;
