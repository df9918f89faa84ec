import { type AdviceOptions, readAdviceOptions } from './advice-options.ts'

/** The search parameters of a recommendation: its options, and whether it was requested. */
export interface RecommendSearch extends AdviceOptions {
  asked?: true
}

/** Parses the search parameters and drops invalid values. */
export function readRecommendSearch(address: Record<string, unknown>): RecommendSearch {
  return { ...(address['asked'] === true ? { asked: true } : {}), ...readAdviceOptions(address) }
}
