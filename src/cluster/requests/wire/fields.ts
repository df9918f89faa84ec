/** The parts of HTTP/1.1 that the parsers of requests and of responses have in common. */

const fieldName = /^[\w!#$%&'*+.^`|~-]+$/
const unfitForValue = /[^\t\x20-\x7e\x80-\xff]/
const wholeNumber = /^\d{1,15}$/

export const endOfHead = '\r\n\r\n'

/** Names that clients, proxies and runtimes send with most messages. */
const usualNames = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'host',
  'keep-alive',
  'server',
  'traceparent',
  'transfer-encoding',
  'user-agent',
  'vary',
  'via',
  'x-api-key',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'x-request-id',
  'x-session-id',
]
/** In lower case by their usual spellings: looking a name up is cheaper than checking and converting it. */
const usualSpellings: ReadonlyMap<string, string> = new Map(
  usualNames.flatMap((name) => [
    [name, name],
    [name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()), name],
  ]),
)

/** A field name in lower case; undefined if it is none. */
export function readFieldName(name: string): string | undefined {
  return usualSpellings.get(name) ?? (fieldName.test(name) ? name.toLowerCase() : undefined)
}

/** Whether a text is a field value: it has no control characters but tabs, and so no line breaks. */
export function isFieldValue(text: string): boolean {
  return !unfitForValue.test(text)
}

/** Trims spaces and tabs only: `trim` removes other bytes as well. */
export function trimBlanks(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isBlank(text.charCodeAt(from))) from += 1
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1
  return text.slice(from, to)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/** The value of `Content-Length`; undefined unless it is decimal digits alone. */
export function readContentLength(value: string): number | undefined {
  return wholeNumber.test(value) ? Number(value) : undefined
}
