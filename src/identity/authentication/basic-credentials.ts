export interface BasicCredentials {
  readonly username: string
  readonly password: string
}

/** Reads what follows `Basic` in an Authorization header: base64 of `username:password` in UTF-8. */
export function readBasicCredentials(encoded: string): BasicCredentials | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}
