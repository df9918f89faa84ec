import type { ProviderName } from '../providers/provider.ts'
import type { ProviderRegistry, RegisteredProvider } from '../providers/registry.ts'
import type { ModelRoute } from '../routing/route.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import { findEntriesByName } from './find-entries.ts'

/**
 * What the built-in provider is for a call that names no model. It analyses texts and follows no prompt, so a caller must not mistake its
 * response for that of a language model.
 *
 * | role       | when                                                                                        |
 * |------------|---------------------------------------------------------------------------------------------|
 * | `chosen`   | the default model of the operator is the built-in one, or a route with it                   |
 * | `only`     | no other provider serves such calls                                                         |
 * | `fallback` | other providers are configured to serve them: `others`, reachable or not                    |
 *
 * The cluster serves them, a provider with a default model, and any provider when the operator chose a default model. Configured
 * providers that do not are `withoutDefault`: adding one must not take the built-in provider from flows that work with it.
 */
export type BuiltinRole =
  | { readonly kind: 'chosen' }
  | { readonly kind: 'only'; readonly withoutDefault: readonly ProviderName[] }
  | {
      readonly kind: 'fallback'
      readonly others: readonly ProviderName[]
      readonly withoutDefault: readonly ProviderName[]
    }

interface BuiltinRoleOptions {
  readonly providers: ProviderRegistry
  readonly catalogue: { find(): Promise<readonly CatalogueEntry[]> }
  readonly routes: { read(): Promise<ReadonlyMap<string, ModelRoute>> }
  readonly defaultModel: string | undefined
}

/** Finds the role of the built-in provider now. Throws when the database cannot be read. */
export async function findBuiltinRole(options: BuiltinRoleOptions): Promise<BuiltinRole> {
  const { providers, defaultModel } = options
  if (defaultModel !== undefined && (await isBuiltin(options, defaultModel))) return { kind: 'chosen' }
  const registered = [...(await providers.read()).values()].filter(({ kind }) => kind !== 'builtin')
  const configured = await Promise.all(
    registered.map(async (one) => (((await one.provider.isConfigured?.()) ?? true) ? [one] : [])),
  )
  const serves = (one: RegisteredProvider) =>
    one.kind === 'cluster' || one.defaultModel !== undefined || defaultModel !== undefined
  const others = namesOf(configured.flat().filter(serves))
  const withoutDefault = namesOf(configured.flat().filter((one) => !serves(one)))
  return others.length === 0 ? { kind: 'only', withoutDefault } : { kind: 'fallback', others, withoutDefault }
}

function namesOf(registered: readonly RegisteredProvider[]): readonly ProviderName[] {
  return registered.map(({ provider }) => provider.name)
}

async function isBuiltin({ catalogue, routes }: BuiltinRoleOptions, defaultModel: string): Promise<boolean> {
  const entries = await catalogue.find()
  const route = (await routes.read()).get(defaultModel)
  const names = route?.definition.targets.map(({ model }) => model) ?? [defaultModel]
  return names.some((name) => findEntriesByName(name, entries)[0]?.provider === 'builtin')
}
