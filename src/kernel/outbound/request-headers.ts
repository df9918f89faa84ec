import { outboundFailure } from './errors.ts'

// Headers of framing, connection and host are set here, not by the caller.
const reservedNames = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/
const maxBytes = 32_768

export type RequestHeaders = Readonly<Record<string, string>>

/**
 * Validates the caller's headers and adds the default ones. Compressed responses are not requested, because none is decompressed.
 * Throws `outbound_invalid_request`.
 */
export function prepareHeaders(given: RequestHeaders, accept: string | undefined): RequestHeaders {
  const headers: Record<string, string> = { 'user-agent': 'tutti', accept: accept ?? '*/*' }
  let bytes = 0
  for (const [name, value] of Object.entries(given)) {
    const lowerName = name.toLowerCase()
    if (!headerName.test(name) || reservedNames.has(lowerName) || lowerName.startsWith('proxy-')) {
      throw invalidHeader(`The header ${JSON.stringify(name.slice(0, 128))} cannot be set.`)
    }
    if (typeof value !== 'string' || !headerValue.test(value)) {
      throw invalidHeader(`The header ${name} has a value that cannot be sent.`)
    }
    bytes += name.length + value.length
    headers[lowerName] = value
  }
  if (bytes > maxBytes) throw invalidHeader('The headers are too large to be sent.')
  return { ...headers, 'accept-encoding': 'identity' }
}

function invalidHeader(message: string) {
  return outboundFailure('outbound_invalid_request', { message })
}

const secretName = /auth|cookie|key|token|secret|signature|session/

/** The headers for a redirect to another origin, without everything that could be a credential. */
export function dropCredentials(headers: RequestHeaders): RequestHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !secretName.test(name)))
}

/** The headers of a redirected request without a body. */
export function dropContent(headers: RequestHeaders): RequestHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')))
}
