/** The format a client prefers where a path serves a page and data. */
export type PreferredFormat = 'page' | 'data'

interface Range {
  readonly type: string
  readonly quality: number
}

/**
 * Reads an Accept header: browsers prefer pages, programs data. Undefined without a preference or without a header; then the route
 * without a constraint responds.
 */
export function preferredFormat(accept: string | undefined): PreferredFormat | undefined {
  if (accept === undefined) return undefined
  const ranges = accept.split(',', maxRanges).map(readRange)
  const page = preferenceFor('text/html', ranges)
  const data = preferenceFor('application/json', ranges)
  if (page.quality !== data.quality) return page.quality > data.quality ? 'page' : 'data'
  if (page.quality === 0 || page.named === data.named) return undefined
  return page.named ? 'page' : 'data'
}

/** More than any real header; the limit bounds the work for a hostile one. */
const maxRanges = 32

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const written = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const quality = written === undefined ? 1 : Number(written)
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** The most specific range that covers the type decides. */
function preferenceFor(type: string, ranges: readonly Range[]): { quality: number; named: boolean } {
  const family = `${type.split('/', 1)[0]}/*`
  for (const candidate of [type, family, '*/*']) {
    const found = ranges.find((range) => range.type === candidate)
    if (found !== undefined) return { quality: found.quality, named: candidate === type }
  }
  return { quality: 0, named: false }
}
