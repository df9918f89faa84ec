/** Yields the lines of a text one by one, without line ends, so that a long report is not copied. */
export function* linesOf(text: string): Generator<string> {
  let start = 0
  while (start <= text.length) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    yield text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end)
    start = end + 1
  }
}
