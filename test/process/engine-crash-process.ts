/**
 * A worker with the engine in a separate process. The id of a step sets its behaviour:
 *
 * hoard    takes memory until the process is aborted
 * ask      prints `asking`, and has its answer as soon as the file RELEASE_FILE exists
 * spin     keeps the main loop busy for a moment
 */
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { readSettings } from '#kernel/config'
import { databaseSettings, openDatabase } from '#kernel/database'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createWorker } from '#kernel/work'
import { type RunStep, startChaosEngine } from '../chaos/chaos-engine.ts'
import { answer } from '../database/engine-setting.ts'

const log = createLogger({ level: 'error', format: 'json' })
const database = await openDatabase({ settings: readSettings(databaseSettings, process.env), log })
const released = process.env['RELEASE_FILE'] ?? ''
const print = (line: string) => process.stdout.write(`${line}\n`)

function hoard(): never {
  print('hoarding')
  const kept: number[][] = []
  for (;;) kept.push(Array.from({ length: 100_000 }, (_, index) => index + kept.length / 3))
}

function spin(): void {
  const until = performance.now() + 100
  while (performance.now() < until);
}

const runStep: RunStep = async ({ step, executionId, signal }) => {
  if (step.id === 'hoard') hoard()
  if (step.id === 'spin') spin()
  if (step.id === 'ask') {
    print(`asking ${executionId}`)
    while (!existsSync(released)) await delay(20, undefined, { signal })
  }
  return answer(step.id)
}

const engine = await startChaosEngine(database, runStep)
const worker = createWorker({
  database,
  log,
  metrics: createMetrics({ watchProcess: false }),
  role: 'worker',
  queues: engine.queues,
  timing: { heartbeatMs: 400, deadAfterMs: 2000, pollMs: 100 },
})
await worker.start()
print('ready')

process.on('SIGTERM', () => {
  void worker.stop().then(() => process.exit(0))
})

// Ends with its parent process.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) process.exit(1)
}, 1000)
