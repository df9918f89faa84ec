/** A text of the address; what only looks like a number or a truth was typed as text. */
export function readText(value: unknown): string | undefined {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined
  const text = String(value).trim()
  return text === '' ? undefined : text
}

/** Which page of a list; the first one goes without saying. */
export function readPage(value: unknown): number | undefined {
  const page = Number(value)
  return Number.isSafeInteger(page) && page > 1 && page <= 100_000 ? page : undefined
}
