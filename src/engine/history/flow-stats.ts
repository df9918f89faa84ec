import type { Database } from '#kernel/database'
import { readAtOneMoment } from './one-moment.ts'
import { coverPeriod, type Period, startOf, unitMs } from './period.ts'
import { type Flows, type RunQuery, readSome, readSums, type SumsOf } from './read-sums.ts'
import { accountRollUp, errorRollUp, flowRollUp, modelRollUp, stepRollUp } from './roll-up.ts'

export type FlowSums = SumsOf<typeof flowRollUp>
export type StepSums = SumsOf<typeof stepRollUp>
type ModelSums = SumsOf<typeof modelRollUp>

/** The sums that are compared with the previous period. */
const sumsBefore = ['executions', 'completed', 'failed', 'duration_ms', 'spent'] as const
type SumsBefore = Pick<FlowSums, (typeof sumsBefore)[number]>

const hourSums = ['executions', 'failed', 'spent'] as const

const sumsOfSteps = [
  'completed',
  'failed',
  'duration_ms',
  'input_tokens',
  'output_tokens',
  'quality_sum',
  'quality_count',
  'confidence_sum',
  'confidence_count',
] as const

interface ActiveAccount extends SumsOf<typeof accountRollUp> {
  readonly account_id: string
}

/** Statistics of a period, from the roll-ups: reading them takes the same time for a million executions as for a thousand. */
export interface FlowStats {
  /** All requested flows together. */
  readonly total: FlowSums
  readonly totalBefore: SumsBefore
  /** Every flow that ran, by id, whether or not it was requested. */
  readonly flows: ReadonlyMap<string, FlowSums>
  readonly flowsBefore: ReadonlyMap<string, SumsBefore>
  readonly labels: ReadonlyMap<string, string>
  readonly stepTypes: ReadonlyMap<string, StepSums>
  /** Steps of each requested flow. */
  readonly steps: readonly (Pick<StepSums, (typeof sumsOfSteps)[number]> & {
    readonly flow_id: string
    readonly step_id: string
    readonly type: string
  })[]
  readonly models: readonly (ModelSums & { readonly provider: string; readonly model: string })[]
  /** Sorted by executions, descending. */
  readonly accounts: readonly ActiveAccount[]
  readonly accountCount: number
  /** Accounts with more than one execution. */
  readonly returningAccounts: number
  readonly errors: readonly { readonly code: string; readonly executions: number }[]
  /** Hours in which executions ended, the earliest first; always the last weeks, also for a shorter period. */
  readonly hours: readonly (Pick<FlowSums, (typeof hourSums)[number]> & { readonly at: Date })[]
}

export interface FlowStatsQuery {
  readonly current: Period
  readonly before: Period
  readonly flows: Flows
  readonly now: Date
}

/** Enough weeks to show weekly patterns. */
export const weeksOfHours = 4
const maxAccounts = 10
const maxErrors = 20

/** Reads all statistics in one snapshot. */
export function readFlowStats(database: Database, query: FlowStatsQuery): Promise<FlowStats> {
  return readAtOneMoment(database, (run) => readAll(run, query))
}

async function readAll(run: RunQuery, { current, before, flows, now }: FlowStatsQuery): Promise<FlowStats> {
  const segments = coverPeriod(current, now)
  const segmentsBefore = coverPeriod(before, now)
  const hoursFrom = startOf('hour', new Date(now.getTime() - weeksOfHours * 7 * unitMs.day))
  const each = { flows: 'each', groupBy: ['flow_id'] } as const
  const together = { segments, flows, groupBy: [] } as const
  const [[total], [totalBefore], byFlow, byFlowBefore] = [
    await readSums(run, flowRollUp, together),
    await readSome(run, flowRollUp, { ...together, segments: segmentsBefore, sums: sumsBefore }),
    await readSums(run, flowRollUp, { segments, ...each }),
    await readSome(run, flowRollUp, { ...each, segments: segmentsBefore, sums: sumsBefore }),
  ]
  if (total === undefined || totalBefore === undefined) throw new Error('sums were not answered')
  const types = await readSums(run, stepRollUp, { segments, flows, groupBy: ['type'] })
  const steps = await readSome(run, stepRollUp, {
    segments,
    flows: flows === 'all' ? 'each' : flows,
    groupBy: ['flow_id', 'step_id', 'type'],
    sums: sumsOfSteps,
  })
  const models = await readSums(run, modelRollUp, { segments, flows, groupBy: ['provider', 'model'] })
  const accounts = await readAccounts(run, { segments, flows })
  const errors = await readSums(run, errorRollUp, {
    segments,
    flows,
    groupBy: ['code'],
    largest: { by: 'executions', most: maxErrors },
  })
  const hours = await readSome(run, flowRollUp, {
    segments: [{ grain: 'hour', from: hoursFrom, to: undefined }],
    flows,
    groupBy: ['at'],
    sums: hourSums,
  })
  return {
    total,
    totalBefore,
    flows: byKey(present(byFlow), 'flow_id'),
    flowsBefore: byKey(present(byFlowBefore), 'flow_id'),
    labels: await readLabels(
      run,
      byFlow.map(({ flow_id }) => flow_id),
    ),
    stepTypes: byKey(types, 'type'),
    steps,
    models,
    ...accounts,
    errors: present(errors),
    hours: present(hours).toSorted((one, other) => one.at.getTime() - other.at.getTime()),
  }
}

async function readAccounts(
  run: RunQuery,
  { segments, flows }: { readonly segments: ReturnType<typeof coverPeriod>; readonly flows: Flows },
): Promise<Pick<FlowStats, 'accounts' | 'accountCount' | 'returningAccounts'>> {
  const rows = await readSums(run, accountRollUp, {
    segments,
    flows,
    groupBy: ['account_id'],
    largest: { by: 'executions', most: maxAccounts },
    beside: {
      accounts: '(sum((sum(executions) > 0)::integer) over ())::bigint',
      returning_accounts: '(sum((sum(executions) > 1)::integer) over ())::bigint',
    },
  })
  const [first] = rows as readonly ((typeof rows)[number] & {
    readonly accounts: number
    readonly returning_accounts: number
  })[]
  return {
    accounts: present(rows),
    accountCount: first?.accounts ?? 0,
    returningAccounts: first?.returning_accounts ?? 0,
  }
}

/** The labels of the current versions of the flows. */
export async function readLabels(
  run: RunQuery,
  flowIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await run<{ id: string; label: string | null }>(
    `
      select flow.id, version.definition ->> 'label' as label
      from engine_flows as flow
      join engine_flow_versions as version on version.flow_id = flow.id and version.version = flow.current_version
      where flow.id = any ($1::text[])
    `,
    [flowIds],
  )
  return new Map(rows.flatMap(({ id, label }) => (label === null ? [] : [[id, label] as const])))
}

function byKey<Key extends string, Row extends Readonly<Record<Key, string>>>(
  rows: readonly Row[],
  key: Key,
): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row[key], row]))
}

/** A flow whose only end was subtracted has rows in which all sums are 0. */
function present<Row extends { readonly executions: number }>(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ executions }) => executions > 0)
}
