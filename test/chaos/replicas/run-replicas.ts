import { setTimeout as delay } from 'node:timers/promises'
import { ensureProgramBuilt } from '../../support/program.ts'
import { type Load, startLoad } from '../load.ts'
import type { Fault } from './faults.ts'
import { openScene, type Scene } from './scene.ts'

export interface ReplicaChaosOptions {
  readonly replicas: number
  readonly callers: number
  readonly faults: readonly Fault[]
  readonly onProgress?: (line: string) => void
}

/** What callers saw of one fault. */
interface FaultReport {
  readonly name: string
  readonly seconds: number
  readonly requests: number
  readonly failures: readonly string[]
  /** From the end of the fault to the last failed request. */
  readonly recoverySeconds: number
  /** The longest time that an execution took which was open when the fault began. */
  readonly slowestExecutionSeconds: number
}

export interface ReplicaChaosReport {
  readonly balancer: string
  readonly faults: readonly FaultReport[]
  readonly requests: number
  readonly streams: number
  readonly resumedStreams: number
  readonly acknowledged: number
  /** Acknowledged executions that did not complete. */
  readonly lost: number
  /** Requests of steps that were sent again although the outcome of the step was committed. */
  readonly repeatedEffects: number
  /** Requests of steps that were sent again because their replica was lost before it could commit. */
  readonly unfinishedEffects: number
  /** Executions of a schedule beyond one for each of its times. */
  readonly doubleSchedules: number
  readonly scheduled: number
  readonly deliveries: number
  /** Delivered again with the same id: the response came when the worker was killed or cut off from the database. */
  readonly repeatedDeliveries: number
  /** Ended executions whose callback never came. */
  readonly missingDeliveries: number
  /** What was not as promised, one line each. */
  readonly problems: readonly string[]
}

/** A fault counts as over once callers have seen no failure for this long. */
const calmMs = 5000
const maxRecoverySeconds = 5
const maxTakeoverSeconds = 12

/** Runs faults one after the other under constant load, and counts what callers saw. */
export async function runReplicaChaos(options: ReplicaChaosOptions): Promise<ReplicaChaosReport> {
  const { replicas, callers, onProgress = () => {} } = options
  await ensureProgramBuilt()
  await using scene = await openScene(replicas)
  const { balancer, receivers, apiKey } = scene
  const load = startLoad({
    url: balancer.url,
    apiKey,
    callers,
    callbackUrl: receivers.callbackUrl,
    beside: scene.besideLoad,
  })
  const runs: { readonly fault: Fault; readonly report: FaultReport }[] = []
  await delay(calmMs)
  for (const fault of options.faults) {
    const impossible = fault.impossible?.(scene)
    if (impossible !== undefined) {
      onProgress(`${fault.name}: left out, ${impossible}`)
      continue
    }
    const report = await runFault(fault, scene, load)
    runs.push({ fault, report })
    const { name, requests, failures, recoverySeconds } = report
    onProgress(
      `${name}: ${failures.length} of ${requests} requests failed, recovery ${recoverySeconds.toFixed(1)} s`,
    )
  }
  const { started, requests, streams, resumedStreams } = await load.stop()
  const lost = await countLost(scene, started)
  const checked = { lost, ...(await countSchedules(scene)), ...(await countEffects(scene)) }
  const missingDeliveries = await countMissingDeliveries(scene, started)
  const counts = [...receivers.deliveries.values()]
  const totals = {
    ...checked,
    missingDeliveries,
    repeatedDeliveries: counts.filter((count) => count > 1).length,
  }
  return {
    ...totals,
    balancer: balancer.name,
    faults: runs.map(({ report }) => report),
    requests,
    streams,
    resumedStreams,
    acknowledged: started.size,
    deliveries: counts.length,
    problems: [...runs.flatMap(({ fault, report }) => problemsOf(report, fault)), ...losses(totals)],
  }
}

async function runFault(fault: Fault, scene: Scene, load: Load): Promise<FaultReport> {
  const [requestsBefore, failuresBefore] = [load.requests(), load.failures.length]
  const begunAt = Date.now()
  await fault.run(scene)
  const endedAt = Date.now()
  await fault.repair?.(scene)
  const giveUpAt = Date.now() + 120_000
  const lastFailureAt = () => load.failures.at(-1)?.at ?? 0
  while (Date.now() - Math.max(lastFailureAt(), endedAt) < calmMs && Date.now() < giveUpAt) await delay(100)
  const failures = load.failures.slice(failuresBefore)
  const last = failures.at(-1)?.at ?? 0
  const [row] = await scene.query<{ seconds: number | null }>(
    `
      select extract(epoch from max(finished_at) - to_timestamp($1))::float8 as seconds
      from engine_executions
      where created_at < to_timestamp($1) and finished_at > to_timestamp($1)
    `,
    [begunAt / 1000],
  )
  return {
    name: fault.name,
    seconds: (endedAt - begunAt) / 1000,
    requests: load.requests() - requestsBefore,
    failures: failures.map(({ at, message }) => `${((at - begunAt) / 1000).toFixed(1)} s: ${message}`),
    recoverySeconds: Math.max(0, (last - endedAt) / 1000),
    slowestExecutionSeconds: row?.seconds ?? 0,
  }
}

function problemsOf(report: FaultReport, { mayFail }: Fault): string[] {
  const { name, seconds, failures, recoverySeconds, slowestExecutionSeconds } = report
  return [
    ...(failures.length > 0 && !mayFail ? [`${name}: ${failures.length} requests failed`] : []),
    ...(recoverySeconds > maxRecoverySeconds
      ? [`${name}: recovery took ${recoverySeconds.toFixed(1)} s`]
      : []),
    ...(slowestExecutionSeconds > seconds + maxTakeoverSeconds
      ? [`${name}: an execution took ${slowestExecutionSeconds.toFixed(1)} s`]
      : []),
  ]
}

function losses(totals: Readonly<Record<string, number>>): string[] {
  const words = {
    lost: 'acknowledged executions were lost',
    repeatedEffects: 'finished side effects were repeated',
    doubleSchedules: 'times of a schedule had a second execution',
    missingDeliveries: 'webhooks were not delivered',
  }
  return Object.entries(words).flatMap(([name, sentence]) => {
    const count = totals[name] ?? 0
    return count === 0 ? [] : [`${count} ${sentence}`]
  })
}

/** Waits until the acknowledged executions have ended, and counts those that did not complete. */
async function countLost({ query }: Scene, started: ReadonlySet<string>): Promise<number> {
  for (const giveUpAt = Date.now() + 60_000; ; await delay(200)) {
    const [row] = await query<{ count: number }>(
      `select count(*)::int as count from engine_executions where id = any($1::uuid[]) and status = 'completed'`,
      [[...started]],
    )
    const lost = started.size - (row?.count ?? 0)
    if (lost === 0 || Date.now() > giveUpAt) return lost
  }
}

async function countMissingDeliveries({ receivers }: Scene, started: ReadonlySet<string>): Promise<number> {
  for (const giveUpAt = Date.now() + 120_000; ; await delay(200)) {
    const missing = [...started].filter((id) => !receivers.ended.has(id)).length
    if (missing === 0 || Date.now() > giveUpAt) return missing
  }
}

async function countSchedules({ query }: Scene) {
  const [row] = await query<{ scheduled: number; times: number }>(`
    select (select count(*)::int from engine_executions where schedule_id is not null) as scheduled,
      (select coalesce(sum(times_started), 0)::int from engine_schedules) as times
  `)
  const { scheduled = 0, times = 0 } = row ?? {}
  return { scheduled, doubleSchedules: scheduled - times }
}

/** A call that came after the outcome of its step was committed is a repeated side effect. */
async function countEffects({ query, receivers }: Scene) {
  const rows = await query<{ key: string; committed_ms: number }>(`
    select execution.input -> 'context' ->> 'key' as key,
      (extract(epoch from pg_xact_commit_timestamp(step.xmin)) * 1000)::float8 as committed_ms
    from engine_steps as step
    join engine_executions as execution on execution.id = step.execution_id
    where step.step_id = 'effect' and execution.schedule_id is null
  `)
  let [repeatedEffects, unfinishedEffects] = [0, 0]
  for (const { key, committed_ms: committedMs } of rows) {
    const [, ...again] = receivers.effects.get(key) ?? []
    for (const at of again) {
      if (at > committedMs) repeatedEffects += 1
      else unfinishedEffects += 1
    }
  }
  return { repeatedEffects, unfinishedEffects }
}
