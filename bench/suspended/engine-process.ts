/**
 * The engine and its worker in a process of their own, so that their memory can be measured. The process suspends one execution and sends
 * its id. Each message lists executions; the response has the times at which their step after the wait began, and the memory of the process.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { createEngine } from '#engine'
import { readSettings } from '#kernel/config'
import { databaseSettings, openDatabase } from '#kernel/database'
import { createMetrics } from '#kernel/telemetry'
import { createWorker } from '#kernel/work'
import { noUsage } from '../../src/engine/steps/step-failure.ts'
import { runWait } from '../../src/engine/steps/wait.ts'
import { quiet } from '../embedded-database.ts'

/** The response to a list of executions. */
export interface Woken {
  /** Times in milliseconds since 1970, in the order of the list. */
  readonly begunAt: readonly number[]
  readonly memoryBytes: number
}

const flow = {
  id: 'sleeping',
  label: 'A flow that waits',
  steps: [
    { id: 'rest', type: 'wait', duration: '300d' },
    { id: 'after', type: 'ai_prompt', prompt: 'done', dependencies: ['rest'] },
  ],
}

const begunAt = new Map<string, number>()
await using database = await openDatabase({
  settings: readSettings(databaseSettings, process.env),
  log: quiet,
})
await using engine = await createEngine({
  database,
  log: quiet,
  limitsOf: async () => ({ concurrentWorkflows: 100_000 }),
  async runStep(run) {
    if (run.step.type === 'wait') return await runWait({ ...run, step: run.step })
    begunAt.set(run.executionId, Date.now())
    return { output: 'done', confidence: null, quality: null, usage: noUsage, details: {} }
  },
  accountBudgetOf: async () => ({ reserve: async () => ({ settle: async () => undefined }) }),
  accountStatusOf: async () => 'permitted',
  findModel: async () => undefined,
  settings: {
    executionConcurrency: 50,
    synchronousConcurrency: 10,
    executionRetentionMs: 86_400_000,
    queueLimit: 1_000_000,
  },
})
const worker = createWorker({
  database,
  log: quiet,
  metrics: createMetrics({ watchProcess: false }),
  role: 'worker',
  queues: engine.queues,
})
await worker.start()
const ended = Promise.withResolvers<void>()
process.on('disconnect', ended.resolve)
process.on('message', (ids: readonly string[]) => void respond(ids))
process.send?.(await suspendOne())
await ended.promise
await worker.stop()

/** Starts one execution for real, and waits until it is suspended: the others are copies of it. */
async function suspendOne(): Promise<string> {
  await database.query('insert into engine_flows (id, current_version) values ($1, 1)', [flow.id])
  await database.query('insert into engine_flow_versions (flow_id, version, definition) values ($1, 1, $2)', [
    flow.id,
    JSON.stringify(flow),
  ])
  const { id } = await engine.executions.enqueue({
    flowId: flow.id,
    flowVersion: 1,
    accountId: randomUUID(),
    priority: 'normal',
    input: { context: { content: 'A text.' }, options: {}, memory: {} },
  })
  while ((await engine.executions.read(id))?.suspended == null) await setTimeout(20)
  return id
}

async function respond(ids: readonly string[]): Promise<void> {
  while (ids.some((id) => !begunAt.has(id))) await setTimeout(50)
  const times = ids.map((id) => begunAt.get(id) ?? 0)
  begunAt.clear()
  const woken: Woken = { begunAt: times, memoryBytes: process.memoryUsage().rss }
  process.send?.(woken)
}
