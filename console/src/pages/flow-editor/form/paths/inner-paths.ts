import { isObject, type Json } from '../../document/json.ts'
import { isReadable } from './placeholders.ts'

const deepest = 3
const mostPaths = 60

/** The paths of what is inside of a value, level by level; of a list, of its first entry. */
export function innerPaths(value: Json | undefined): readonly string[] {
  const found: string[] = []
  let level: readonly { readonly path: string; readonly value: Json }[] =
    value === undefined ? [] : [{ path: '', value }]
  for (let depth = 0; depth < deepest && found.length < mostPaths; depth += 1) {
    level = level.flatMap(below)
    found.push(...level.map(({ path }) => path))
  }
  return found.slice(0, mostPaths)
}

function below({ path, value }: { readonly path: string; readonly value: Json }) {
  if (Array.isArray(value)) {
    const [first] = value as readonly Json[]
    return first === undefined ? [] : [{ path: `${path}[0]`, value: first }]
  }
  if (!isObject(value)) return []
  return Object.entries(value)
    .filter(([name]) => isReadable(name))
    .map(([name, inner]) => ({ path: path === '' ? name : `${path}.${name}`, value: inner }))
}

/** A path and what follows it. */
export function joinPaths(path: string, inner: string): string {
  return inner.startsWith('[') ? `${path}${inner}` : `${path}.${inner}`
}
