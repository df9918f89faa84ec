import type { ModelRecord } from '#engine'
import type { CatalogueEntry } from '#models'
import { type AgentEstimate, asksModel, type Candidate, worksAlone } from './candidate.ts'
import { estimateWith } from './estimate.ts'
import type { Wishes } from './wishes.ts'

/** The models there are, and how they have done. */
export interface Market {
  readonly catalogue: readonly CatalogueEntry[]
  readonly records: readonly ModelRecord[]
}

/** Another way to run the same agent, by a setting of its step. Money in micro-dollars, times in milliseconds. */
export interface Alternative {
  readonly config: string
  readonly settings: { readonly ai_options: { readonly model: string } }
  readonly cost: number | null
  readonly ms: number | null
  /** 0 to 1: how good texts of this model were measured to be, in all flows. */
  readonly accuracy: number | null
}

/** As many as somebody can compare. */
const mostAlternatives = 3

/** The same agent with other models: the best measured first, then the cheapest. */
export function alternativesOf(
  candidate: Candidate,
  wishes: Wishes,
  { catalogue, records }: Market,
): Alternative[] {
  if (!asksModel(candidate)) return []
  return catalogue
    .filter((entry) => isOther(entry, candidate) && canAnswer(entry, candidate, wishes))
    .map((entry) => describe(entry, estimateWith(candidate, entry, wishes), records))
    .toSorted(
      (left, right) =>
        (right.accuracy ?? -1) - (left.accuracy ?? -1) ||
        (left.cost ?? Number.POSITIVE_INFINITY) - (right.cost ?? Number.POSITIVE_INFINITY) ||
        (left.config < right.config ? -1 : 1),
    )
    .slice(0, mostAlternatives)
}

function isOther({ provider, model }: CatalogueEntry, { model: now }: Candidate): boolean {
  return now === undefined || provider !== now.provider || model.id !== now.model.id
}

function canAnswer(entry: CatalogueEntry, candidate: Candidate, wishes: Wishes): boolean {
  const { provider, model } = entry
  if (!model.available) return false
  if (provider === 'builtin') return worksAlone(candidate)
  const { tokens } = estimateWith(candidate, entry, wishes)
  const fits =
    tokens === null || model.contextLength === null || tokens.input + tokens.output <= model.contextLength
  return fits && (model.capabilities.length === 0 || model.capabilities.includes('completion'))
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
