import { kernelFailure } from '#kernel/errors'
import type { KeyLimits, Principal } from '#kernel/http'
import { allowedEntries } from '../gateway/allowed-entries.ts'
import type { CatalogueEntry, CatalogueSource } from '../gateway/catalogue-entry.ts'
import type { ProvidedModel } from '../providers/provider.ts'
import { findTargetEntries } from '../routing/resolve-route.ts'
import type { ModelRoute } from '../routing/route.ts'

/** Where the APIs of other products find what they list: models, equal ids in the order of their providers, and routes. */
export interface ModelDirectory extends CatalogueSource {
  /** The routes of operators by name. */
  routes(): Promise<ReadonlyMap<string, ModelRoute>>
}

/** A model or route by the name that calls use. */
export interface NamedModel {
  readonly name: string
  /** `route` for a route, whose model is its first available target. */
  readonly provider: string
  readonly model: ProvidedModel
}

/**
 * The available models and routes that the API key allows, each once, by name. A model id of several providers, or of a route, is
 * named `provider/id` for all but the first.
 */
export async function listNamedModels(
  directory: ModelDirectory,
  limits: KeyLimits | undefined,
): Promise<readonly NamedModel[]> {
  const [known, routes] = await Promise.all([directory.find(), directory.routes()])
  const available = known.filter(({ model }) => model.available)
  const named = [...routes.values()].flatMap((route) => nameRoute(route, available, limits))
  const models = new Map(named.map((model) => [model.name, model]))
  for (const { provider, model } of allowedEntries(available, limits)) {
    const name = models.has(model.id) ? `${provider}/${model.id}` : model.id
    models.set(name, { name, provider, model })
  }
  return [...models.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** The route as a model, with the properties of its first target; none without one. */
function nameRoute(
  route: ModelRoute,
  available: readonly CatalogueEntry[],
  limits: KeyLimits | undefined,
): NamedModel[] {
  const [first] = findTargetEntries(route, available, limits)
  if (first === undefined) return []
  const created = Math.floor(route.updatedAt.getTime() / 1000)
  const model = { ...first.model, id: route.name, ownedBy: 'route', created }
  return [{ name: route.name, provider: 'route', model }]
}

/** Clients list models before they call one, so either scope is enough. */
const scopes = ['models.read', 'models.generate']
export const listAccess = { signedIn: true, anyScope: true } as const

/** Throws `insufficient_scope` for a credential that may neither read nor call models. */
export function requireListScope({ scopes: granted }: Principal): void {
  if (granted === 'all' || scopes.some((scope) => granted.has(scope))) return
  throw kernelFailure('insufficient_scope', {
    message: `This credential lacks the scope ${scopes.map((scope) => `"${scope}"`).join(' or ')}.`,
    details: { scope: scopes },
    headers: { 'www-authenticate': `Bearer realm="tutti", error="insufficient_scope", scope="${scopes[0]}"` },
  })
}
