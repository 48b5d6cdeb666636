/** As the index of Python compares names. */
export function pythonName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}
