/** Whether a browser has this very content already, by what it sends as `If-None-Match`. */
export function hasTag(header: string | undefined, tag: string): boolean {
  const known = new Set((header ?? '').split(',').map((one) => one.trim()))
  return known.has(tag) || known.has('*')
}
