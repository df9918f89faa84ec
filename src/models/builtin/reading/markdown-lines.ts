/** A line of a Markdown source, or a part of a long one. */
export interface MarkdownLine {
  /** With its line end, when it goes up to it. */
  readonly text: string
  /** Undefined at the beginning of a line; else what stood where the line was cut. */
  readonly glue: '' | ' ' | undefined
  /** Signs that mean something to Markdown, which is what parsing costs. */
  readonly markers: number
}

/** No line that is handed on is longer or has more markers. */
export const longestLine = { chars: 4096, markers: 256 } as const

const marker = /[*_]+|[[\]<&\\>]|`+|(?:[-+#=~]|\d[.)])(?=\s|$)|\n/g
const fenceStart = /^[ \t]*(?:(?<ticks>`{3,})[^`]*|(?<waves>~{3,}).*)$/
const fenceEnd = /^[ \t]*(?<sign>`{3,}|~{3,})[ \t]*$/

/** Goes through a source line by line. What stands inside fenced code is left out: it is no prose, only its block is counted. */
export function* markdownLines(source: string): Generator<MarkdownLine, void, void> {
  let fence: string | undefined
  for (let start = 0; start < source.length; ) {
    const end = source.indexOf('\n', start)
    const line = source.slice(start, end < 0 ? source.length : end + 1)
    start += line.length
    if (fence === undefined) {
      const { ticks, waves } = fenceStart.exec(line.trimEnd())?.groups ?? {}
      fence = ticks ?? waves
      yield* cutLine(line)
    } else if (closes(line, fence)) {
      fence = undefined
      yield* cutLine(line)
    }
  }
}

function closes(line: string, fence: string): boolean {
  const sign = fenceEnd.exec(line.trimEnd())?.groups?.['sign']
  return sign !== undefined && sign[0] === fence[0] && sign.length >= fence.length
}

function* cutLine(line: string): Generator<MarkdownLine, void, void> {
  let glue: MarkdownLine['glue']
  for (let start = 0; start < line.length; ) {
    const { end, markers } = fitting(line, start)
    const cutAt = end === line.length ? end : niceCut(line, start, end)
    yield { text: line.slice(start, cutAt), glue, markers }
    start = cutAt
    glue = line[cutAt - 1] === ' ' ? ' ' : ''
  }
}

/** How far a line goes from here before it has too much of something. */
function fitting(line: string, start: number): { readonly end: number; readonly markers: number } {
  const end = Math.min(line.length, start + longestLine.chars)
  const found = line.slice(start, end).matchAll(marker)
  let markers = 0
  for (const { index } of found) {
    if (markers === longestLine.markers) return { end: start + index, markers }
    markers += 1
  }
  return { end, markers }
}

/** At a blank when there is one near, and never inside a character. */
function niceCut(line: string, start: number, end: number): number {
  const blank = line.lastIndexOf(' ', end - 1)
  if (blank > start + (end - start) / 2) return blank + 1
  const last = line.charCodeAt(end - 1)
  return last >= 0xd800 && last < 0xdc00 && end - 1 > start ? end - 1 : end
}
