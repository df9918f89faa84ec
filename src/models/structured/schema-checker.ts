import { Worker as Thread } from 'node:worker_threads'
import { kernelFailure, type Problem } from '#kernel/errors'
import type { JsonSchema } from '../providers/provider.ts'
import { unusableSchema, writeSchema } from './schema-bounds.ts'
import type { SchemaQuestion, SchemaVerdict } from './schema-thread.ts'

/**
 * Checks answers against schemas that callers wrote. A schema can be made to take for ever, by its patterns or by leading back
 * to itself, so it is looked at in a thread that is ended when it takes too long: nobody else waits for it.
 */
export interface SchemaChecker extends AsyncDisposable {
  /** Throws `invalid_input`, which names what is wrong with the schema. */
  requireUsable(schema: JsonSchema): Promise<void>
  /** What is wrong with an answer, which is JSON; nothing when it satisfies the schema. */
  findProblems(schema: JsonSchema, answer: string): Promise<readonly Problem[]>
}

export interface SchemaCheckerOptions {
  /** How long one look may take. */
  readonly timeoutMs?: number
  /** Looks that may wait for their turn; one more is refused as `overloaded`. */
  readonly mostWaiting?: number
}

/** More than any honest schema needs; what needs more ends the thread and not the process. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

export function createSchemaChecker(options: SchemaCheckerOptions = {}): SchemaChecker {
  const { timeoutMs = 1000, mostWaiting = 200 } = options
  let thread: Thread | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let closed = false

  async function askThread(question: SchemaQuestion): Promise<SchemaVerdict> {
    if (closed) throw kernelFailure('shutting_down')
    const asked = (thread ??= await start(() => {
      thread = undefined
    }))
    const { promise, resolve } = Promise.withResolvers<SchemaVerdict | undefined>()
    const giveUp = () => resolve(undefined)
    // After a look at what has come: when it was us who had no time, the answer is there.
    const alarm = setTimeout(() => setImmediate(giveUp), timeoutMs)
    asked.once('message', resolve).once('error', giveUp).once('exit', giveUp)
    asked.postMessage(question, [])
    const verdict = await promise
    clearTimeout(alarm)
    asked.off('message', resolve).off('error', giveUp).off('exit', giveUp)
    if (verdict !== undefined) return verdict
    await asked.terminate()
    if (closed) throw kernelFailure('shutting_down')
    return { kind: 'unusable', reason: 'checking an answer against it takes too long' }
  }

  /** One after the other, so that the time of a look is its own. */
  async function ask(question: SchemaQuestion): Promise<readonly Problem[]> {
    if (waiting >= mostWaiting) throw kernelFailure('overloaded')
    waiting += 1
    const verdict = last.then(() => askThread(question))
    last = verdict.catch(() => {})
    try {
      const found = await verdict
      if (found.kind === 'unusable') throw unusableSchema(`cannot be used: ${found.reason}`)
      return found.problems
    } finally {
      waiting -= 1
    }
  }

  return {
    async requireUsable(schema) {
      await ask({ schema: writeSchema(schema) })
    },
    findProblems: async (schema, answer) => await ask({ schema: writeSchema(schema), answer }),
    async [Symbol.asyncDispose]() {
      closed = true
      await thread?.terminate()
      await last
      // Whoever came last may just have been starting one.
      await thread?.terminate()
    },
  }
}

/** It has no environment, for nothing in there is any business of a caller's schema. */
async function start(onExit: () => void): Promise<Thread> {
  const started = new Thread(new URL('./schema-thread.ts', import.meta.url), { env: {}, resourceLimits })
  started.unref()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // Heard for as long as it lives: an error that nobody listens to would end the process.
  started.on('error', reject).once('message', () => resolve())
  started.once('exit', onExit)
  // The first answer shows that it has read its libraries; from then on time counts.
  started.postMessage({ schema: '{}' } satisfies SchemaQuestion, [])
  await promise
  return started
}
