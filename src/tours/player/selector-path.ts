/**
 * A selector of an element inside a shadow root or a frame names the way to it: `my-app >>> #menu >>> button`. Each part
 * before `>>>` is the selector of an element with an open shadow root, or of a frame of the same origin; the part after
 * it is searched inside. CSS has no such combinator, so a selector without `>>>` keeps its meaning.
 */
export const pathSeparator = ' >>> '

/** More levels than pages nest components and frames. */
export const maxPathParts = 8

/** The parts of a selector; one part when the element is in the page itself. `>>>` inside quotes separates nothing. */
export function splitSelector(selector: string): string[] {
  const parts: string[] = []
  let start = 0
  for (const { index, 0: token } of selector.matchAll(/\\.|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|>>>/gs)) {
    if (token !== '>>>') continue
    parts.push(selector.slice(start, index).trim())
    start = index + token.length
  }
  return [...parts, selector.slice(start).trim()]
}
