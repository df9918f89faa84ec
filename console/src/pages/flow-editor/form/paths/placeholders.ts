import { isObject, type Json } from '../../document/json.ts'

/** A placeholder `{{ path }}` in a text, and its position. */
export interface Placeholder {
  readonly path: string
  readonly from: number
  readonly to: number
}

/** Parsed as executions do: braces inside are not a path. */
export function placeholdersIn(text: string): readonly Placeholder[] {
  return [...text.matchAll(/\{\{([^{}]{1,300})\}\}/g)].map(({ 0: whole, 1: path = '', index }) => ({
    path: path.trim(),
    from: index,
    to: index + whole.length,
  }))
}

/** The paths in all texts of a value. */
export function pathsWithin(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return placeholdersIn(value).map(({ path }) => path)
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(pathsWithin)
  return isObject(value) ? Object.values(value).flatMap(pathsWithin) : []
}

/** The parts of a path: `a.b[0].c` and `a.b.0.c` are equal. Undefined for an invalid path. */
export function splitPath(path: string): readonly string[] | undefined {
  const parts = path
    .trim()
    .replaceAll(/\[(\d{1,9})\]/g, '.$1')
    .split('.')
  return parts.length <= 32 && parts.every(isReadable) ? parts : undefined
}

/** Whether a name is valid in a path. */
export function isReadable(name: string): boolean {
  return /^[\w $@:/-]+$/u.test(name)
}
