import { expect, it } from "vitest";
import { placesOf } from "../../src/domain/places-of.ts";

it.each<[string, string, number[]]>([
  ["abcabc", "abc", [0, 3]],
  ["aaaa", "aa", [0, 2]],
  ["ababac", "abac", [2]],
  ["aabaaabaaa", "aabaaa", [0]],
  ["abc", "abcd", []],
  ["abc", "", []],
  ["", "a", []],
  ["😀😀", "😀", [0, 2]],
])("finds in %j the places of %j", (whole, part, places) => {
  expect(placesOf(whole, part)).toEqual(places);
});

it("finds every place that the search of the engine finds", () => {
  const words = Array.from({ length: 64 }, (_, at) => at.toString(2));
  const whole = words.join("");
  for (const part of words) {
    const places: number[] = [];
    for (let at = whole.indexOf(part); at !== -1; at = whole.indexOf(part, at + part.length)) places.push(at);
    expect(placesOf(whole, part)).toEqual(places);
    expect(placesOf([...whole], [...part])).toEqual(places);
  }
});

it("finds overlapping places, and those from somewhere on, when asked", () => {
  expect(placesOf("aaaa", "aa", { overlapping: true })).toEqual([0, 1, 2]);
  expect(placesOf("abababa", "aba", { overlapping: true, from: 1 })).toEqual([2, 4]);
});
