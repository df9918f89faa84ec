import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { Client } from 'pg'
import { type HeartbeatData, type HeartbeatMessage, mainTicks, unsteady } from './heartbeat-data.ts'

const { connection, heartbeatMs, deadAfterMs, hungAfterMs, shared, ...first } = workerData as HeartbeatData

/** How soon a beat that failed is tried again. */
const retryMs = 250

let workerId = first.workerId
parentPort?.on('message', (newWorkerId: string) => {
  workerId = newWorkerId
})

/** The main loop counts up; standing still for too long, it hangs, and its work is better done by others. */
function watchMainLoop(): () => boolean {
  let ticks = Atomics.load(shared, mainTicks)
  let movedAt = performance.now()
  return () => {
    const current = Atomics.load(shared, mainTicks)
    if (current !== ticks) movedAt = performance.now()
    ticks = current
    return performance.now() - movedAt > hungAfterMs
  }
}

/** Tells the main thread whether this process has seen the database steadily enough to declare others dead. */
function watchSteadiness(): { beforeBeat(): void; afterBeat(): void } {
  // The worker has just registered, so the database was there: an outage before the first beat is an outage too.
  let lastBeatAt = performance.now()
  let steadyFrom = 0
  return {
    beforeBeat() {
      if (performance.now() - lastBeatAt < heartbeatMs * 2.5) return
      steadyFrom = Number.POSITIVE_INFINITY
      Atomics.store(shared, unsteady, 1)
    },
    afterBeat() {
      lastBeatAt = performance.now()
      if (steadyFrom === Number.POSITIVE_INFINITY) steadyFrom = lastBeatAt + deadAfterMs
      if (lastBeatAt >= steadyFrom) Atomics.store(shared, unsteady, 0)
    },
  }
}

async function connect(): Promise<Client> {
  const client = new Client({
    ...connection,
    application_name: 'tutti heartbeat',
    connectionTimeoutMillis: 3000,
    query_timeout: 3000,
  })
  // Unheard, a lost connection would end the thread; the next beat finds out by itself.
  client.on('error', () => {})
  await client.connect()
  return client
}

function report(message: HeartbeatMessage): void {
  parentPort?.postMessage(message, [])
}

async function beatForever(): Promise<never> {
  const hangs = watchMainLoop()
  const steadiness = watchSteadiness()
  let client: Client | undefined
  let failing = false
  for (;;) {
    let pauseMs = heartbeatMs
    const beating = workerId
    try {
      if (!hangs()) {
        steadiness.beforeBeat()
        client ??= await connect()
        const { rowCount } = await client.query(
          'update kernel_workers set heartbeat_at = now() where id = $1',
          [beating],
        )
        if (rowCount === 0 && beating === workerId) report({ kind: 'gone', workerId: beating })
        steadiness.afterBeat()
        if (failing) report({ kind: 'recovered' })
        failing = false
      }
    } catch (error) {
      if (!failing) report({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
      failing = true
      void client?.end().catch(() => {})
      client = undefined
      pauseMs = Math.min(retryMs, heartbeatMs)
    }
    await delay(pauseMs)
  }
}

await beatForever()
