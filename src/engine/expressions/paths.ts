/** Where paths are looked up: first in the shared memory, then in that of the outer scopes, then in the context. */
export interface Scope {
  readonly memory: Readonly<Record<string, unknown>>
  readonly context: Readonly<Record<string, unknown>>
  /** Outputs of finished steps, by id. */
  readonly steps: Readonly<Record<string, unknown>>
  /** The scope around this one. Its memory and its steps are visible, too; the nearest value wins. */
  readonly outer?: Scope | undefined
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
  return segments === undefined ? undefined : lookUpSegments(scope, segments)
}

/** The value at the segments of a path, or undefined. */
export function lookUpSegments(scope: Scope, [first = '', ...rest]: readonly string[]): unknown {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    if (Object.hasOwn(at.memory, first)) return walk(at.memory[first], rest)
  }
  if (Object.hasOwn(scope.context, first)) return walk(scope.context[first], rest)
  if (first === 'context') return walk(scope.context, rest)
  return first === 'memory' || first === 'steps' ? walkOutwards(scope, first, rest) : undefined
}

/** A key of the memories or steps of all scopes; without a key, all of them in one object. */
function walkOutwards(scope: Scope, source: 'memory' | 'steps', segments: readonly string[]): unknown {
  const [key] = segments
  if (key === undefined) return scope.outer === undefined ? scope[source] : joined(scope, source)
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    if (Object.hasOwn(at[source], key)) return walk(at[source], segments)
  }
  return undefined
}

function joined({ outer, ...scope }: Scope, source: 'memory' | 'steps'): Readonly<Record<string, unknown>> {
  const around = outer === undefined ? {} : joined(outer, source)
  // Without a prototype: a step or key may have any name, also `__proto__`.
  return Object.assign(Object.create(null) as Record<string, unknown>, around, scope[source])
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

export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined ? '' : (JSON.stringify(value) ?? '')
}
