/** Where paths are looked up: the shared memory first, then the context. */
export interface Scope {
  readonly memory: Readonly<Record<string, unknown>>
  readonly context: Readonly<Record<string, unknown>>
  /** Outputs of finished steps, by id. */
  readonly steps: Readonly<Record<string, unknown>>
}

const mostSegments = 32

/** `a.b[0].c` and `a.b.0.c` are the same path. Undefined when it is none. */
export function splitPath(path: string): readonly string[] | undefined {
  const dotted = path.includes('[') ? path.replaceAll(/\[(\d{1,9})\]/g, '.$1') : path
  const segments = dotted.trim().split('.')
  if (segments.length > mostSegments || !/^[\w $@:/.-]+$/u.test(dotted.trim())) return undefined
  return segments.includes('') ? undefined : segments
}

/** Finds the value at a path, or undefined. `memory.`, `context.` and `steps.` say where; else the memory is asked before the context. */
export function lookUp(scope: Scope, path: string): unknown {
  const segments = splitPath(path)
  if (segments === undefined) return undefined
  const [first = '', ...rest] = segments
  for (const place of [scope.memory, scope.context]) {
    if (Object.hasOwn(place, first)) return walk(place[first], rest)
  }
  return first === 'memory' || first === 'context' || first === 'steps' ? walk(scope[first], rest) : undefined
}

/** Own properties only: nothing of the language itself can be reached. */
function walk(value: unknown, segments: readonly string[]): unknown {
  let found = value
  for (const segment of segments) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, segment)) return undefined
    if (Array.isArray(found) && !/^\d+$/.test(segment)) return undefined
    found = (found as Record<string, unknown>)[segment]
  }
  return found
}
