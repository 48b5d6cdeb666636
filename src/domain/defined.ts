/** Members that may be undefined become members that may be absent; the others stay as they are. */
type Defined<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<Members[Name], undefined>;
};

/**
 * The members that have a value, to be spread into a literal: `{ id, ...defined({ title }) }`. With `exactOptionalPropertyTypes` a member
 * that is absent is not one that is undefined.
 */
export function defined<Members extends object>(members: Members): Defined<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<Members>;
}
