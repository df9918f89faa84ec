/** Parses the base URL of a server and removes trailing slashes. The message of its error completes "VARIABLE …". */
export function readServerUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error('must be a URL starting with http:// or https://')
  }
  if (url.username !== '' || url.password !== '') throw new Error('must not contain a user name or password')
  if (url.search !== '' || url.hash !== '') throw new Error('must not contain "?" or "#"')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
