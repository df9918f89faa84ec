import {
  type CompiledExpression,
  compile,
  describeError,
  type ExpressionProblem,
  isMissing,
} from './compile.ts'
import { lookUpSegments, type Scope } from './paths.ts'
import { jsonValueOf } from './results.ts'
import type { UsedFields } from './used-fields.ts'

/** The outcome of an expression. */
export type Evaluated =
  | { readonly kind: 'value'; readonly value: unknown }
  /** A value that it reads does not exist. */
  | { readonly kind: 'missing'; readonly problem: ExpressionProblem }
  | { readonly kind: 'failed'; readonly problem: ExpressionProblem }

export type Variables = ReadonlyMap<string, unknown>

/** Evaluates a compiled expression. Never throws. */
export function evaluateWith({ run }: Pick<CompiledExpression, 'run'>, variables: Variables): Evaluated {
  try {
    return { kind: 'value', value: jsonValueOf(run(variables)) }
  } catch (error) {
    return { kind: isMissing(error) ? 'missing' : 'failed', problem: describeError(error) }
  }
}

/** Larger inputs go to a thread: comparing and concatenating them could block the event loop. */
const maxInline = { values: 1000, characters: 32_000 } as const

/** Evaluates an expression at once when it is simple and reads little. Undefined: it needs a thread. Never throws. */
export function evaluateInline(source: string, scope: Scope): Evaluated | undefined {
  const compiled = compile(source)
  if (compiled.kind === 'invalid') return { kind: 'failed', problem: compiled.problem }
  const { expression } = compiled
  if (!expression.isSimple) return undefined
  const variables = variablesOf(expression, scope)
  return isLarger(variables, maxInline) ? undefined : evaluateWith(expression, variables)
}

/** The variables that an expression reads, each with only the fields it reads. */
export function variablesOf({ fields }: Pick<CompiledExpression, 'fields'>, scope: Scope): Variables {
  const variables = new Map<string, unknown>()
  for (const [name, used] of fields) {
    const found = lookUpSegments(scope, [name])
    if (found === undefined) {
      const given = scope.variables?.() ?? {}
      if (Object.hasOwn(given, name)) variables.set(name, given[name])
    } else variables.set(name, pick(found, used))
  }
  return variables
}

function pick(value: unknown, fields: UsedFields): unknown {
  if (fields === 'all' || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value) || value instanceof Date) return value
  const picked: [string, unknown][] = []
  for (const [name, inner] of fields) {
    if (Object.hasOwn(value, name)) picked.push([name, pick((value as Record<string, unknown>)[name], inner)])
  }
  return Object.fromEntries(picked)
}

/** Whether the variables have more values or characters. Stops counting as soon as they have. */
export function isLarger(
  variables: Variables,
  limit: { readonly values: number; readonly characters: number },
): boolean {
  let { values, characters } = limit
  const waiting: unknown[] = [...variables.values()]
  while (waiting.length > 0) {
    const value = waiting.pop()
    values -= 1
    if (typeof value === 'string') characters -= value.length
    if (values < 0 || characters < 0) return true
    if (typeof value !== 'object' || value === null) continue
    const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
    if (inner.length > values) return true
    if (!Array.isArray(value)) for (const key of Object.keys(value)) characters -= key.length
    // Not spread into `push`, whose number of arguments is limited.
    for (const part of inner) waiting.push(part)
  }
  return false
}
