import type { IncomingHttpHeaders } from 'node:http'
import { isFieldValue, readContentLength, readFieldName, trimBlanks } from '../../requests/wire/fields.ts'

/** The head of a request that our own parser accepts. */
export interface RequestHead {
  /** The path and the query. */
  readonly url: string
  /** By name in lower case; no name occurs twice. */
  readonly headers: IncomingHttpHeaders
  /** Alternating names and values, as they arrived. */
  readonly rawHeaders: readonly string[]
  /** The length of the body. */
  readonly length: number
}

/** Longer heads, and those with more fields, are left to Node's parser. */
export const maxRequestHeadBytes = 8192
const maxFields = 100

const method = 'POST '
const version = ' HTTP/1.1'
/** A path and a query of visible characters. */
const target = /^\/[\x21\x22\x24-\x7e]*$/

/**
 * Parses the head of a request, up to its empty line. Undefined for every head that is not exactly of this form, which Node's parser reads
 * instead: a POST in HTTP/1.1 with one Host, a length in digits, no field twice, no folded line, no line that ends in LF alone, and no
 * field that changes how the body or the connection ends. So two parsers never disagree about the end of a request: this one accepts
 * none whose end could be in doubt.
 */
export function readRequestHead(text: string): RequestHead | undefined {
  const endOfLine = text.indexOf('\r\n')
  if (endOfLine === -1 || !text.startsWith(method)) return undefined
  const line = text.slice(0, endOfLine)
  if (!line.endsWith(version)) return undefined
  const url = line.slice(method.length, -version.length)
  if (!target.test(url)) return undefined

  // Without a prototype, because a name such as `constructor` would be found there.
  const headers = Object.create(null) as Record<string, string>
  const rawHeaders: string[] = []
  let length: number | undefined
  for (let at = endOfLine + 2; at < text.length; ) {
    const next = text.indexOf('\r\n', at)
    const end = next === -1 ? text.length : next
    const colon = text.indexOf(':', at)
    if (colon === -1 || colon > end || rawHeaders.length >= 2 * maxFields) return undefined
    const name = text.slice(at, colon)
    const value = trimBlanks(text.slice(colon + 1, end))
    const lower = readFieldName(name)
    if (lower === undefined || headers[lower] !== undefined || !isFieldValue(value)) return undefined
    if (lower === 'content-length') {
      length = readContentLength(value)
      if (length === undefined) return undefined
    } else if (!isPlain(lower, value)) {
      return undefined
    }
    headers[lower] = value
    rawHeaders.push(name, value)
    at = end + 2
  }
  if (length === undefined || !headers['host']) return undefined
  return { url, headers, rawHeaders, length }
}

/** Whether a field leaves the end of the body and of the connection as they are. */
function isPlain(name: string, value: string): boolean {
  switch (name) {
    case 'transfer-encoding':
    case 'upgrade':
    case 'expect':
    case 'trailer':
    case 'http2-settings':
      return false
    case 'connection':
    case 'proxy-connection':
      return value.length === 10 && value.toLowerCase() === 'keep-alive'
    default:
      return true
  }
}
