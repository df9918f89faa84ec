/** Reads the address of a server, in front of its own paths: no slash at the end. What it throws completes "VARIABLE …". */
export function readServerUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error('must be an address starting with http:// or https://')
  }
  if (url.username !== '' || url.password !== '') throw new Error('must not carry a user name or password')
  if (url.search !== '' || url.hash !== '') throw new Error('must end before any "?" or "#"')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
