import { STATUS_CODES } from 'node:http'

interface HeadOptions {
  /** Undefined when the connection is closed after the response. */
  readonly keepSeconds: number | undefined
  readonly date: string
}

interface WrittenHead {
  readonly text: string
  /** The connection can serve another request after the response. */
  readonly isKept: boolean
  /** The body is sent in chunks, because its length is unknown. */
  readonly isChunked: boolean
}

/** 204 and 304 have no body. */
export function hasNoBody(status: number): boolean {
  return status === 204 || status === 304
}

/**
 * The head of a response with the fields that Node's server adds as well. Headers are alternating names and values; those of nodes come
 * from a parser that rejects line breaks.
 */
export function writeResponseHead(
  status: number,
  headers: readonly string[],
  { keepSeconds, date }: HeadOptions,
): WrittenHead {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
  let hasDate = false
  let hasLength = false
  let hasConnection = false
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? ''
    const value = headers[index + 1] ?? ''
    if (name.length === 4) hasDate ||= name.toLowerCase() === 'date'
    else if (name.length === 14) hasLength ||= name.toLowerCase() === 'content-length'
    // Only a failure has this field, to close the connection.
    else if (name.length === 10) hasConnection ||= name.toLowerCase() === 'connection'
    text += `${name}: ${value}\r\n`
  }
  if (!hasDate) text += `Date: ${date}\r\n`
  const isKept = keepSeconds !== undefined && !hasConnection
  if (isKept) text += `Connection: keep-alive\r\nKeep-Alive: timeout=${keepSeconds}\r\n`
  else if (!hasConnection) text += 'Connection: close\r\n'
  const isChunked = !hasLength && !hasNoBody(status)
  if (isChunked) text += 'Transfer-Encoding: chunked\r\n'
  return { text: `${text}\r\n`, isKept, isChunked }
}

/** Returns the date in the format of HTTP, which changes once a second. */
export function createHttpDate(): () => string {
  let second = 0
  let date = ''
  return () => {
    const now = Math.floor(Date.now() / 1000)
    if (now !== second) {
      second = now
      date = new Date(now * 1000).toUTCString()
    }
    return date
  }
}
