import { rowKeyOf } from './price-rows.ts'
import type { ModelLimit } from './provider-queries.ts'

/** The model of a limit for all models of a provider together. */
export const allModels = '*'

/** Identifies a limit in the address. */
export function limitKeyOf({ provider, model }: Pick<ModelLimit, 'provider' | 'model'>): string {
  return `${provider}/${model}`
}

/** The key of a row; the table of prices may have one for the same model. */
export function limitRowKeyOf(key: string): string {
  return `limit-${rowKeyOf(key)}`
}

/** The name of the models that a limit is for. */
export function describeLimited(model: string): string {
  return model === allModels ? 'All models' : model
}

/** The limits of the form, as text; empty for no limit. */
export interface LimitDraft {
  readonly maxConcurrent: string
  readonly requestsPerMinute: string
  readonly tokensPerMinute: string
}

export function limitDraftOf(limit: ModelLimit | undefined): LimitDraft {
  return {
    maxConcurrent: limit?.max_concurrent?.toString() ?? '',
    requestsPerMinute: limit?.requests_per_minute?.toString() ?? '',
    tokensPerMinute: limit?.tokens_per_minute?.toString() ?? '',
  }
}

/** The request body of a form. A text that is no number stays one that the platform refuses at its field. */
export function limitBodyOf({ maxConcurrent, requestsPerMinute, tokensPerMinute }: LimitDraft) {
  return {
    max_concurrent: numberOf(maxConcurrent),
    requests_per_minute: numberOf(requestsPerMinute),
    tokens_per_minute: numberOf(tokensPerMinute),
  }
}

function numberOf(text: string): number | null {
  if (text.trim() === '') return null
  const number = Number(text)
  // JSON has no NaN: it would become null, which means no limit.
  return Number.isNaN(number) ? -1 : number
}
