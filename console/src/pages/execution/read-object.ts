interface ReadObject {
  readonly value?: Record<string, unknown>
  readonly problem?: string
}

/** Parses user input as a JSON object, or returns the problem. */
export function readObject(text: string): ReadObject {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { problem: 'The value must be a JSON object in braces.' }
    return { value: value as Record<string, unknown> }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
