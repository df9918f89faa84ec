import type { DataTransformStep } from '../definition/step-types.ts'
import type { ExpressionProblem } from '../expressions/compile.ts'
import { chunksOf } from '../expressions/functions/lists.ts'
import { lookUp, type Scope } from '../expressions/paths.ts'
import { reportMissing, requireEvaluated } from '../expressions/templates.ts'
import type { TransformTask, TransformWarning } from '../expressions/transform-values.ts'
import { evaluateFor } from './step-expressions.ts'
import { StepFailure } from './step-failure.ts'
import type { StepRun } from './step-run.ts'

type Transformation = DataTransformStep['transformations'][number]

interface TransformedList {
  readonly output: unknown
  readonly sources: string[]
  readonly items: number
}

/** More entries belong into a database. */
const maxEntries = 100_000

/**
 * Applies an operation that evaluates expressions, or parses or splits one value. Throws EXPRESSION_FAILED when an expression fails, and
 * INVALID_STEP when the source is not a list or a text.
 */
export async function transformList(
  transformation: Transformation,
  run: StepRun,
  scope: Scope,
): Promise<TransformedList> {
  const { operation, expression = '', source = 'previous', size = 1 } = transformation
  if (operation === 'expression') {
    const value = requireEvaluated(expression, await evaluateFor(run, expression, scope))
    if (value === undefined) reportMissing(run, [`= ${expression}`])
    return { output: value ?? null, sources: [], items: 1 }
  }
  const read = (path: string) => readSource(path, run, scope)
  if (operation === 'split') {
    const parts = split(read(source), source, size)
    return { output: parts, sources: [source], items: parts.length }
  }
  const task = taskOf(transformation, read)
  const output = await transform(task, run, scope)
  const sources =
    operation === 'join' ? [transformation.left ?? 'previous', transformation.right ?? ''] : [source]
  return { output, sources, items: Array.isArray(output) ? output.length : 1 }
}

function taskOf(transformation: Transformation, read: (path: string) => unknown): TransformTask {
  const { operation, source = 'previous', left = 'previous', right = '' } = transformation
  const { format = 'json', delimiter, header, selector } = transformation
  const { where = '', expression = '', by = '', order = 'asc', aggregates, kind = 'inner' } = transformation
  const { left_key: leftKey = '', right_key: rightKey = leftKey } = transformation
  const list = (path: string) => requireList(read(path), path)
  switch (operation) {
    case 'parse':
      return { operation, format, text: requireText(read(source), source), delimiter, header, selector }
    case 'filter':
      return { operation, list: list(source), where }
    case 'map':
      return { operation, list: list(source), expression }
    case 'sort':
      return { operation, list: list(source), by, order }
    case 'group':
      return { operation, list: list(source), by, ...(aggregates !== undefined && { aggregates }) }
    case 'join':
      return { operation, left: list(left), right: list(right), leftKey, rightKey, kind }
    default:
      return { operation: 'aggregate', list: list(source), aggregates: aggregates ?? {} }
  }
}

async function transform(task: TransformTask, run: StepRun, scope: Scope): Promise<unknown> {
  const { evaluator, accountId, signal } = run
  if (evaluator === undefined) throw failed({ message: 'there are no threads here', position: null })
  const transformed = await evaluator.transform(task, scope, { accountId, signal })
  if (transformed.kind === 'failed') throw failed(transformed.problem)
  for (const { kind, count, first } of transformed.warnings) {
    const cases = `In ${count} ${count === 1 ? 'case' : 'cases'}`
    run.log('warning', `${cases} ${warningTexts[kind]}: ${first}.`, { [kind]: count })
  }
  return transformed.value

  function failed({ message, position }: ExpressionProblem): StepFailure {
    return new StepFailure({
      code: 'EXPRESSION_FAILED',
      message: `The transformation "${task.operation}" failed: ${message}.`,
      details: { operation: task.operation, position },
    })
  }
}

const warningTexts: Readonly<Record<TransformWarning['kind'], string>> = {
  missing: 'a value was missing, and null was used',
  dropped: 'the condition was neither true nor false, and the entry was left out',
}

function readSource(path: string, run: StepRun, scope: Scope): unknown {
  const value = lookUp(scope, path)
  if (value !== undefined) return value
  reportMissing(run, [path])
  throw new StepFailure({
    code: 'INVALID_STEP',
    message: `The source "${path}" of a transformation has no value.`,
    details: { source: path },
  })
}

function requireList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongSource(path, 'is not a list')
  if (value.length > maxEntries)
    throw wrongSource(path, `has ${value.length} entries; the limit is ${maxEntries}`)
  return value
}

function requireText(value: unknown, path: string): string {
  if (typeof value === 'string') return value
  throw wrongSource(path, 'is not a text')
}

function wrongSource(path: string, problem: string): StepFailure {
  return new StepFailure({
    code: 'INVALID_STEP',
    message: `The source "${path}" of a transformation ${problem}.`,
    details: { source: path },
  })
}

/** A text is split between characters, not inside of one. */
function split(value: unknown, path: string, size: number): readonly unknown[] {
  const whole = typeof value === 'string' ? value : requireList(value, path)
  if (typeof whole !== 'string') return chunksOf(whole, size)
  const parts: string[] = []
  for (let from = 0; from < whole.length; ) {
    const end = Math.min(whole.length, from + size)
    const isInside = end < whole.length && end - from > 1 && /[\uD800-\uDBFF]/.test(whole[end - 1] ?? '')
    parts.push(whole.slice(from, isInside ? end - 1 : end))
    from = isInside ? end - 1 : end
    if (parts.length > maxEntries) throw wrongSource(path, `has more than ${maxEntries} parts`)
  }
  return parts
}
