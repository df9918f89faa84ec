/** A condition of a test; the platform checks its fields. */
export type Condition = Readonly<Record<string, unknown>>

interface ReadConditions {
  readonly value?: readonly Condition[]
  readonly problem?: string
}

/** Parses user input as a JSON list of conditions, or returns the problem. An empty text is an empty list. */
export function readConditions(text: string): ReadConditions {
  if (text.trim() === '') return { value: [] }
  try {
    const value: unknown = JSON.parse(text)
    const isList =
      Array.isArray(value) && value.every((it) => typeof it === 'object' && it !== null && !Array.isArray(it))
    return isList
      ? { value: value as readonly Condition[] }
      : { problem: 'The value must be a JSON list of objects.' }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
