import { hash } from 'node:crypto'
import type { Database } from '#kernel/database'
import type { CatalogueEntry } from '#models'
import type { FlowDefinition } from '../definition/flow.ts'
import { asksModels } from '../definition/step-types.ts'
import { expectationsIn, type FlowMetadata } from '../flows/flow-metadata.ts'
import {
  type AgentFigures,
  type AgentHabits,
  readAgentFigures,
  readAgentHabits,
  readAgents,
} from './agent-figures.ts'
import { type Figures, readFigures, type StepSums } from './figures.ts'
import { type BatchShape, estimateFlow, type FlowEstimate } from './flow-estimate.ts'
import { type FlowRecord, readFlowRecords, recentDays } from './flow-records.ts'
import { type ModelRecord, readModelRecords } from './model-records.ts'
import { type Overview, readOverview } from './overview.ts'
import { type Period, periodsOf, type Timeframe, unitMs } from './period.ts'
import { paceMinutes, predictWait, type QueueWait } from './queue-wait.ts'
import { type Flows, type RunQuery, readSome, readSums } from './read-sums.ts'
import { flowRollUp, stepRollUp } from './roll-up.ts'
import { createRoller, type Roller } from './roller.ts'
import { shareRuns } from './share-runs.ts'
import { estimateStep } from './step-estimates.ts'

interface WhenRead {
  readonly period: Period
  readonly periodBefore: Period
  readonly at: Date
}

export interface FiguresOf extends Figures, WhenRead {}

export interface OverviewOf extends Overview, WhenRead {}

export interface AgentFiguresOf extends AgentFigures, AgentHabits, WhenRead {
  /** Everything that had ended by then is in it; null: it could not be added up since this process began. */
  readonly completeAt: Date | null
}

/** What became of executions, added up, and what follows from it for those to come. */
export interface History extends Roller {
  /** Everything known of a time up to now. What has ended is in it, unless adding it up takes more than five seconds. */
  figures(query: { readonly timeframe: Timeframe; readonly flows: Flows }): Promise<FiguresOf>
  /** The same with less in it, and the hours and days of that time. */
  overview(query: { readonly timeframe: Timeframe; readonly flows: Flows }): Promise<OverviewOf>
  /** What agents did in a time up to now, by their ids: of these, or of all that did anything. */
  agents(query: {
    readonly timeframe: Timeframe
    readonly ids?: readonly string[] | undefined
  }): Promise<ReadonlyMap<string, StepSums>>
  /** The same of a day, compared with the day before, with their habits and the flows they worked in. */
  agentFigures(query: { readonly ids?: readonly string[] | undefined }): Promise<AgentFiguresOf>
  /** How each model that was asked has done in the last weeks. */
  modelRecords(): Promise<readonly ModelRecord[]>
  /** What an execution of this flow is likely to take. */
  estimate(what: {
    readonly definition: FlowDefinition
    readonly metadata?: FlowMetadata | undefined
    readonly batch?: BatchShape | undefined
  }): Promise<FlowEstimate>
  /** How each flow that ran has done in the last weeks, by its id. */
  records(): Promise<ReadonlyMap<string, FlowRecord>>
  /** Those of these ids that no flow ever had. */
  unknownFlows(ids: readonly string[]): Promise<readonly string[]>
  /** When the execution at this place of the queue is likely to begin; 1 is next. */
  waitAt(position: number): Promise<QueueWait>
}

export interface HistoryOptions {
  readonly database: Database
  /** The model that would be asked by this name, `auto` included. */
  readonly findModel: (name: string) => Promise<CatalogueEntry | undefined>
  readonly now?: () => Date
}

/** So long an answer waits for what has ended to be added up, at most. */
const mostRollMs = 5000

export function createHistory({ database, findModel, now = () => new Date() }: HistoryOptions): History {
  const roller = createRoller({ database })
  const rollForReaders = shareRuns(() => roller.roll({ mostMs: mostRollMs }))
  // Planning these statements takes longer than running them, and there are few of them: each is planned once.
  const run: RunQuery = (text, values) => database.query(text, values, nameOf(text))

  /** When everything that had ended was last known to be added up. */
  let completeAt: Date | null = null

  /** While very much has ended at once, others may be at it for longer than anybody wants to wait: then the answer is a little old. */
  async function addWhatEnded(): Promise<Date | null> {
    const [at, begun] = [now(), performance.now()]
    try {
      await rollForReaders()
      if (performance.now() - begun < mostRollMs) completeAt = at
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

    async figures({ timeframe, flows }) {
      await addWhatEnded()
      const at = now()
      const { current, before } = periodsOf(timeframe, at)
      const figures = await readFigures(database, { current, before, flows, now: at })
      return { ...figures, period: current, periodBefore: before, at }
    },

    async overview({ timeframe, flows }) {
      await addWhatEnded()
      const at = now()
      const { current, before } = periodsOf(timeframe, at)
      const overview = await readOverview(database, { current, before, flows, now: at })
      return { ...overview, period: current, periodBefore: before, at }
    },

    async agents({ timeframe, ids }) {
      await addWhatEnded()
      const at = now()
      return readAgents(run, { period: periodsOf(timeframe, at).current, ids, now: at })
    },

    async agentFigures({ ids }) {
      const complete = await addWhatEnded()
      const at = now()
      const { current, before } = periodsOf('24h', at)
      // Habits are those of weeks: they need not be of the very same moment, and take as long as all the rest.
      const [figures, habits] = await Promise.all([
        readAgentFigures(database, { current, before, ids, now: at }),
        readAgentHabits(run, ids, at),
      ])
      return { ...figures, ...habits, period: current, periodBefore: before, at, completeAt: complete }
    },

    modelRecords: () => readModelRecords(run, now()),

    async estimate({ definition, metadata = {}, batch }) {
      const { own, unpriced, steps, types } = await readKnowledge(definition.id)
      const estimates = definition.steps.map(async (step) =>
        estimateStep(step, {
          own: steps.find(({ step_id, type }) => step_id === step.id && type === step.type),
          ofType: types.find(({ type }) => type === step.type),
          unpriced,
          model: asksModels(step) ? await findModel(step.ai_options?.model ?? 'auto') : undefined,
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
