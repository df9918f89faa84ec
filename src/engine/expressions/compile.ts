import {
  TypeError as CelTypeError,
  type Environment,
  EvaluationError,
  ParseError,
  type ParseResult,
} from '@marcbachmann/cel-js'
import { createEnvironment, maxExpressionLength } from './environment.ts'
import { noFormatHandlers } from './functions/formats.ts'
import { type ExpressionPath, findUses, type UsedFields } from './used-fields.ts'

/** What is wrong with an expression. */
export interface ExpressionProblem {
  /** Completes the sentence "The expression …", or is one of its own. */
  readonly message: string
  /** The character at which it was found, from 0; null when unknown. */
  readonly position: number | null
}

/** A parsed and checked expression. */
export interface CompiledExpression {
  readonly source: string
  readonly run: ParseResult
  /** The variables it reads and their fields. */
  readonly fields: ReadonlyMap<string, UsedFields>
  readonly paths: readonly ExpressionPath[]
  /** Whether it takes linear time, so that small inputs need no thread. */
  readonly isSimple: boolean
}

type Compiled =
  | { readonly kind: 'compiled'; readonly expression: CompiledExpression }
  | { readonly kind: 'invalid'; readonly problem: ExpressionProblem }

export type Compile = (source: string) => Compiled

/** Bounds of the cache; the second one limits its memory when all expressions are long. */
const maxCached = 2000
const maxCachedCharacters = 200_000

/** Compiles expressions, and keeps the last ones used. */
export function createCompiler(environment: Environment): Compile {
  const cache = new Map<string, Compiled>()
  let characters = 0

  return (source) => {
    const known = cache.get(source)
    if (known !== undefined) {
      // Moves to the end: the first entry is the one that was not used for the longest time.
      cache.delete(source)
      cache.set(source, known)
      return known
    }
    if (source.length > maxExpressionLength)
      return invalid(`is longer than ${maxExpressionLength} characters`)
    const compiled = compileWith(environment, source)
    cache.set(source, compiled)
    characters += source.length
    for (const oldest of cache.keys()) {
      if (cache.size <= maxCached && characters <= maxCachedCharacters) break
      cache.delete(oldest)
      characters -= oldest.length
    }
    return compiled
  }
}

/** Compiles an expression where functions are not called: to check it, and to evaluate it when it is simple. Never throws. */
export const compile: Compile = createCompiler(createEnvironment(noFormatHandlers))

function compileWith(environment: Environment, source: string): Compiled {
  if (source.trim() === '') return invalid('is empty')
  try {
    const run = environment.parse(source)
    const { valid, error } = run.check()
    const { types, ...uses } = findUses(run.ast, (name) => environment.hasVariable(name))
    // A field of a type is always missing, and the check of cel-js accepts it.
    const type = types.find(({ hasFields }) => hasFields || !valid)
    if (valid && type !== undefined) return invalid(meantValue(type.name))
    if (valid) return { kind: 'compiled', expression: { source, run, ...uses } }
    const { message, position } = describeError(error)
    const hint = type === undefined ? '' : `; ${meantValue(type.name)}`
    return { kind: 'invalid', problem: { message: `${message}${hint}`, position } }
  } catch (error) {
    return { kind: 'invalid', problem: describeError(error) }
  }
}

function meantValue(name: string): string {
  return `"${name}" is a type of the language: for a value of this name, write context.${name} or memory.${name}`
}

function invalid(message: string): Compiled {
  return { kind: 'invalid', problem: { message, position: null } }
}

const missingCodes = new Set([
  'no_such_key',
  'unknown_variable',
  'index_out_of_bounds',
  'optional_value_missing',
])

/** Whether an evaluation failed because a value does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof EvaluationError && missingCodes.has(error.code)
}

const typeNames: readonly (readonly [RegExp, string])[] = [
  [/\bgoogle\.protobuf\.Timestamp\b/g, 'timestamp'],
  [/\bgoogle\.protobuf\.Duration\b/g, 'duration'],
  [/\bdyn<(\w+)>/g, '$1'],
  [/\blist(<[^ ]*>)?(?= |,|\)|$)/g, 'list'],
  [/\bmap(<[^ ]*, [^ ]*>)?(?= |,|\)|$)/g, 'object'],
  // Before a bracket or a dot it is a function, such as `int(text)`.
  [/\bstring\b(?![(.])/g, 'text'],
  [/\bint\b(?!\()/g, 'whole number'],
  [/\bdouble\b(?!\()/g, 'number'],
  [/\bbool\b(?!\()/g, 'true/false'],
]

function withTypeNames(text: string): string {
  return typeNames.reduce((written, [name, word]) => written.replaceAll(name, word), text)
}

/** An error of cel-js in the words of the platform. */
export function describeError(error: unknown): ExpressionProblem {
  if (error instanceof RangeError)
    return { message: 'needs too much memory, or is nested too deeply', position: null }
  if (!(error instanceof ParseError || error instanceof EvaluationError || error instanceof CelTypeError))
    return { message: 'cannot be evaluated', position: null }
  return { message: messageOf(error).slice(0, 500), position: error.range?.start ?? null }
}

/** `int()` of `int() type error: …`. */
function callIn(summary: string): string {
  return /^\w+\(\)/.exec(summary)?.[0] ?? 'the conversion'
}

function messageOf({ code, summary }: ParseError | EvaluationError | CelTypeError): string {
  const [, detail = summary] = /^[^:]*: (.*)$/s.exec(summary) ?? []
  switch (code) {
    case 'no_such_key':
    case 'unknown_variable':
      return `"${detail}" does not exist`
    case 'index_out_of_bounds':
      return `the list has no such entry: ${detail}`
    case 'no_such_overload':
      return `the operator cannot be used with these types: ${withTypeNames(detail)}`
    case 'no_matching_overload': {
      const [, call = summary] = /'(.*)'/s.exec(summary) ?? []
      return `there is no function ${withTypeNames(call)}`
    }
    case 'limit_exceeded':
      return 'is too long or nested too deeply'
    case 'int_conversion_error':
    case 'uint_conversion_error':
      return `${callIn(summary)}: the value is not a whole number`
    case 'double_conversion_error':
      return `${callIn(summary)}: the value is not a number`
    case 'bool_conversion_error':
      return `${callIn(summary)}: the value is neither true nor false`
    default:
      return withTypeNames(summary.replace(' type error', ''))
  }
}
