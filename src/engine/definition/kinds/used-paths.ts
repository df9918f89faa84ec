import { placeholdersIn } from '../../expressions/templates.ts'

/** A path that a step reads. */
export interface UsedPath {
  readonly path: string
  /** The field that uses it. */
  readonly at: string
  /** It may be missing: a condition on a missing field is false. */
  readonly mayBeMissing?: true
  /** It is read after the step's own response, and may be part of it. */
  readonly afterAnswer?: true
}

/** The paths of the placeholders in a text. */
export function inText(text: string | undefined, at: string): UsedPath[] {
  return placeholdersIn(text ?? '').map((path) => ({ path, at }))
}

/** The paths inside a value, each with its position. */
export function inValue(value: unknown, at: string): UsedPath[] {
  if (typeof value === 'string') return inText(value, at)
  if (value === null || typeof value !== 'object') return []
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, inner]) =>
    inValue(inner, isList ? `${at}[${key}]` : `${at}.${key}`),
  )
}
