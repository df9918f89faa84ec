const home = '/'
const maxLength = 8192
const here = 'http://here.invalid'

/** The path to redirect to after sign-in. Anything that a browser could read as another host becomes the start page. */
export function localDestination(given: unknown): string {
  if (typeof given !== 'string' || given.length > maxLength) return home
  // Browsers remove tabs and line breaks from URLs and treat a backslash as a slash.
  if (!given.startsWith('/') || /[\\\p{Cc}]/u.test(given) || !URL.canParse(given, here)) return home
  const { origin, pathname, search, hash } = new URL(given, here)
  if (origin !== here || pathname.startsWith('//') || /^\/user\/log(?:in|out)\/?$/.test(pathname)) return home
  return pathname + search + hash
}
