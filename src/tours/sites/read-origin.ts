/** An origin as browsers send it; undefined for text that is none or has a path, a query or a password. */
export function readOrigin(written: string): string | undefined {
  const text = written.trim()
  if (!URL.canParse(text)) return undefined
  const { protocol, origin, href } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  return href === `${origin}/` ? origin : undefined
}
