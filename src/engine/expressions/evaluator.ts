import { compile, type ExpressionProblem } from './compile.ts'
import { type Evaluated, evaluateInline, isLarger, type Variables, variablesOf } from './evaluate.ts'
import type { ThreadRequest, ThreadResult } from './expression-thread.ts'
import type { Scope } from './paths.ts'
import { createThreadPool, type QueueName, type ThreadPoolOptions } from './thread-pool.ts'
import { expressionsOf, type Transformed, type TransformTask } from './transform-values.ts'
import { createWaitingSlots } from './waiting-slots.ts'

/** Evaluates expressions: simple ones with little data at once, all others in a thread with limits on time and memory. */
export interface ExpressionEvaluator extends AsyncDisposable {
  /** Throws the reason of the caller's signal, `overloaded` above the caller's limit, and `shutting_down`. */
  evaluate(source: string, scope: Scope, caller: Caller): Promise<Evaluated>
  /** Transforms values in a thread. Throws as `evaluate` does. */
  transform(task: TransformTask, scope: Scope, caller: Caller): Promise<Transformed>
}

interface Caller {
  readonly accountId: string
  /** A request of a caller that aborts ends, also when it runs. */
  readonly signal?: AbortSignal | undefined
  /**
   * Maximum number of waiting and running requests of the account, for callers that can try again. Default: none are refused, they wait
   * for a slot, as the steps of executions do.
   */
  readonly maxWaiting?: number | undefined
}

/** What is copied to a thread: 64 MB of texts. */
const maxInput = { values: 4_000_000, characters: 64 * 1024 * 1024 } as const

const inputTooLarge: ExpressionProblem = { message: 'reads more than 64 MB of data', position: null }

/** Larger inputs do not begin in the short queue: filtering 10,000 entries takes about 40 ms, most of it for copying. */
const maxShort = { values: 10_000, characters: 250_000 } as const

/** Of one account in this process: of requests that can be refused, and of steps in each queue. */
const maxRequests = 100
const maxSteps = 50

export function createExpressionEvaluator(options: ThreadPoolOptions = {}): ExpressionEvaluator {
  const pool = createThreadPool(options)
  const requestSlots = createWaitingSlots(maxRequests)
  // By queue: a step that evaluates little has a slot although many transformations wait.
  const stepSlots = { short: createWaitingSlots(maxSteps), long: createWaitingSlots(maxSteps) }

  async function takeSlot(queue: QueueName, { accountId, signal, maxWaiting }: Caller): Promise<Disposable> {
    if (maxWaiting === undefined) return await stepSlots[queue].wait(accountId, signal)
    return requestSlots.take(accountId, maxWaiting)
  }

  /** Runs a request, whose input are the variables and what else is copied to the thread. */
  async function run(request: ThreadRequest, input: Variables, caller: Caller): Promise<ThreadResult> {
    const queue = isLarger(input, maxShort) ? 'long' : 'short'
    if (queue === 'long' && isLarger(input, maxInput)) return { kind: 'failed', problem: inputTooLarge }
    const slot = await takeSlot(queue, caller)
    const outcome = await pool
      .run(request, { accountId: caller.accountId, queue, signal: caller.signal })
      .finally(() => slot[Symbol.dispose]())
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
      return await run({ kind: 'evaluate', source, variables }, variables, caller)
    },
    async transform(task, scope, caller) {
      const variables = variablesIn(expressionsOf(task), scope)
      const input = new Map([...variables, ['', task]])
      return (await run({ kind: 'transform', task, variables }, input, caller)) as Transformed
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
