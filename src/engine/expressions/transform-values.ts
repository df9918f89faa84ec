import { type Compile, type CompiledExpression, type ExpressionProblem } from './compile.ts'
import { type Evaluated, evaluateWith, type Variables } from './evaluate.ts'
import { groupByKey, joinEntries, sortByKey } from './functions/lists.ts'
import { parseCsv, parseHtml, parseJson, parseXml } from './functions/parse.ts'
import { describeType } from './functions/values.ts'

/** Expressions over the entries of a list; they read `item` and `index`, aggregates read `items` and, of a group, `key`. */
export type TransformTask =
  | {
      readonly operation: 'parse'
      readonly format: 'json' | 'csv' | 'xml' | 'html' | 'lines'
      readonly text: string
      readonly delimiter?: string | undefined
      readonly header?: boolean | undefined
      readonly selector?: string | undefined
    }
  | { readonly operation: 'filter'; readonly list: List; readonly where: string }
  | { readonly operation: 'map'; readonly list: List; readonly expression: string }
  | { readonly operation: 'sort'; readonly list: List; readonly by: string; readonly order: 'asc' | 'desc' }
  | {
      readonly operation: 'group'
      readonly list: List
      readonly by: string
      readonly aggregates?: Aggregates
    }
  | { readonly operation: 'aggregate'; readonly list: List; readonly aggregates: Aggregates }
  | {
      readonly operation: 'join'
      readonly left: List
      readonly right: List
      readonly leftKey: string
      readonly rightKey: string
      readonly kind: 'inner' | 'left'
    }

type List = readonly unknown[]
type Aggregates = Readonly<Record<string, string>>

export type Transformed =
  | {
      readonly kind: 'value'
      readonly value: unknown
      readonly warnings: readonly TransformWarning[]
    }
  | { readonly kind: 'failed'; readonly problem: ExpressionProblem }

/**
 * | warning   | of                                   | because                                                     |
 * |-----------|--------------------------------------|-------------------------------------------------------------|
 * | `missing` | any operation                        | null was used: a value did not exist                        |
 * | `dropped` | `filter`                             | an entry was left out: its condition was neither true nor false |
 */
export interface TransformWarning {
  readonly kind: 'missing' | 'dropped'
  readonly count: number
  /** Where and why it happened first. */
  readonly first: string
}

/** An expression of a task failed; `problem` names the entry. */
class TransformError extends Error {
  readonly problem: ExpressionProblem

  constructor(problem: ExpressionProblem) {
    super(problem.message)
    this.problem = problem
  }
}

/** The expressions of a task; a text is parsed without one. */
export function expressionsOf(task: TransformTask): readonly string[] {
  switch (task.operation) {
    case 'parse':
      return []
    case 'filter':
      return [task.where]
    case 'map':
      return [task.expression]
    case 'sort':
      return [task.by]
    case 'group':
      return [task.by, ...Object.values(task.aggregates ?? {})]
    case 'aggregate':
      return Object.values(task.aggregates)
    default:
      return [task.leftKey, task.rightKey]
  }
}

/** Applies one transformation. Runs in a thread. Throws what the functions of the language throw. */
export function transformValues(task: TransformTask, given: Variables, compile: Compile): Transformed {
  const variables = new Map(given)
  const warnings = new Map<TransformWarning['kind'], TransformWarning>()

  function warn(kind: TransformWarning['kind'], first: string): void {
    const known = warnings.get(kind)
    warnings.set(kind, { kind, count: (known?.count ?? 0) + 1, first: known?.first ?? first })
  }

  function expressionOf(source: string): CompiledExpression {
    const compiled = compile(source)
    if (compiled.kind === 'invalid') throw new TransformError(compiled.problem)
    return compiled.expression
  }

  /** The value for one entry; null when something that it reads does not exist. */
  function valueOf(expression: CompiledExpression, place: string): unknown {
    const evaluated: Evaluated = evaluateWith(expression, variables)
    if (evaluated.kind === 'value') return evaluated.value
    const { message, position } = evaluated.problem
    const problem = { message: `${place}: ${message}`, position }
    if (evaluated.kind === 'failed') throw new TransformError(problem)
    warn('missing', problem.message)
    return null
  }

  function forEach(list: List, source: string): (readonly [unknown, unknown])[] {
    const expression = expressionOf(source)
    return list.map((item, index) => [item, valueForEntry(expression, item, index)] as const)
  }

  function valueForEntry(expression: CompiledExpression, item: unknown, index: number): unknown {
    variables.set('item', item)
    variables.set('index', index)
    return valueOf(expression, `entry ${index}`)
  }

  function filter(list: List, condition: CompiledExpression): unknown[] {
    return list.filter((item, index) => {
      const missed = warnings.get('missing')?.count
      const isKept = valueForEntry(condition, item, index)
      const isMissing = warnings.get('missing')?.count !== missed
      if (typeof isKept !== 'boolean' && !isMissing)
        warn('dropped', `entry ${index}: ${describeType(isKept)}`)
      return isKept === true
    })
  }

  function aggregate(items: List, aggregates: Aggregates, place: string): Record<string, unknown> {
    variables.set('items', items)
    return Object.fromEntries(
      Object.entries(aggregates).map(([name, source]) => [
        name,
        valueOf(expressionOf(source), `${place}${name}`),
      ]),
    )
  }

  function apply(): unknown {
    switch (task.operation) {
      case 'parse':
        return parseText(task)
      case 'filter':
        return filter(task.list, expressionOf(task.where))
      case 'map':
        return forEach(task.list, task.expression).map(([, value]) => value)
      case 'sort':
        return sortByKey(forEach(task.list, task.by), task.order)
      case 'group':
        return [...groupByKey(forEach(task.list, task.by)).values()].map(({ key, entries }) => {
          if (task.aggregates === undefined) return { key, items: entries }
          variables.set('key', key)
          return { key, ...aggregate(entries, task.aggregates, 'group ') }
        })
      case 'aggregate':
        return aggregate(task.list, task.aggregates, '')
      default: {
        const [leftKey, rightKey] = [expressionOf(task.leftKey), expressionOf(task.rightKey)]
        return joinEntries(task.left, task.right, {
          leftKeyOf: (item, index) => valueForEntry(leftKey, item, index),
          rightKeyOf: (item, index) => valueForEntry(rightKey, item, index),
          keepsUnmatched: task.kind === 'left',
        })
      }
    }
  }

  try {
    const value = apply()
    return { kind: 'value', value, warnings: [...warnings.values()] }
  } catch (error) {
    if (error instanceof TransformError) return { kind: 'failed', problem: error.problem }
    throw error
  }
}

function parseText(task: Extract<TransformTask, { readonly operation: 'parse' }>): unknown {
  const { format, text, delimiter, header, selector } = task
  switch (format) {
    case 'json':
      return parseJson(text)
    case 'csv':
      return parseCsv(text, { delimiter, header })
    case 'xml':
      return parseXml(text)
    case 'html':
      return parseHtml(text, selector ?? 'body')
    default:
      return text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '')
  }
}
