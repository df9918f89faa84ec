const home = '/'
const longest = 8192
const here = 'http://here.invalid'

/** Where a sign-in leads to: a path of ours, written so that no browser can read it as another host. Else the start page. */
export function localDestination(given: unknown): string {
  if (typeof given !== 'string' || given.length > longest) return home
  // Browsers drop tabs and line ends from addresses and take a backslash for a slash.
  if (!given.startsWith('/') || /[\\\p{Cc}]/u.test(given) || !URL.canParse(given, here)) return home
  const { origin, pathname, search, hash } = new URL(given, here)
  if (origin !== here || pathname.startsWith('//') || /^\/user\/log(?:in|out)\/?$/.test(pathname)) return home
  return pathname + search + hash
}
