import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { readSettings } from '#kernel/config'
import { databaseSettings, openDatabase } from '#kernel/database'
import { Failure } from '#kernel/errors'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createWorker, serveQueue, type WorkerTiming } from '#kernel/work'
import { type Chore, chores } from '../database/work-chores.ts'

/**
 * A worker in a separate process, which starts on SIGUSR2. The label of a chore sets its behaviour:
 *
 * quick     finishes after a moment
 * hold      prints `holding ID` and never ends by itself
 * told      prints `holding ID`, and from SIGUSR1 on tries to finish whatever its signal says; prints how that went
 * busy FILE prints `holding ID`, at the first attempt blocks the main loop until FILE exists, finishes, and prints how that went
 */

const database = await openDatabase({
  settings: readSettings(databaseSettings, process.env),
  log: createLogger({ level: 'error', format: 'json' }),
})
const timing = JSON.parse(process.env['WORKER_TIMING'] ?? '{}') as Partial<WorkerTiming>

const print = (line: string) => process.stdout.write(`${line}\n`)

async function finishAndTell(claim: Parameters<typeof chores.finish>[1]): Promise<void> {
  try {
    await chores.finish(database, claim, { result: `by ${process.pid}` })
    print(`finished ${claim.key}`)
  } catch (error) {
    print(`refused ${claim.key} ${error instanceof Failure ? error.code : String(error)}`)
  }
}

function blockUntil(path: string): void {
  while (!existsSync(path)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
}

const told = Promise.withResolvers<void>()
process.on('SIGUSR1', () => told.resolve())

const worker = createWorker({
  database,
  log: createLogger({ level: 'warn', format: 'json' }),
  metrics: createMetrics({ watchProcess: false }),
  role: 'worker',
  timing,
  queues: [
    serveQueue<Chore>({
      queue: chores,
      concurrency: 20,
      async handle(claim) {
        await database.query('insert into chore_starts (chore, fence, worker) values ($1, $2, $3)', [
          claim.key,
          claim.fence,
          claim.workerId,
        ])
        const [verb, path = ''] = claim.row.label.split(' ')
        if (verb === 'quick') {
          await delay(Math.random() * 5)
          await chores.finish(database, claim, { result: `by ${process.pid}` })
          return
        }
        print(`holding ${claim.key}`)
        if (verb === 'told') await told.promise
        if (verb === 'busy' && claim.attempt === 1) {
          claim.markBusy()
          blockUntil(path)
        }
        if (verb === 'hold') await new Promise((resolve) => claim.signal.addEventListener('abort', resolve))
        else await finishAndTell(claim)
      },
    }),
  ],
})

// Keeps the process alive before it works, and ends it with the tests that started it.
const parent = process.ppid
const waiting = setInterval(() => {
  if (process.ppid !== parent) process.exit(1)
}, 1000)
process.on('SIGTERM', () => {
  clearInterval(waiting)
  void worker.stop().then(() => database.close())
})
process.on('SIGUSR2', () => {
  void worker.start().then(() => print(`ready ${worker.id}`))
})
print('loaded')
