interface ReadObject {
  readonly value?: Record<string, unknown>
  readonly problem?: string
}

/** Reads what somebody typed as an object in JSON, or says what is wrong with it. */
export function readObject(text: string): ReadObject {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { problem: 'It has to be an object, in braces.' }
    return { value: value as Record<string, unknown> }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
