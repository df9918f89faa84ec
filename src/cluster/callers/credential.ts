import type { IncomingHttpHeaders } from 'node:http'

/** The credential of a caller. */
export interface Credential {
  readonly kind: 'bearer' | 'basic' | 'key' | 'unknown'
  readonly value: string
}

/** Only the first credential counts; an invalid one is never skipped for the next. */
export function readCredential(headers: IncomingHttpHeaders): Credential | undefined {
  const { authorization, 'x-api-key': apiKey } = headers
  if (authorization !== undefined) return readAuthorization(authorization)
  const key = typeof apiKey === 'string' ? apiKey : apiKey?.[0]
  return key === undefined ? undefined : { kind: 'key', value: key }
}

function readAuthorization(header: string): Credential {
  const value = header.slice(header.indexOf(' ') + 1).trim()
  if (/^bearer /i.test(header)) return { kind: 'bearer', value }
  if (/^basic /i.test(header)) return { kind: 'basic', value }
  return { kind: 'unknown', value: header }
}
