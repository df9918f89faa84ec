import { describePrice } from '../../parts/describe-amount.ts'
import type { CatalogueModel } from './catalogue.ts'

/** The price of a model in short. An unknown price is never shown as free. */
export function describePricing({ source, input, output }: CatalogueModel['pricing']): string {
  if (source === 'free') return 'free'
  if (input === null || output === null) return 'price unknown'
  return `${describePrice(input)} in, ${describePrice(output)} out`
}

/** The source of a price. */
export const priceSources: Readonly<Record<CatalogueModel['pricing']['source'], string>> = {
  override: 'Custom',
  table: 'Price table',
  free: 'Free',
  unpriced: 'Price unknown',
}

export function describeTokenLimit(tokens: number | null): string {
  return tokens === null ? 'unknown' : `${tokens.toLocaleString()} tokens`
}
