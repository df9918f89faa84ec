import { allSteps, type Engine, type Flow, type HistoryResult, sendsPrompt } from '#engine'
import { criteria, scoreFactors } from '#executions-api'
import type { CatalogueEntry, Models } from '#models'
import type { AskedModel, Candidate, FlowRecord } from '../../recommend/candidate.ts'
import { fitFactors } from '../../recommend/fit.ts'
import type { Requirements } from '../../recommend/requirements.ts'

type FlowStatistics = HistoryResult<'stats'>

interface CandidateOptions {
  readonly engine: Pick<Engine, 'flows' | 'history'>
  readonly models: Pick<Models, 'findModel' | 'catalogue' | 'providers'>
}

export interface Candidates {
  readonly candidates: readonly Candidate[]
  /** The number of existing flows. */
  readonly total: number
  readonly stats: FlowStatistics
  readonly catalogue: readonly CatalogueEntry[]
  readonly providerNames: readonly string[]
}

/** The maximum number of flows that get an estimate, the best fitting first. */
const maxConsidered = 60
const pageSize = 200
/** The number of flows whose history is read concurrently. */
const atOnce = 8

/** Reads the flows that may fit, with their track record, models and estimates. */
export async function readCandidates(
  { engine, models }: CandidateOptions,
  requirements: Requirements,
): Promise<Candidates> {
  const [flows, stats, catalogue, providerNames] = await Promise.all([
    readFlows(engine),
    engine.history.stats({ timeframe: '30d', flows: 'all' }),
    models.catalogue.find(),
    models.providers.names(),
  ])
  // Steps without a model use the preferred providers first.
  const find = criteria.rememberLookups((name) =>
    models.findModel(name, { preferred: requirements.providers }),
  )
  const known = await Promise.all(
    flows.map(async (flow) => ({
      flow,
      record: recordOf(flow.flowId, stats),
      models: await modelsOf(flow, find, stats),
    })),
  )
  const fitting = known
    .map((it) => ({ ...it, fit: scoreFactors.weightedMean(fitFactors(it, requirements)) ?? 0 }))
    .toSorted((left, right) => right.fit - left.fit)
    .slice(0, maxConsidered)
  const candidates: Candidate[] = []
  for (let from = 0; from < fitting.length; from += atOnce) {
    const some = fitting.slice(from, from + atOnce).map(async ({ flow, record, models: asked }) => ({
      flow,
      record,
      models: asked,
      estimate: await engine.history.estimate({ definition: flow.definition, metadata: flow.metadata }),
    }))
    candidates.push(...(await Promise.all(some)))
  }
  return { candidates, total: flows.length, stats, catalogue, providerNames }
}

/** All flows except samples, which are to be copied and not to be run. */
async function readFlows({ flows }: Pick<Engine, 'flows'>): Promise<Flow[]> {
  const found: Flow[] = []
  for (;;) {
    const { flows: page, total } = await flows.list({ limit: pageSize, offset: found.length })
    found.push(...page)
    if (page.length === 0 || found.length >= total)
      return found.filter(({ metadata }) => metadata.sample !== true)
  }
}

function recordOf(flowId: string, { flows, steps }: FlowStatistics): FlowRecord {
  const sums = flows.get(flowId)
  const own = steps.filter((step) => step.flow_id === flowId)
  const samples = own.reduce((sum, step) => sum + step.quality_count, 0)
  const quality = own.reduce((sum, step) => sum + step.quality_sum, 0)
  return {
    completed: sums?.completed ?? 0,
    failed: sums?.failed ?? 0,
    quality: scoreFactors.meanQuality(quality, samples),
    bytes: sums !== undefined && sums.executions > 0 ? sums.peak_bytes / sums.executions : null,
  }
}

type FindModel = (name: string) => Promise<CatalogueEntry | undefined>

async function modelsOf(
  { flowId, definition }: Flow,
  find: FindModel,
  stats: FlowStatistics,
): Promise<AskedModel[]> {
  const asking = allSteps(definition.steps).filter((step) => sendsPrompt(step))
  return await Promise.all(
    asking.map(async ({ id, ai_options: options = {} }) => ({
      stepId: id,
      named: options.model ?? null,
      entry: await find(options.model ?? 'auto'),
      tokens: tokensOf(flowId, id, stats),
    })),
  )
}

function tokensOf(flowId: string, stepId: string, { steps }: FlowStatistics): AskedModel['tokens'] {
  const sums = steps.find((step) => step.flow_id === flowId && isOf(step.step_id, stepId))
  if (sums === undefined || sums.completed === 0) return null
  return {
    input: Math.round(sums.input_tokens / sums.completed),
    output: Math.round(sums.output_tokens / sums.completed),
  }
}

/** Statistics of a step inside a container name the containers, too: `translate_all/translate`. */
function isOf(statistics: string, stepId: string): boolean {
  return statistics === stepId || statistics.endsWith(`/${stepId}`)
}

/** The average quality of the texts of each model, over all flows. */
export function qualityBy({
  models,
}: Pick<FlowStatistics, 'models'>): (entry: CatalogueEntry) => number | null {
  return ({ provider, model }) => {
    const sums = models.find((it) => it.provider === provider && it.model === model.id)
    return sums === undefined || sums.quality_count === 0 ? null : sums.quality_sum / sums.quality_count
  }
}
