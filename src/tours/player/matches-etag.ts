/** Whether the `If-None-Match` header contains the ETag. */
export function matchesETag(header: string | undefined, tag: string): boolean {
  const tags = new Set((header ?? '').split(',').map((part) => part.trim()))
  return tags.has(tag) || tags.has('*')
}
