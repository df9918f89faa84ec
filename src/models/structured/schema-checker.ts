import { Worker as Thread } from 'node:worker_threads'
import { type Failure, kernelFailure, type Problem } from '#kernel/errors'
import type { JsonSchema } from '../providers/provider.ts'
import type { SchemaCheckRequest, SchemaCheckResult } from './schema-thread.ts'

/**
 * Validates JSON against schemas of callers. A hostile schema can take arbitrarily long, by its patterns or by recursion, so
 * validation runs in a worker thread that is terminated after a timeout.
 */
export interface SchemaChecker extends AsyncDisposable {
  /** Throws `invalid_input` with the problem of an unusable schema. */
  requireUsable(schema: JsonSchema): Promise<void>
  /** The problems of a JSON text; empty when it satisfies the schema. Throws `invalid_input` for an unusable schema. */
  findProblems(schema: JsonSchema, json: string): Promise<readonly Problem[]>
}

export interface SchemaCheckerOptions {
  /** The timeout of one check. */
  readonly timeoutMs?: number
  /** Maximum number of waiting checks; further ones throw `overloaded`. */
  readonly maxWaiting?: number
}

/** More than a reasonable schema needs. Exceeding it ends the thread, not the process. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

export function createSchemaChecker(options: SchemaCheckerOptions = {}): SchemaChecker {
  const { timeoutMs = 1000, maxWaiting = 200 } = options
  let thread: Thread | undefined
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let closed = false

  async function runInThread(request: SchemaCheckRequest): Promise<SchemaCheckResult> {
    if (closed) throw kernelFailure('shutting_down')
    const worker = (thread ??= await start(() => {
      thread = undefined
    }))
    const { promise, resolve } = Promise.withResolvers<SchemaCheckResult | undefined>()
    const giveUp = () => resolve(undefined)
    // setImmediate reads pending messages first: the result may have arrived while this thread was busy.
    const timer = setTimeout(() => setImmediate(giveUp), timeoutMs)
    worker.once('message', resolve).once('error', giveUp).once('exit', giveUp)
    worker.postMessage(request, [])
    const result = await promise
    clearTimeout(timer)
    worker.off('message', resolve).off('error', giveUp).off('exit', giveUp)
    if (result !== undefined) return result
    await worker.terminate()
    if (closed) throw kernelFailure('shutting_down')
    return { kind: 'unusable', reason: 'validating against it takes too long' }
  }

  /** Checks run one after the other, so that each has the whole timeout. */
  async function check(request: SchemaCheckRequest): Promise<readonly Problem[]> {
    if (waiting >= maxWaiting) throw kernelFailure('overloaded')
    waiting += 1
    const result = last.then(() => runInThread(request))
    last = result.catch(() => {})
    try {
      const found = await result
      if (found.kind === 'unusable') throw unusableSchema(`cannot be used: ${found.reason}`)
      return found.problems
    } finally {
      waiting -= 1
    }
  }

  return {
    async requireUsable(schema) {
      await check({ schema: writeSchema(schema) })
    },
    findProblems: async (schema, json) => await check({ schema: writeSchema(schema), json }),
    async [Symbol.asyncDispose]() {
      closed = true
      await thread?.terminate()
      await last
      // The last check may have started a new thread.
      await thread?.terminate()
    },
  }
}

/** Starts the thread without environment variables, which schemas of callers must not reach. */
async function start(onExit: () => void): Promise<Thread> {
  const started = new Thread(new URL('./schema-thread.ts', import.meta.url), { env: {}, resourceLimits })
  started.unref()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // Stays attached, because an unhandled error event would end the process.
  started.on('error', reject).once('message', () => resolve())
  started.once('exit', onExit)
  // The first result shows that the thread has loaded its libraries; only then do timeouts count.
  started.postMessage({ schema: '{}' } satisfies SchemaCheckRequest, [])
  await promise
  return started
}

const maxSchema = 64 * 1024
const maxParts = 10_000
const maxDepth = 100

/** The schema as JSON. Throws `invalid_input` for a schema above the bounds. */
function writeSchema(schema: JsonSchema): string {
  // Checked before JSON.stringify, which recurses as deeply as the schema is nested.
  const waiting: [part: unknown, depth: number][] = [[schema, 1]]
  let parts = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [part, depth] = next
    if (typeof part !== 'object' || part === null) continue
    parts += 1
    if (parts > maxParts) throw unusableSchema(`has more than ${maxParts} parts`)
    if (depth > maxDepth) throw unusableSchema(`is nested more than ${maxDepth} deep`)
    for (const inner of Object.values(part)) waiting.push([inner, depth + 1])
  }
  const text = JSON.stringify(schema)
  if (text.length > maxSchema) throw unusableSchema(`is longer than ${maxSchema / 1024} KiB`)
  return text
}

/** `reason` completes the sentence "The schema …". */
function unusableSchema(reason: string): Failure {
  return kernelFailure('invalid_input', {
    message: `The schema ${reason}.`,
    problems: [{ path: 'schema', message: reason, code: 'schema' }],
  })
}
