/** Parses a JSON object; lines around it, such as the output of a package manager, are ignored. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  const start = text.search(/^\uFEFF?\{/m)
  if (start === -1) return undefined
  try {
    const value: unknown = JSON.parse(text.slice(text.indexOf('{', start), text.lastIndexOf('}') + 1))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
