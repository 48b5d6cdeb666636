/** The page of a repository. */
export function repositoryAddress(id: number): string {
  return `/repositories/${id}`;
}
