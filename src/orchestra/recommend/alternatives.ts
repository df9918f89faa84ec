import type { HistoryResult } from '#engine'
import { criteria } from '#executions-api'
import type { CatalogueEntry } from '#models'
import { type AgentEstimate, type Candidate, usesModel, worksWithoutModel } from './candidate.ts'
import { estimateWith } from './estimate.ts'
import type { Requirements } from './requirements.ts'

type ModelRecord = HistoryResult<'modelRecords'>[number]

/** The model catalogue, and the records of the models. */
export interface Market {
  readonly catalogue: readonly CatalogueEntry[]
  readonly records: readonly ModelRecord[]
  readonly providerNames: readonly string[]
}

/** The same agent with another model. Money in micro-dollars, times in milliseconds. */
export interface Alternative {
  readonly config: string
  readonly settings: { readonly ai_options: { readonly model: string } }
  readonly cost: number | null
  readonly ms: number | null
  /** The average measured quality of its texts, 0 to 1, in all flows. */
  readonly accuracy: number | null
}

const maxAlternatives = 3

/** The same agent with other models: the best measured first, then the cheapest. */
export function alternativesOf(
  candidate: Candidate,
  requirements: Requirements,
  { catalogue, records }: Market,
): Alternative[] {
  if (!usesModel(candidate)) return []
  return catalogue
    .filter((entry) => isDifferent(entry, candidate) && canAnswer(entry, candidate, requirements))
    .map((entry) => describe(entry, estimateWith(candidate, entry, requirements), records))
    .toSorted(
      (left, right) =>
        (right.accuracy ?? -1) - (left.accuracy ?? -1) ||
        (left.cost ?? Number.POSITIVE_INFINITY) - (right.cost ?? Number.POSITIVE_INFINITY) ||
        (left.config < right.config ? -1 : 1),
    )
    .slice(0, maxAlternatives)
}

function isDifferent({ provider, model }: CatalogueEntry, { model: now }: Candidate): boolean {
  return now === undefined || provider !== now.provider || model.id !== now.model.id
}

function canAnswer(entry: CatalogueEntry, candidate: Candidate, requirements: Requirements): boolean {
  const { provider, model } = entry
  if (!model.available) return false
  if (provider === 'builtin') return worksWithoutModel(candidate)
  return criteria.canComplete(model, estimateWith(candidate, entry, requirements).tokens)
}

function describe(
  { provider, model }: CatalogueEntry,
  { cost }: AgentEstimate,
  records: readonly ModelRecord[],
): Alternative {
  const record = records.find((it) => it.provider === provider && it.model === model.id)
  const quality = record?.quality ?? null
  return {
    config: `model ${model.id} of ${provider}`,
    settings: { ai_options: { model: model.id } },
    cost: cost.value,
    ms: record?.averageMs ?? null,
    accuracy: quality === null ? null : quality / 100,
  }
}
