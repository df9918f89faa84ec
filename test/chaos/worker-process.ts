/** A worker with the engine in a separate process, to be killed. Steps take 5 to 50 ms. Its name is in CHAOS_WORKER. */
import { setTimeout as delay } from 'node:timers/promises'
import { readSettings } from '#kernel/config'
import { databaseSettings, openDatabase } from '#kernel/database'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createWorker } from '#kernel/work'
import { lookUp } from '../../src/engine/expressions/paths.ts'
import { runDataTransform } from '../../src/engine/steps/data-transform.ts'
import { runHuman } from '../../src/engine/steps/human.ts'
import { runConditional } from '../../src/engine/steps/run-step.ts'
import { withTemplates } from '../../src/engine/steps/step-expressions.ts'
import { StepFailure } from '../../src/engine/steps/step-failure.ts'
import { runWait } from '../../src/engine/steps/wait.ts'
import { runWaitForEvent } from '../../src/engine/steps/wait-for-event.ts'
import { type RunStep, startChaosEngine } from './chaos-engine.ts'
import { answerOf } from './chaos-flow.ts'
import { noteRun } from './run-table.ts'
import { squareOf } from './waiting-flow.ts'

const log = createLogger({ level: 'error', format: 'json' })
const name = process.env['CHAOS_WORKER'] ?? ''
const database = await openDatabase({ settings: readSettings(databaseSettings, process.env), log })

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

const runStep: RunStep = async (given) => {
  const run = await withTemplates(given)
  const { step, path, executionId, scope, signal } = run
  await noteRun(database, { executionId, stepId: path, worker: name }, signal)
  await delay(5 + Math.random() * 45, undefined, { signal })
  if (step.type === 'conditional') return await runConditional({ ...run, step })
  if (step.type === 'data_transform') return await runDataTransform({ ...run, step })
  if (step.type === 'wait') return await runWait({ ...run, step })
  if (step.type === 'wait_for_event') return await runWaitForEvent({ ...run, step })
  if (step.type === 'human') return await runHuman({ ...run, step })
  if (step.id === 'fails') throw new StepFailure({ code: 'VALIDATION_FAILED', message: 'It fails.' })
  const output =
    step.id === 'square_cell'
      ? squareOf(Number(lookUp(scope, 'cell')))
      : answerOf(step.id, Number(lookUp(scope, 'number')))
  return { output, confidence: null, quality: null, usage, details: {} }
}

const engine = await startChaosEngine(database, runStep)
const worker = createWorker({
  database,
  log,
  metrics: createMetrics({ watchProcess: false }),
  name,
  role: 'worker',
  queues: engine.queues,
})
await worker.start()
process.stdout.write('ready\n')

// Ends with its parent process.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) process.exit(1)
}, 1000)
