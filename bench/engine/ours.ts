/** The engine as in the platform: admission, fences, journal, analytics, a worker with its heartbeat. */
import { randomUUID } from 'node:crypto'
import { createEngine } from '#engine'
import { readSettings } from '#kernel/config'
import { databaseSettings, migrate, openDatabase } from '#kernel/database'
import { createMetrics } from '#kernel/telemetry'
import { createRecurringTasks, createWorker, workMigrations } from '#kernel/work'
import { checkFlow } from '../../src/engine/definition/check-flow.ts'
import { engineMigrations } from '../../src/engine/migrations.ts'
import { engineSettings } from '../../src/engine/settings.ts'
import { createStepExecutor } from '../../src/engine/steps/run-step.ts'
import { quiet as log } from '../embedded-database.ts'
import { serveBenchmark } from './contender-process.ts'
import { createFinishWatch } from './finish-watch.ts'
import { computingSteps, output, outsideSteps } from './five-steps.ts'

const database = await openDatabase({ settings: readSettings(databaseSettings, process.env), log })
await migrate(database, [workMigrations, engineMigrations], log)
for (const flow of [computingSteps, outsideSteps]) {
  const { problems } = checkFlow(flow)
  if (problems.length > 0) throw new Error(`the flow is invalid: ${JSON.stringify(problems)}`)
  await database.query('insert into engine_flows (id, current_version) values ($1, 1)', [flow.id])
  await database.query('insert into engine_flow_versions (flow_id, version, definition) values ($1, 1, $2)', [
    flow.id,
    JSON.stringify(flow),
  ])
}

/** Callbacks for the start of the first step of an execution. */
const begun = new Map<string, () => void>()

/** Steps as in the platform, but external services respond at once, like the steps of the other contenders. */
const notUsed = () => Promise.reject(new Error('not used in this benchmark'))
const runStep = createStepExecutor({
  gateway: { chat: notUsed },
  askForJson: notUsed,
  providerNames: async () => [],
  builtinRole: notUsed,
  schemas: { findProblems: notUsed },
  outbound: { request: notUsed },
})
const usage = { provider: null, model: null, inputTokens: 0, outputTokens: 0, microDollars: 0 }
const none = { aiCalls: 0, cacheHits: 0, networkRequests: 0, aiMs: 0, apiMs: 0 }
const answered = { output, confidence: null, quality: null, usage: { ...usage, ...none }, details: {} }

const engine = await createEngine({
  database,
  log,
  settings: readSettings(engineSettings, {}),
  limitsOf: async () => ({ concurrentWorkflows: 1000 }),
  accountBudgetOf: async () => ({ reserve: async () => ({ settle: async () => undefined }) }),
  accountStatusOf: async () => 'permitted',
  findModel: async () => undefined,
  async runStep(run) {
    if (run.step.id === 'one') begun.get(run.executionId)?.()
    return run.step.type === 'external_api' ? answered : await runStep(run)
  },
})
const tasks = createRecurringTasks({ database, log })
for (const task of engine.tasks) tasks.add(task)
const worker = createWorker({
  database,
  log,
  metrics: createMetrics({ watchProcess: false }),
  role: 'worker',
  queues: [...engine.queues, tasks.queue],
})
await worker.start()

const what = {
  flowId: computingSteps.id,
  flowVersion: 1,
  accountId: randomUUID(),
  priority: 'normal',
  input: { context: { given: output }, options: {}, memory: {} },
} as const
const finishes = createFinishWatch(database)

async function runWhole(flowId: string): Promise<void> {
  const { end } = await engine.executions.start({ ...what, flowId }, worker)
  const { status } = await end
  if (status !== 'completed') throw new Error(`an execution ended as ${status}`)
}

serveBenchmark({
  ways: {
    start: () => runWhole(computingSteps.id),
    outside: () => runWhole(outsideSteps.id),
    async enqueue() {
      const { id } = await engine.executions.enqueue(what)
      await finishes.wait(id)
    },
  },
  async enqueue(tell) {
    const id = randomUUID()
    begun.set(id, () => {
      begun.delete(id)
      tell()
    })
    await engine.executions.enqueue({ ...what, id })
  },
  async close() {
    await worker.stop({ graceMs: 1000 })
    await engine[Symbol.asyncDispose]()
    await database.close()
  },
})
