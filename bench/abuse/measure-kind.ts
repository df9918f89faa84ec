import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '#kernel/database'
import type { Contender, Measurement } from '../benchmark.ts'
import { percentile } from '../summary.ts'
import type { Kind } from './kind.ts'
import { measureOperations } from './measure-operations.ts'
import type { AbuseOptions, AbuseReport } from './messages.ts'
import type { AbusePlatform } from './open-platform.ts'
import type { Receiver } from './receiver.ts'

export const nameAlone = ({ name }: Kind) => `${name}, alone`
export const nameBeside = ({ name }: Kind) => `${name}, beside abuse`

interface Stage {
  readonly platform: AbusePlatform
  readonly receiver: Receiver
  /** Runs `abuser-process.ts`. */
  readonly abuser: ChildProcess
}

/** The contenders of a kind: its normal operations alone, and beside its abuse. */
export async function createContenders(
  kind: Kind,
  { platform, receiver, abuser }: Stage,
): Promise<readonly Contender[]> {
  const { abuse, operations, pauseMs, beforeAbuse, afterAbuse } = await kind.prepare({
    ...platform,
    receiver,
  })
  // A request that is refused is not the abuse that the benchmark means.
  for (const { path, body } of abuse) await platform.abuser.call(path, body)
  await untilIdle(platform.database)

  async function measure(isAbused: boolean): Promise<Measurement> {
    if (isAbused) {
      await beforeAbuse?.()
      const options: AbuseOptions = { url: platform.url, key: platform.abuser.key, requests: abuse }
      abuser.send(options)
    }
    const { times, refused } = await measureOperations(operations, pauseMs)
    const report = isAbused ? await endAbuse(abuser) : undefined
    if (isAbused) {
      await afterAbuse?.()
      await untilIdle(platform.database)
    }
    return {
      value: percentile(times, 0.95),
      beside: {
        'p50 ms': percentile(times, 0.5),
        operations: times.length,
        refused,
        'abusive requests': report?.answered ?? 0,
        'abusive refused': report?.refused ?? 0,
      },
    }
  }

  return [
    { name: nameAlone(kind), measure: () => measure(false) },
    { name: nameBeside(kind), measure: () => measure(true) },
  ]
}

async function endAbuse(abuser: ChildProcess): Promise<AbuseReport> {
  const reported = once(abuser, 'message')
  abuser.send('end')
  const [report] = (await reported) as [AbuseReport]
  return report
}

/** What the abusive account has started comes to its end before the next measurement. */
async function untilIdle(database: Database): Promise<void> {
  const isBusy = `
    select exists (select from engine_executions where work_state in ('queued', 'running'))
      or exists (select from engine_outbox)
      or exists (select from webhook_lanes where work_state <> 'finished') as busy
  `
  while ((await database.query<{ busy: boolean }>(isBusy))[0]?.busy === true) await delay(200)
}
