/** The smallest replacement that turns one text into another, so that a cursor outside of it keeps its position. */
export function smallestChange(
  before: string,
  after: string,
): { readonly from: number; readonly to: number; readonly insert: string } {
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before[from] === after[from]) from += 1
  // A surrogate pair is one character: its halves stay together.
  if (isHighSurrogate(before, from - 1)) from -= 1
  let end = 0
  while (end < most - from && before.at(-1 - end) === after.at(-1 - end)) end += 1
  if (end > 0 && isHighSurrogate(before, before.length - end - 1)) end -= 1
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) }
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xd8_00 && code <= 0xdb_ff
}
