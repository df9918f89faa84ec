/** Reads a text of the address; the router parses texts such as `12` or `true` into other types, so they are turned back. */
export function readText(value: unknown): string | undefined {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined
  const text = String(value).trim()
  return text === '' ? undefined : text
}

/** Reads the page number of a list; the first page is left out of the address. */
export function readPage(value: unknown): number | undefined {
  const page = Number(value)
  return Number.isSafeInteger(page) && page > 1 && page <= 100_000 ? page : undefined
}
