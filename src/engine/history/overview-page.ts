import type { Database } from '#kernel/database'
import { addUp, fillBuckets, type OverviewPeriod, type OverviewTimeframe, overviewPeriod } from './buckets.ts'
import { quantileMs } from './duration-buckets.ts'
import { readLabels } from './flow-stats.ts'
import { readAtOneMoment } from './one-moment.ts'
import {
  type BucketSums,
  type FailureGroup,
  type OverviewNumbers,
  type RankedFlow,
  rankFlows,
} from './overview-numbers.ts'
import { readOwn } from './overview-own.ts'
import { countActive, hasExecutions, readLastFailures, readRecent } from './overview-recent.ts'
import { coverPeriod, type Segment } from './period.ts'
import { type RunQuery, readSome, readSums } from './read-sums.ts'
import { errorRollUp, flowRollUp, stepRollUp } from './roll-up.ts'

/** The lists are short enough to be read at a glance. */
const maxFlows = 5
const maxFailures = 10
/** The p95 is computed for the flows with the longest average only. */
const maxSlowCandidates = 20

const bucketSums = [
  'executions',
  'completed',
  'failed',
  'cancelled',
  'spent',
  'inputTokens',
  'outputTokens',
] as const

export interface OverviewQuestion {
  readonly timeframe: OverviewTimeframe
  /** Undefined: the numbers of all accounts. */
  readonly accountId: string | undefined
  /** The account that asks; null for anonymous callers. */
  readonly callerId: string | null
  /** Whose executions are shown as such: of all accounts, of one, or none. */
  readonly shows: 'all' | 'none' | { readonly accountId: string }
}

/** Reads the overview in one snapshot. */
export function readOverviewPage(database: Database, question: OverviewQuestion, now: Date) {
  return readAtOneMoment(database, (run) => readAll(run, question, now))
}

async function readAll(run: RunQuery, question: OverviewQuestion, now: Date) {
  const { timeframe, accountId, callerId, shows } = question
  const period = overviewPeriod(timeframe, now)
  const numbers =
    accountId === undefined
      ? await readNumbers(run, period, { now, shows })
      : await readOwn(run, period, accountId)
  const [before, current] = splitSeries(numbers.series, period)
  const recent = shows === 'none' ? [] : await readRecent(run, shows === 'all' ? undefined : shows.accountId)
  const { slowest, failing, failures } = numbers
  return {
    ...numbers,
    period,
    now,
    slowest: slowest.slice(0, maxFlows),
    failing: failing.slice(0, maxFlows),
    failures: failures.slice(0, maxFailures),
    buckets: fillBuckets(current, bucketSums, period),
    bucketsBefore: fillBuckets(before, bucketSums, { ...period, from: period.beforeFrom, to: period.from }),
    total: addUp(current, bucketSums),
    totalBefore: addUp(before, bucketSums),
    recent,
    hasRun: callerId !== null && (await hasExecutions(run, callerId)),
    labels: await readLabels(
      run,
      [...slowest, ...failing, ...failures].map(({ flowId }) => flowId),
    ),
  }
}

/** The numbers of all accounts, from the roll-ups. */
async function readNumbers(
  run: RunQuery,
  period: OverviewPeriod,
  { now, shows }: { readonly now: Date; readonly shows: OverviewQuestion['shows'] },
): Promise<OverviewNumbers> {
  const both: Segment = { grain: period.grain, from: period.beforeFrom, to: undefined }
  const byTime = { segments: [both], flows: 'all', groupBy: ['at'], bucketMs: period.bucketMs } as const
  const ends = await readSome(run, flowRollUp, {
    ...byTime,
    sums: ['executions', 'completed', 'failed', 'cancelled', 'spent'],
  })
  const steps = await readSome(run, stepRollUp, { ...byTime, sums: ['input_tokens', 'output_tokens'] })
  const tokensAt = new Map(steps.map((row) => [row.at.getTime(), row]))
  const segments = coverPeriod({ from: period.from, to: undefined }, now)
  const [total] = await readSums(run, flowRollUp, { segments, flows: 'all', groupBy: [] })
  const [tried] = await readSome(run, stepRollUp, {
    segments,
    flows: 'all',
    groupBy: [],
    sums: ['attempts', 'completed', 'failed'],
  })
  const failures = await readSome(run, errorRollUp, {
    segments,
    flows: 'each',
    groupBy: ['flow_id', 'code'],
    sums: ['executions'],
    largest: { by: 'executions', most: maxFailures },
  })
  return {
    series: ends.map(({ at, ...sums }) => ({
      at,
      ...sums,
      inputTokens: tokensAt.get(at.getTime())?.input_tokens ?? 0,
      outputTokens: tokensAt.get(at.getTime())?.output_tokens ?? 0,
    })),
    p95Ms: total === undefined ? null : quantileMs(total.took, 0.95),
    retries: tried === undefined ? 0 : Math.max(0, tried.attempts - tried.completed - tried.failed),
    ...(await readRanks(run, segments)),
    failures: await withLast(
      run,
      failures.filter(({ executions }) => executions > 0),
      shows,
    ),
    active: await countActive(run),
    detailsFrom: period.from,
  }
}

/** The slowest flows by p95, and those with the most failures. */
async function readRanks(run: RunQuery, segments: readonly Segment[]) {
  const each = { segments, flows: 'each', groupBy: ['flow_id'] } as const
  const slow = await readSome(run, flowRollUp, {
    ...each,
    sums: ['completed'],
    largest: { by: 'duration_ms', per: 'completed', most: maxSlowCandidates },
  })
  const failing = await readSome(run, flowRollUp, {
    ...each,
    sums: ['failed'],
    largest: { by: 'failed', most: maxFlows },
  })
  const ids = [...new Set([...slow, ...failing].map(({ flow_id }) => flow_id))]
  const all = await readSums(run, flowRollUp, { ...each, flows: ids })
  const ranked = all.map(
    ({ flow_id, executions, completed, failed, duration_ms, took }): RankedFlow => ({
      flowId: flow_id,
      executions,
      completed,
      failed,
      averageMs: completed > 0 ? duration_ms / completed : null,
      p95Ms: quantileMs(took, 0.95),
    }),
  )
  return rankFlows(ranked)
}

async function withLast(
  run: RunQuery,
  groups: readonly { readonly flow_id: string; readonly code: string; readonly executions: number }[],
  shows: OverviewQuestion['shows'],
): Promise<readonly FailureGroup[]> {
  const last =
    shows === 'none' ? [] : await readLastFailures(run, groups, shows === 'all' ? undefined : shows.accountId)
  return groups.map(({ flow_id, code, executions }) => ({
    flowId: flow_id,
    errorCode: code,
    executions,
    last: last.find((it) => it.flowId === flow_id && it.code === code) ?? null,
  }))
}

type Dated = BucketSums & { readonly at: Date }

function splitSeries(
  series: readonly Dated[],
  { from }: OverviewPeriod,
): readonly [before: Dated[], current: Dated[]] {
  return [series.filter(({ at }) => at < from), series.filter(({ at }) => at >= from)]
}
