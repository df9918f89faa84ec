import { compile, type ExpressionProblem } from './compile.ts'
import { type Evaluated, evaluateInline, isLarger, type Variables, variablesOf } from './evaluate.ts'
import type { ThreadRequest, ThreadResult } from './expression-thread.ts'
import type { Scope } from './paths.ts'
import { createThreadPool, type PoolCaller, type ThreadPoolOptions } from './thread-pool.ts'
import type { Transformed, TransformTask } from './transform-values.ts'

/** Evaluates expressions: simple ones with little data at once, all others in a thread with limits on time and memory. */
export interface ExpressionEvaluator extends AsyncDisposable {
  /** Throws the reason of the caller's signal, `overloaded` above the caller's limit, and `shutting_down`. */
  evaluate(source: string, scope: Scope, caller: PoolCaller): Promise<Evaluated>
  /** Transforms values in a thread. Throws as `evaluate` does. */
  transform(task: TransformTask, scope: Scope, caller: PoolCaller): Promise<Transformed>
}

/** What is copied to a thread: 64 MB of texts. */
const maxInput = { values: 4_000_000, characters: 64 * 1024 * 1024 } as const

const inputTooLarge: ExpressionProblem = { message: 'reads more than 64 MB of data', position: null }

export function createExpressionEvaluator(options: ThreadPoolOptions = {}): ExpressionEvaluator {
  const pool = createThreadPool(options)

  async function run(request: ThreadRequest, caller: PoolCaller): Promise<ThreadResult> {
    const outcome = await pool.run(request, caller)
    if (outcome.kind === 'done') return outcome.result
    if (outcome.kind === 'failed') throw outcome.error
    const message = 'was stopped: it takes too long or needs too much memory'
    return { kind: 'failed', problem: { message, position: null } }
  }

  return {
    async evaluate(source, scope, caller) {
      const inline = evaluateInline(source, scope)
      if (inline !== undefined) return inline
      const variables = variablesIn([source], scope)
      if (isLarger(variables, maxInput)) return { kind: 'failed', problem: inputTooLarge }
      return await run({ kind: 'evaluate', source, variables }, caller)
    },
    async transform(task, scope, caller) {
      const variables = variablesIn(expressionsOf(task), scope)
      const input = new Map([...variables, ['', task]])
      if (isLarger(input, maxInput)) return { kind: 'failed', problem: inputTooLarge }
      return (await run({ kind: 'transform', task, variables }, caller)) as Transformed
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

/** The variables of several expressions. One that is used in several ways is whole. */
function variablesIn(sources: readonly string[], scope: Scope): Variables {
  const all = new Map<string, unknown>()
  for (const source of sources) {
    const compiled = compile(source)
    if (compiled.kind === 'invalid') continue
    const { fields } = compiled.expression
    for (const [name, used] of fields) {
      const isShared = sources.length > 1 && all.has(name)
      const found = variablesOf({ fields: new Map([[name, isShared ? 'all' : used]]) }, scope)
      for (const [key, value] of found) all.set(key, value)
    }
  }
  return all
}

function expressionsOf(task: TransformTask): readonly string[] {
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
