import { ofTheConnection } from '../passed-headers.ts'
import { isFieldValue, readContentLength, readFieldName, trimBlanks } from './fields.ts'

/** The head of a response. */
export interface ResponseHead {
  readonly status: number
  /** Alternating names and values as the node sent them, without hop-by-hop headers. */
  readonly headers: readonly string[]
  /** The content type in lower case, or an empty string. */
  readonly type: string
  /** Undefined when unknown. */
  readonly length: number | undefined
  /** The body is compressed. */
  readonly isEncoded: boolean
}

/** The head with the details that only the connection needs. */
export interface WireHead extends ResponseHead {
  /** How the end of the body is determined. */
  readonly ending: 'none' | 'length' | 'chunks' | 'close'
  /** How long the connection can be kept for another request. */
  readonly keepMs: number
}

export const maxHeadBytes = 16 * 1024

/** Many servers close connections that are idle for five seconds. */
const maxKeepMs = 4000

const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/
const closing = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i
const keepTimeout = /timeout=(\d{1,6})/i

/**
 * Parses the head of a response, up to the empty line. Rejects a response whose end is ambiguous, because the rest of it could
 * be taken for the next response (response smuggling).
 */
export function readHead(text: string): WireHead {
  const lines = text.split('\r\n')
  const first = statusLine.exec(lines[0] ?? '')
  if (first === null) throw new InvalidResponse('it does not begin with a status line')
  const status = Number(first[2])
  const headers: string[] = []
  let type = ''
  let length: number | undefined
  let isEncoded = false
  let isChunked = false
  let keepMs = first[1] === '1' ? maxKeepMs : 0
  for (let index = 1; index < lines.length; index++) {
    const { name, lower, value } = readField(lines[index] ?? '')
    switch (lower) {
      case 'content-length':
        if (length !== undefined) throw new InvalidResponse('it tells its length twice')
        length = readLength(value)
        break
      case 'transfer-encoding':
        if (isChunked || value.toLowerCase() !== 'chunked') {
          throw new InvalidResponse('it has a transfer encoding other than chunked')
        }
        isChunked = true
        break
      case 'connection':
        if (closing.test(value)) keepMs = 0
        break
      case 'keep-alive':
        keepMs = Math.min(keepMs, readKeepMs(value))
        break
      case 'content-type':
        type = value.toLowerCase()
        break
      case 'content-encoding':
        isEncoded = true
        break
      default:
    }
    if (!ofTheConnection.has(lower)) headers.push(name, value)
  }
  if (isChunked && length !== undefined) throw new InvalidResponse('it tells its length and comes in chunks')
  if (isChunked && first[1] === '0')
    throw new InvalidResponse('it comes in chunks, which HTTP/1.0 does not have')
  if (hasNoBody(status)) refuseBody(status, isChunked, length)
  const ending = hasNoBody(status) ? 'none' : isChunked ? 'chunks' : length === undefined ? 'close' : 'length'
  return { status, headers, type, length, isEncoded, ending, keepMs: ending === 'close' ? 0 : keepMs }
}

/** Parses one header line, or one trailer line after the last chunk. */
export function readField(line: string): {
  readonly name: string
  /** The name in lower case. */
  readonly lower: string
  readonly value: string
} {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(0, colon))
  // A folded line starts with a space, which is not allowed in a name.
  const lower = readFieldName(name)
  if (lower === undefined) throw new InvalidResponse('it has a header without a proper name')
  const value = trimBlanks(line.slice(colon + 1))
  if (!isFieldValue(value)) throw new InvalidResponse('it has control characters in a header')
  return { name, lower, value }
}

function readLength(value: string): number {
  const length = readContentLength(value)
  if (length === undefined) throw new InvalidResponse('its length is not a whole number')
  return length
}

/** One second less than the node announces, so that a connection about to be closed is not reused. */
function readKeepMs(value: string): number {
  const seconds = keepTimeout.exec(value)?.[1]
  return seconds === undefined ? maxKeepMs : Math.max(0, Number(seconds) - 1) * 1000
}

function hasNoBody(status: number): boolean {
  return status < 200 || status === 204 || status === 304
}

/** The length in a 304 is that of the omitted body. */
function refuseBody(status: number, isChunked: boolean, length = 0): void {
  if (status === 101) throw new InvalidResponse('it changes the protocol without being asked to')
  if (status !== 304 && (isChunked || length > 0)) {
    throw new InvalidResponse(`it announces a body, which status ${status} does not have`)
  }
}

/** A node sent an invalid HTTP response. The message contains nothing of it. */
export class InvalidResponse extends Error {
  override readonly name = 'InvalidResponse'
}
