/** What a caller would rather have where an address answers with a page and with data. */
export type WantedAnswer = 'page' | 'data'

interface Range {
  readonly type: string
  readonly quality: number
}

/**
 * Reads an Accept header: browsers that go somewhere prefer pages, programs data. Undefined when it says neither, as
 * with no header at all; then the address decides what it is first.
 */
export function wantedAnswer(accept: string | undefined): WantedAnswer | undefined {
  if (accept === undefined) return undefined
  const ranges = accept.split(',', mostRanges).map(readRange)
  const page = preferenceFor('text/html', ranges)
  const data = preferenceFor('application/json', ranges)
  if (page.quality !== data.quality) return page.quality > data.quality ? 'page' : 'data'
  if (page.quality === 0 || page.named === data.named) return undefined
  return page.named ? 'page' : 'data'
}

/** Nobody means more than this; a longer header is somebody's attempt to keep us busy. */
const mostRanges = 32

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const written = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const quality = written === undefined ? 1 : Number(written)
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** The most exact range that covers a type decides. */
function preferenceFor(type: string, ranges: readonly Range[]): { quality: number; named: boolean } {
  const family = `${type.split('/', 1)[0]}/*`
  for (const candidate of [type, family, '*/*']) {
    const found = ranges.find((range) => range.type === candidate)
    if (found !== undefined) return { quality: found.quality, named: candidate === type }
  }
  return { quality: 0, named: false }
}
