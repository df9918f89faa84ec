import { randomUUID } from 'node:crypto'
import { createEngine, type Engine } from '#engine'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createWorker, type Worker } from '#kernel/work'
import { createOutbox, type Outbox } from '#outbox'
import { runDataTransform } from '../../src/engine/steps/data-transform.ts'
import { runConditional } from '../../src/engine/steps/run-step.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const quiet = createLogger({ level: 'silent', format: 'json' })

type EngineOptions = Parameters<typeof createEngine>[0]
export type RunStep = Extract<EngineOptions['runStep'], (...run: never[]) => unknown>
export type Run = Parameters<RunStep>[0]
export type Budget = Awaited<ReturnType<EngineOptions['accountBudgetOf']>>

/** An account whose money never ends. */
const rich: Budget = { reserve: async () => ({ settle: async () => undefined }) }

/** Steps of the types without external services; a prompt returns its own text. */
export const runPlainly: RunStep = async (run) => {
  if (run.step.type === 'conditional') return runConditional({ ...run, step: run.step })
  if (run.step.type === 'data_transform') return runDataTransform({ ...run, step: run.step })
  return answer(run.step.type === 'ai_prompt' ? run.step.prompt : null)
}

export function answer(output: unknown) {
  const usage = {
    provider: null,
    model: null,
    inputTokens: 0,
    outputTokens: 0,
    microDollars: 0,
    aiCalls: 0,
    cacheHits: 0,
    networkRequests: 0,
    aiMs: 0,
    apiMs: 0,
  }
  return { output, confidence: null, quality: null, usage, details: {} }
}

interface Process {
  readonly engine: Engine
  readonly outbox: Outbox
  readonly worker: Worker
}

export interface EngineScene extends AsyncDisposable {
  readonly database: TestDatabase
  /** Saves a flow and answers how to run it. */
  save(steps: readonly object[], more?: object): Promise<WhatToRun>
  /** An engine with a worker of its own, as another process would have. */
  startProcess(options?: Partial<EngineOptions> & { readonly concurrency?: number }): Promise<Process>
  read(id: string): Promise<ExecutionRow>
  steps(id: string): Promise<Readonly<Record<string, StepRow>>>
  /** The types of the journal entries, in order. */
  happened(id: string): Promise<string[]>
}

type WhatToRun = Parameters<Engine['executions']['enqueue']>[0]

interface ExecutionRow {
  readonly status: string
  readonly error: { readonly code: string; readonly step?: string } | null
  readonly spent: number
  readonly reserved: number
  readonly work_state: string
}

interface StepRow {
  readonly state: string
  readonly attempts: number
  readonly output: unknown
}

export async function openEngineScene(): Promise<EngineScene> {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await createTestDatabase())
  const opened = closing.move()
  let flows = 0
  return {
    database,
    async save(steps, more = {}) {
      flows += 1
      const flowId = `flow_${flows}`
      const definition = { id: flowId, label: 'A test', steps, ...more }
      await database.query('insert into engine_flows (id, current_version) values ($1, 1)', [flowId])
      await database.query(
        'insert into engine_flow_versions (flow_id, version, definition) values ($1, 1, $2)',
        [flowId, JSON.stringify(definition)],
      )
      const input = { context: { content: 'A text.' }, options: {}, memory: {} }
      return { flowId, flowVersion: 1, accountId: randomUUID(), priority: 'normal', input }
    },
    async startProcess({ concurrency = 10, ...options } = {}) {
      const outbox = createOutbox(database)
      const engine = await createEngine({
        database,
        log: quiet,
        onOutboxEntries: () => outbox.notify(),
        limitsOf: async () => ({ concurrentWorkflows: 1000 }),
        runStep: runPlainly,
        accountBudgetOf: async () => rich,
        accountStatusOf: async () => 'permitted',
        findModel: async () => undefined,
        settings: {
          executionConcurrency: concurrency,
          synchronousConcurrency: 100,
          executionRetentionMs: 86_400_000,
          queueLimit: 100_000,
        },
        ...options,
      })
      opened.use(engine)
      const worker = createWorker({
        database,
        log: quiet,
        metrics: createMetrics({ watchProcess: false }),
        role: 'worker',
        queues: engine.queues,
      })
      opened.defer(() => worker.stop())
      await worker.start()
      return { engine, outbox, worker }
    },
    async read(id) {
      const [row] = await database.query<ExecutionRow>('select * from engine_executions where id = $1', [id])
      if (row === undefined) throw new Error(`no execution ${id}`)
      return row
    },
    async steps(id) {
      const rows = await database.query<StepRow & { step_id: string }>(
        'select * from engine_outcomes where execution_id = $1 order by seq',
        [id],
      )
      return Object.fromEntries(rows.map((row) => [row.step_id, row]))
    },
    async happened(id) {
      const rows = await database.query<{ entries: { seq: number; type: string }[] }>(
        'select entries from engine_events where execution_id = $1 order by first_seq',
        [id],
      )
      return rows.flatMap(({ entries }) => entries.map(({ type }) => type))
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
