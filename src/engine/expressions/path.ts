/** Where paths are looked up: first in the shared memory, then in the context. */
export interface Scope {
  readonly memory: Readonly<Record<string, unknown>>
  readonly context: Readonly<Record<string, unknown>>
  /** Outputs of finished steps, by id. */
  readonly steps: Readonly<Record<string, unknown>>
}

const maxSegments = 32

/** `a.b[0].c` and `a.b.0.c` are the same path. Undefined: it is not a path. */
export function splitPath(path: string): readonly string[] | undefined {
  const dotted = path.includes('[') ? path.replaceAll(/\[(\d{1,9})\]/g, '.$1') : path
  const segments = dotted.trim().split('.')
  if (segments.length > maxSegments || !/^[\w $@:/.-]+$/u.test(dotted.trim())) return undefined
  return segments.includes('') ? undefined : segments
}

/** Finds the value at a path, or undefined. `memory.`, `context.` and `steps.` select the source; else memory comes before context. */
export function lookUp(scope: Scope, path: string): unknown {
  const segments = splitPath(path)
  if (segments === undefined) return undefined
  const [first = '', ...rest] = segments
  for (const place of [scope.memory, scope.context]) {
    if (Object.hasOwn(place, first)) return walk(place[first], rest)
  }
  return first === 'memory' || first === 'context' || first === 'steps' ? walk(scope[first], rest) : undefined
}

/** Own properties only, so that a path cannot reach prototypes. */
function walk(value: unknown, segments: readonly string[]): unknown {
  let found = value
  for (const segment of segments) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, segment)) return undefined
    if (Array.isArray(found) && !/^\d+$/.test(segment)) return undefined
    found = (found as Record<string, unknown>)[segment]
  }
  return found
}
