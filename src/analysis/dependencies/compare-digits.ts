/** Numbers of any length, as versions have them: a date with a time has more digits than a number of the language keeps. */
export function compareDigits(a: string, b: string): number {
  const [left, right] = [withoutZeros(a), withoutZeros(b)];
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}

function withoutZeros(digits: string): string {
  let at = 0;
  while (at < digits.length - 1 && digits[at] === "0") at += 1;
  return digits.slice(at);
}
