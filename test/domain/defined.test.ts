import { expect, it } from "vitest";
import { defined } from "../../src/domain/defined.ts";

it("leaves out what is undefined and nothing else", () => {
  const all = defined({ zero: 0, empty: "", no: false, nothing: null, absent: undefined });
  expect(all).toEqual({ zero: 0, empty: "", no: false, nothing: null });
  expect("absent" in all).toBe(false);
});

it("has members that may be absent, never undefined ones, and requires the others", () => {
  const find = (): string | undefined => undefined;
  const made: { readonly id: number; readonly title?: string } = defined({ id: 1, title: find() });
  expect(made).toEqual({ id: 1 });
  // @ts-expect-error: what may be undefined may be absent
  const wrong: { readonly title: string } = defined({ title: find() });
  expect(wrong).toEqual({});
});
