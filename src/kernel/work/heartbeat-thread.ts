import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { type Connection, createConnector, errorCode, tooManyConnections } from '#kernel/postgres'
import { readBusyRow } from './busy-row.ts'
import { type HeartbeatData, type HeartbeatMessage, mainTicks, unstable } from './heartbeat.ts'

const { target, heartbeatMs, deadAfterMs, hungAfterMs, shared, busyRow, ...first } =
  workerData as HeartbeatData

/** Delay before a failed heartbeat is retried. */
const retryMs = 250

let workerId = first.workerId
parentPort?.on('message', (newWorkerId: string) => {
  workerId = newWorkerId
})

/** True when the main loop has not incremented its counter for too long: it hangs, and other workers should take over. */
function trackMainLoop(): () => boolean {
  let ticks = Atomics.load(shared, mainTicks)
  let movedAt = performance.now()
  return () => {
    const current = Atomics.load(shared, mainTicks)
    if (current !== ticks) movedAt = performance.now()
    ticks = current
    return performance.now() - movedAt > hungAfterMs
  }
}

/** Tracks whether the database was reachable long enough for this process to declare other workers dead. */
function trackStability(): { beforeBeat(): void; afterBeat(): void } {
  // The worker has just registered, so the database was reachable: an outage before the first heartbeat counts too.
  let lastBeatAt = performance.now()
  let stableFrom = 0
  return {
    beforeBeat() {
      if (performance.now() - lastBeatAt < heartbeatMs * 2.5) return
      stableFrom = Number.POSITIVE_INFINITY
      Atomics.store(shared, unstable, 1)
    },
    afterBeat() {
      lastBeatAt = performance.now()
      if (stableFrom === Number.POSITIVE_INFINITY) stableFrom = lastBeatAt + deadAfterMs
      if (lastBeatAt >= stableFrom) Atomics.store(shared, unstable, 0)
    },
  }
}

const attemptMs = 3000

/** A connection of its own: a full pool must not cost this process its leases. */
const connector = createConnector(target, {
  application_name: `${target.applicationName} heartbeat`,
  query_timeout: attemptMs,
})

function report(message: HeartbeatMessage): void {
  parentPort?.postMessage(message, [])
}

/** Old hangs are removed with each new one. */
const recordHangStatement = `
  with expired as (delete from kernel_hangs where last_at < now() - interval '30 days' and (queue, key) <> ($1, $2))
  insert into kernel_hangs (queue, key) values ($1, $2)
  on conflict (queue, key) do update set count = kernel_hangs.count + 1, last_at = now()
`

/**
 * Records once per hang which row the main loop works on, so that the next worker of the row knows. Not when it is first seen: after a
 * freeze of the whole process this thread may continue before the main loop does.
 */
function trackHang(): (connection: Connection) => Promise<void> {
  let seenAtTick: number | undefined
  let recordedAtTick: number | undefined
  return async ({ client }) => {
    const tick = Atomics.load(shared, mainTicks)
    if (tick === seenAtTick && tick !== recordedAtTick) {
      const row = readBusyRow(busyRow)
      if (row !== undefined) await client.query(recordHangStatement, [row.queue, row.key])
      recordedAtTick = tick
      report({ kind: 'hung', row })
    }
    seenAtTick = tick
  }
}

async function beatForever(): Promise<never> {
  const hangs = trackMainLoop()
  const recordHang = trackHang()
  const stability = trackStability()
  let connection: Connection | undefined
  let failing = false
  for (;;) {
    let pauseMs = heartbeatMs
    const beating = workerId
    try {
      const isHung = hangs()
      if (!isHung) stability.beforeBeat()
      connection ??= await connector.open(performance.now() + attemptMs)
      if (isHung) await recordHang(connection)
      else {
        const { rowCount } = await connection.client.query(
          'update kernel_workers set heartbeat_at = now() where id = $1',
          [beating],
        )
        if (rowCount === 0 && beating === workerId) report({ kind: 'gone', workerId: beating })
        stability.afterBeat()
        if (failing) report({ kind: 'recovered' })
        failing = false
      }
    } catch (error) {
      if (!failing) report({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
      failing = true
      connection?.destroy()
      connection = undefined
      pauseMs = Math.min(retryMs, heartbeatMs)
      if (errorCode(error) === tooManyConnections) {
        report({ kind: 'no_connection', workerId: beating })
        pauseMs = heartbeatMs
      }
    }
    await delay(pauseMs)
  }
}

await beatForever()
