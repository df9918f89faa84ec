import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { createEngine, type Engine } from '#engine'
import { type Database, migrate } from '#kernel/database'
import { createMetrics } from '#kernel/telemetry'
import { createWorker, workMigrations } from '#kernel/work'
import { engineMigrations } from '../../src/engine/migrations.ts'
import { noUsage } from '../../src/engine/steps/step-failure.ts'
import { runWait } from '../../src/engine/steps/wait.ts'
import { runWaitForEvent } from '../../src/engine/steps/wait-for-event.ts'
import type { Benchmark, Contender } from '../benchmark.ts'
import { openBenchDatabase, quiet } from '../embedded-database.ts'
import { percentile } from '../summary.ts'

/** Resumes in one measurement. */
const resumes = 20

const accountId = randomUUID()

const prompt = (id: string, dependencies: readonly string[] = []) => ({
  id,
  type: 'ai_prompt',
  prompt: 'done',
  dependencies,
})

/** Waits for an event, again and again: each is one resume. */
const waiting = (dependencies: readonly string[]) => ({
  id: 'resumed',
  type: 'repeat_until',
  until: { field: 'never', operator: 'exists' },
  max_iterations: 1000,
  dependencies,
  steps: [
    { id: 'event', type: 'wait_for_event', event: 'go', correlation_key: '{{key}}', timeout: '300d' },
    prompt('after', ['event']),
  ],
})

const loop = (steps: readonly object[]) => ({
  id: 'each',
  type: 'for_each',
  items: 'rows',
  max_items: 10_000,
  concurrency: 50,
  steps,
})

const flows = {
  /** The items have ended, and so has their loop. */
  ended: [loop([prompt('one'), prompt('two', ['one'])]), waiting(['each'])],
  /** The last item of the loop waits, so the loop is open. */
  open: [
    loop([prompt('one'), { id: 'hold', type: 'wait', duration: '300d', dependencies: ['one'] }]),
    waiting([]),
  ],
  /** The items after those that end wait, as many at a time as run in parallel, so the loop is in its middle. */
  middle: [
    loop([prompt('one'), { id: 'hold', type: 'wait', duration: '300d', dependencies: ['one'] }]),
    waiting([]),
  ],
}

type FlowName = keyof typeof flows

/** Of 100 characters. */
const rowOf = (index: number): string => `row ${index}`.padEnd(100, '.')

/** What a loop runs over, so that as many items end as are given. */
function itemsOf(flowId: FlowName, ended: number): string[] {
  const rows = Array.from({ length: ended }, (_, index) => rowOf(index))
  if (flowId === 'open') return [...rows, 'last']
  return flowId === 'middle' ? [...rows, ...Array.from({ length: 10_000 - ended }, () => 'last')] : rows
}

interface Started {
  readonly database: Database
  readonly engine: Engine
  /** Resolves with the time when the step after the event begins. */
  untilBegun(key: string): Promise<number>
}

/** Asks the database: the API would read the events of thousands of items each time. */
async function untilSuspended({ database }: Started, id: string): Promise<void> {
  const statement = `select from engine_executions where id = $1 and work_state = 'suspended'`
  while ((await database.query(statement, [id])).length === 0) await setTimeout(10)
}

async function createContender(
  started: Started,
  name: string,
  flowId: FlowName,
  count: number,
): Promise<Contender> {
  const { engine } = started
  const key = name
  const { id } = await engine.executions.enqueue({
    flowId,
    flowVersion: 1,
    accountId,
    priority: 'normal',
    input: { context: { key, rows: itemsOf(flowId, count) }, options: {}, memory: {} },
  })
  await untilSuspended(started, id)

  async function resume(): Promise<number> {
    const begun = started.untilBegun(key)
    const sentAt = performance.now()
    await engine.events.send({ id: randomUUID(), accountId, name: 'go', key, data: null, ttlMs: 0 })
    const ms = (await begun) - sentAt
    await untilSuspended(started, id)
    return ms
  }

  return {
    name,
    async measure() {
      const times: number[] = []
      while (times.length < resumes) times.push(await resume())
      return { value: percentile(times, 0.5), beside: { 'p90 ms': percentile(times, 0.9) } }
    },
  }
}

const contenders = [
  ['10 ended items', 'ended', 10],
  ['1,000 ended items', 'ended', 1000],
  ['5,000 ended items', 'ended', 5000],
  ['5,000 ended items, loop open', 'open', 5000],
  ['10 of 10,000 items ended, 50 open', 'middle', 10],
  ['5,000 of 10,000 items ended, 50 open', 'middle', 5000],
  ['9,900 of 10,000 items ended, 50 open', 'middle', 9900],
] as const

const benchmark: Benchmark = {
  question: 'Does resuming an execution cost what is open, or what it has done before?',
  unit: 'ms to the next step',
  better: 'lower',
  baseline: contenders[0][0],

  async setUp() {
    await using closing = new AsyncDisposableStack()
    const { database } = closing.use(await openBenchDatabase())
    await migrate(database, [workMigrations, engineMigrations], quiet)
    const begun = new Map<string, (at: number) => void>()
    const engine = closing.use(
      await createEngine({
        database,
        log: quiet,
        limitsOf: async () => ({ concurrentWorkflows: 1000 }),
        async runStep(run) {
          if (run.step.type === 'wait_for_event') return await runWaitForEvent({ ...run, step: run.step })
          if (run.step.type === 'wait' && run.scope.memory['item'] === 'last')
            return await runWait({ ...run, step: run.step })
          if (run.step.id === 'after') begun.get(String(run.scope.context['key']))?.(performance.now())
          return { output: 'done', confidence: null, quality: null, usage: noUsage, details: {} }
        },
        accountBudgetOf: async () => ({ reserve: async () => ({ settle: async () => undefined }) }),
        accountStatusOf: async () => 'permitted',
        findModel: async () => undefined,
        settings: {
          executionConcurrency: 10,
          synchronousConcurrency: 10,
          executionRetentionMs: 86_400_000,
          queueLimit: 1000,
        },
      }),
    )
    const worker = createWorker({
      database,
      log: quiet,
      metrics: createMetrics({ watchProcess: false }),
      role: 'worker',
      queues: engine.queues,
    })
    await worker.start()
    closing.defer(() => worker.stop())
    for (const [id, steps] of Object.entries(flows)) {
      const definition = JSON.stringify({ id, label: 'A flow that is resumed', steps })
      await database.query('insert into engine_flows (id, current_version) values ($1, 1)', [id])
      await database.query(
        'insert into engine_flow_versions (flow_id, version, definition) values ($1, 1, $2)',
        [id, definition],
      )
    }
    const started: Started = {
      database,
      engine,
      untilBegun(key) {
        const { promise, resolve } = Promise.withResolvers<number>()
        begun.set(key, resolve)
        return promise
      },
    }
    const measured: Contender[] = []
    for (const [name, flow, count] of contenders)
      measured.push(await createContender(started, name, flow, count))
    const opened = closing.move()
    return {
      versions: { PostgreSQL: database.version },
      contenders: measured,
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    }
  },
}

export default benchmark
