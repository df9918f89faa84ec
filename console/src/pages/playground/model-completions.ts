import type { Completion } from '../../parts/CompletingInput.tsx'
import { describeProvider } from '../providers/provider-words.ts'
import { type CatalogueModel, nameOf } from './catalogue.ts'
import { describePricing } from './model-words.ts'

interface Names {
  readonly models: readonly CatalogueModel[]
  /** Take precedence over models of the same name. */
  readonly routes?: readonly { readonly name: string }[]
}

/** Models as completions of a field, with provider and price, by names that are unique among all models and routes. */
export function completionsOf(
  listed: readonly CatalogueModel[],
  { models, routes = [] }: Names,
): Completion[] {
  return listed.map((model) => {
    const details = [
      describeProvider(model.provider),
      describePricing(model.pricing),
      ...(model.state === 'available' ? [] : ['not available']),
    ]
    return { value: nameOf(model, models, routes), about: details.join(', ') }
  })
}
