import { hash } from 'node:crypto'
import type { Database } from '#kernel/database'
import type { CatalogueEntry } from '#models'
import type { FlowDefinition } from '../definition/flow.ts'
import { callsModels } from '../definition/step-types.ts'
import { expectationsIn, type FlowMetadata } from '../flows/flow-metadata.ts'
import {
  type AgentHabits,
  type AgentStats,
  readAgentHabits,
  readAgentStats,
  readAgents,
} from './agent-stats.ts'
import { type BatchShape, estimateFlow, type FlowEstimate } from './flow-estimate.ts'
import { type FlowPeriodQuestion, rateFlow, ratio, readFlowPeriod } from './flow-period.ts'
import { type FlowStats, readFlowStats, type StepSums } from './flow-stats.ts'
import { type Overview, paceMinutes, predictWait, type QueueWait, readOverview } from './overview.ts'
import { type OverviewQuestion, readOverviewPage } from './overview-page.ts'
import { type Period, periodsOf, startOf, type Timeframe, unitMs } from './period.ts'
import { type Flows, type RunQuery, readSome, readSums } from './read-sums.ts'
import { flowRollUp, modelRollUp, stepRollUp } from './roll-up.ts'
import { createRoller, type Roller } from './roller.ts'
import { estimateStep } from './step-estimates.ts'

interface WhenRead {
  readonly period: Period
  readonly periodBefore: Period
  readonly at: Date
}

interface FlowStatistics extends FlowStats, WhenRead {}

interface FlowOverview extends Overview, WhenRead {}

interface AgentStatistics extends AgentStats, AgentHabits, WhenRead {
  /** All executions that ended before this time are included; null: the roll-up has not completed since this process started. */
  readonly completeAt: Date | null
}

/** The result of a query of the history. */
export type HistoryResult<Query extends keyof History> = Awaited<ReturnType<History[Query]>>

/** Aggregated statistics of executions, and the estimates derived from them. */
export interface History extends Roller {
  /** Statistics of a period up to now. Includes all executions that ended, unless rolling them up takes more than five seconds. */
  stats(query: { readonly timeframe: Timeframe; readonly flows: Flows }): Promise<FlowStatistics>
  /** Fewer statistics than `stats`, with the hours and days of the period. */
  overview(query: { readonly timeframe: Timeframe; readonly flows: Flows }): Promise<FlowOverview>
  /** The overview of a period by time and flow, of all accounts or of one, with the newest executions. */
  page(question: OverviewQuestion): ReturnType<typeof readOverviewPage>
  /** The executions of a flow that ended in a period up to now, by time, of all accounts or of one. */
  flowPeriod(question: FlowPeriodQuestion): ReturnType<typeof readFlowPeriod>
  /** The sums of agents in a period up to now, by id: of these agents, or of all that ran. */
  agents(query: {
    readonly timeframe: Timeframe
    readonly ids?: readonly string[] | undefined
  }): Promise<ReadonlyMap<string, StepSums>>
  /** The statistics of agents of the last day, compared with the day before, with their patterns and the flows they ran in. */
  agentStats(query: { readonly ids?: readonly string[] | undefined }): Promise<AgentStatistics>
  /** The statistics of every model used in the last weeks. */
  modelRecords(): Promise<readonly ModelRecord[]>
  /** Estimates an execution of a flow. */
  estimate(what: {
    readonly definition: FlowDefinition
    readonly metadata?: FlowMetadata | undefined
    readonly batch?: BatchShape | undefined
  }): Promise<FlowEstimate>
  /** The statistics of every flow that ran in the last weeks, by id. */
  records(): Promise<ReadonlyMap<string, FlowRecord>>
  /** The ids among these that no flow ever had. */
  unknownFlows(ids: readonly string[]): Promise<readonly string[]>
  /** Estimates when the execution at this position of the queue starts; 1 is next. */
  waitAt(position: number): Promise<QueueWait>
}

export interface HistoryOptions {
  readonly database: Database
  /** The model for a name, `auto` included. */
  readonly findModel: (name: string) => Promise<CatalogueEntry | undefined>
  readonly now?: () => Date
}

/** How long a query waits for the roll-up at most. */
const maxRollMs = 5000

export function createHistory({ database, findModel, now = () => new Date() }: HistoryOptions): History {
  const roller = createRoller({ database })
  const rollForReaders = shareRuns(() => roller.roll({ maxMs: maxRollMs }))
  // Prepared statements: planning them takes longer than running them, and there are few of them.
  const run: RunQuery = (text, values) => database.query(text, values, nameOf(text))

  /** When all ended executions were last known to be rolled up. */
  let completeAt: Date | null = null

  /** With very many ended executions the roll-up may take longer than a reader should wait: the result is then slightly outdated. */
  async function addWhatEnded(): Promise<Date | null> {
    const [at, begun] = [now(), performance.now()]
    try {
      await rollForReaders()
      if (performance.now() - begun < maxRollMs) completeAt = at
    } catch (error) {
      if (!isLockTimeout(error)) throw error
    }
    return completeAt
  }

  async function readKnowledge(flowId: string) {
    const segments = recentDays(now())
    const [[own], [all], steps, types] = await Promise.all([
      readSums(run, flowRollUp, { segments, flows: [flowId], groupBy: [] }),
      readSome(run, flowRollUp, { segments, flows: 'all', groupBy: [], sums: ['unpriced'] }),
      readSums(run, stepRollUp, { segments, flows: [flowId], groupBy: ['step_id', 'type'] }),
      readSums(run, stepRollUp, { segments, flows: 'all', groupBy: ['type'] }),
    ])
    return { own, unpriced: (all?.unpriced ?? 0) > 0, steps, types }
  }

  return {
    roll: (options) => roller.roll(options),

    async stats({ timeframe, flows }) {
      await addWhatEnded()
      const at = now()
      const { current, before } = periodsOf(timeframe, at)
      const stats = await readFlowStats(database, { current, before, flows, now: at })
      return { ...stats, period: current, periodBefore: before, at }
    },

    async overview({ timeframe, flows }) {
      await addWhatEnded()
      const at = now()
      const { current, before } = periodsOf(timeframe, at)
      const overview = await readOverview(database, { current, before, flows, now: at })
      return { ...overview, period: current, periodBefore: before, at }
    },

    async page(question) {
      await addWhatEnded()
      return readOverviewPage(database, question, now())
    },

    async flowPeriod(question) {
      await addWhatEnded()
      return readFlowPeriod(database, question, now())
    },

    async agents({ timeframe, ids }) {
      await addWhatEnded()
      const at = now()
      return readAgents(run, { period: periodsOf(timeframe, at).current, ids, now: at })
    },

    async agentStats({ ids }) {
      const complete = await addWhatEnded()
      const at = now()
      const { current, before } = periodsOf('24h', at)
      // Patterns cover weeks, so they need not come from the same snapshot; reading them takes as long as the rest.
      const [stats, habits] = await Promise.all([
        readAgentStats(database, { current, before, ids, now: at }),
        readAgentHabits(run, ids, at),
      ])
      return { ...stats, ...habits, period: current, periodBefore: before, at, completeAt: complete }
    },

    modelRecords: () => readModelRecords(run, now()),

    async estimate({ definition, metadata = {}, batch }) {
      const { own, unpriced, steps, types } = await readKnowledge(definition.id)
      const estimates = definition.steps.map(async (step) =>
        estimateStep(step, {
          own: steps.find(({ step_id, type }) => step_id === step.id && type === step.type),
          ofType: types.find(({ type }) => type === step.type),
          unpriced,
          model: callsModels(step) ? await findModel(step.ai_options?.model ?? 'auto') : undefined,
        }),
      )
      return estimateFlow({
        definition,
        steps: await Promise.all(estimates),
        own,
        expected: expectationsIn(metadata),
        batch,
      })
    },

    records: () => readFlowRecords(run, now()),

    async unknownFlows(ids) {
      const known = await run<{ id: string }>('select id from engine_flows where id = any ($1::text[])', [
        ids,
      ])
      return ids.filter((id) => !known.some((flow) => flow.id === id))
    },

    async waitAt(position) {
      const at = now()
      const from = new Date(at.getTime() - paceMinutes * unitMs.minute)
      const minutes = await readSome(run, flowRollUp, {
        segments: [{ grain: 'minute', from, to: undefined }],
        flows: 'all',
        groupBy: ['at'],
        sums: ['executions'],
      })
      return predictWait({ position, minutes, now: at })
    },
  }
}

function nameOf(text: string): string {
  return `engine_history_${hash('sha256', text).slice(0, 16)}`
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}

/** A call during a run needs a run that starts later. All waiting callers share the next run. */
export function shareRuns<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | undefined
  return () => {
    next ??= running.then(() => {
      next = undefined
      const current = run()
      running = current.catch(() => {})
      return current
    })
    return next
  }
}

/** The statistics of a flow in the last weeks. */
interface FlowRecord extends ReturnType<typeof rateFlow> {
  readonly executions: number
  readonly completed: number
  readonly failed: number
  /** 0 to 100, the average of scored texts; null without any. */
  readonly quality: number | null
  /** 0 to 1, the average of responses with a confidence; null without any. */
  readonly confidence: number | null
}

/** The days of history that estimates are based on. */
const daysOfHistory = 30

function recentDays(now: Date) {
  const from = startOf('day', new Date(now.getTime() - daysOfHistory * unitMs.day))
  return [{ grain: 'day', from, to: undefined }] as const
}

/** Reads the records of every flow that ran, by id. */
async function readFlowRecords(run: RunQuery, now: Date): Promise<ReadonlyMap<string, FlowRecord>> {
  const each = { segments: recentDays(now), flows: 'each', groupBy: ['flow_id'] } as const
  const [flows, steps] = await Promise.all([
    readSums(run, flowRollUp, each),
    readSome(run, stepRollUp, {
      ...each,
      sums: ['quality_sum', 'quality_count', 'confidence_sum', 'confidence_count'],
    }),
  ])
  const stepsOf = new Map(steps.map((sums) => [sums.flow_id, sums]))
  return new Map(
    flows
      .filter(({ executions }) => executions > 0)
      .map((sums) => {
        const { flow_id, executions, completed, failed } = sums
        const made = stepsOf.get(flow_id)
        const record: FlowRecord = {
          executions,
          completed,
          failed,
          ...rateFlow(sums),
          quality: ratio(made?.quality_sum ?? 0, made?.quality_count ?? 0),
          confidence: ratio(made?.confidence_sum ?? 0, made?.confidence_count ?? 0),
        }
        return [flow_id, record]
      }),
  )
}

/** The statistics of a model in the last weeks, over all flows. */
interface ModelRecord {
  readonly provider: string
  readonly model: string
  /** 0 to 100, the average of scored texts; null without any. */
  readonly quality: number | null
  /** Average response time; null without any. */
  readonly averageMs: number | null
}

/** Reads the records of every model that was used. */
async function readModelRecords(run: RunQuery, now: Date): Promise<readonly ModelRecord[]> {
  const rows = await readSome(run, modelRollUp, {
    segments: recentDays(now),
    flows: 'all',
    groupBy: ['provider', 'model'],
    sums: ['quality_sum', 'quality_count', 'ai_ms', 'ai_calls'],
  })
  return rows.map(({ provider, model, ...sums }) => ({
    provider,
    model,
    quality: sums.quality_count > 0 ? sums.quality_sum / sums.quality_count : null,
    averageMs: sums.ai_calls > 0 ? sums.ai_ms / sums.ai_calls : null,
  }))
}
