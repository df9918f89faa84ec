import { describePrice } from '../../parts/describe-amount.ts'
import type { CatalogueModel } from './catalogue.ts'

/** What a model costs in a few words. Nobody knowing is said, and is never nothing. */
export function describePricing({ source, input, output }: CatalogueModel['pricing']): string {
  if (source === 'free') return 'free'
  if (input === null || output === null) return 'no price known'
  return `${describePrice(input)} in, ${describePrice(output)} out`
}

/** Where a price comes from. */
export const priceSources: Readonly<Record<CatalogueModel['pricing']['source'], string>> = {
  override: 'Set here',
  table: 'Price table',
  free: 'Free',
  unpriced: 'No price known',
}

export function describeTokenLimit(tokens: number | null): string {
  return tokens === null ? 'not known' : `${tokens.toLocaleString()} tokens`
}
