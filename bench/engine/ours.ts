/** The engine as the platform has it: admission, fences, journal, analytics, a worker with its heartbeat. */
import { randomUUID } from 'node:crypto'
import {
  checkFlow,
  createEngine,
  engineMigrations,
  engineSettings,
  runConditional,
  runDataTransform,
} from '#engine'
import { readSettings } from '#kernel/config'
import { databaseSettings, migrate, openDatabase } from '#kernel/database'
import { createMetrics } from '#kernel/telemetry'
import { createRecurringTasks, createWorker, workMigrations } from '#kernel/work'
import { quiet as log } from '../embedded-database.ts'
import { serveBenchmark } from './contender-process.ts'
import { createFinishWatch } from './finish-watch.ts'
import { fiveSteps, output } from './five-steps.ts'

const database = await openDatabase({ settings: readSettings(databaseSettings, process.env), log })
await migrate(database, [workMigrations, engineMigrations], log)
const { problems } = checkFlow(fiveSteps)
if (problems.length > 0) throw new Error(`the flow itself is wrong: ${JSON.stringify(problems)}`)
await database.query('insert into engine_flows (id, current_version) values ($1, 1)', [fiveSteps.id])
await database.query('insert into engine_flow_versions (flow_id, version, definition) values ($1, 1, $2)', [
  fiveSteps.id,
  JSON.stringify(fiveSteps),
])

/** Who waits for the first step of an execution to begin. */
const begun = new Map<string, () => void>()

const engine = await createEngine({
  database,
  log,
  settings: readSettings(engineSettings, {}),
  limitsOf: async () => ({ concurrentWorkflows: 1000 }),
  purseOf: async () => ({ reserve: async () => ({ settle: async () => undefined }) }),
  standingOf: async () => 'permitted',
  findModel: async () => undefined,
  async runStep(run) {
    if (run.step.id === 'one') begun.get(run.executionId)?.()
    if (run.step.type === 'conditional') return await runConditional({ ...run, step: run.step })
    if (run.step.type === 'data_transform') return await runDataTransform({ ...run, step: run.step })
    throw new Error(`no ${run.step.type} here`)
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
  flowId: fiveSteps.id,
  flowVersion: 1,
  accountId: randomUUID(),
  priority: 'normal',
  input: { context: { given: output }, options: {}, memory: {} },
} as const
const finishes = createFinishWatch(database)

serveBenchmark({
  ways: {
    async start() {
      const { end } = await engine.executions.start(what, worker)
      const { status } = await end
      if (status !== 'completed') throw new Error(`an execution ended as ${status}`)
    },
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
