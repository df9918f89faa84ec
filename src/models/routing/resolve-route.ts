import type { KeyLimits } from '#kernel/http'
import { allowedEntries } from '../gateway/allowed-entries.ts'
import type { CatalogueEntry } from '../gateway/catalogue-entry.ts'
import { type CallRequirements, findIneligibility } from '../gateway/eligible.ts'
import { findEntriesByName } from '../gateway/find-entries.ts'
import type { RecordedRoute } from '../usage/call-route.ts'
import { type OrderOptions, orderTargets } from './order-targets.ts'
import type { ModelRoute } from './route.ts'

/** The routes by name, and the properties of a call by which a route chooses. */
export interface Routing {
  readonly routes: ReadonlyMap<string, ModelRoute>
  readonly order: OrderOptions
}

/**
 * A target of a route for one call.
 *
 * | excluded            | because                                                      |
 * |---------------------|--------------------------------------------------------------|
 * | model_not_found     | the catalogue does not have the model                        |
 * | model_not_allowed   | the API key allows neither the route nor the model           |
 * | provider_excluded   | the call excludes the provider                               |
 * | unsupported         | the model does not meet the requirements of the call         |
 */
export interface CheckedTarget {
  /** As the definition of the route has it. */
  readonly model: string
  readonly weight: number
  /** Undefined when the catalogue does not have the model. */
  readonly entry: CatalogueEntry | undefined
  readonly excluded?: {
    readonly by: 'model_not_found' | 'model_not_allowed' | 'provider_excluded' | 'unsupported'
    readonly reason: string
  }
}

/** A route with the targets that may handle a call. */
export interface ResolvedRoute extends RecordedRoute {
  readonly retries: number | undefined
  readonly targets: readonly CheckedTarget[]
  /** The targets that may handle the call, in the order they are tried, each once. */
  readonly entries: readonly CatalogueEntry[]
}

export interface ResolveOptions {
  readonly known: readonly CatalogueEntry[]
  readonly requirements: CallRequirements
  readonly order: OrderOptions
  readonly limits?: KeyLimits | undefined
  /** Names of providers that are excluded. */
  readonly avoided?: ReadonlySet<string> | undefined
}

/** Finds the targets of a route that may handle a call, in the order of its strategy. */
export function resolveRoute(route: ModelRoute, options: ResolveOptions): ResolvedRoute {
  const { name, version, definition } = route
  const targets = definition.targets.map((target) => checkTarget(route, target, options))
  const weights = new Map<CatalogueEntry, number>()
  for (const { entry, weight, excluded } of targets) {
    if (entry !== undefined && excluded === undefined) weights.set(entry, (weights.get(entry) ?? 0) + weight)
  }
  const usable = [...weights].map(([entry, weight]) => ({ entry, weight }))
  const { entries, reason } =
    usable.length === 0
      ? { entries: [], reason: 'no target can handle the call' }
      : orderTargets(definition, usable, options.order)
  const { strategy, retries } = definition
  return { name, version, strategy, retries, reason, targets, entries }
}

function checkTarget(
  route: ModelRoute,
  { model, weight = 1 }: ModelRoute['definition']['targets'][number],
  { known, requirements, limits, avoided }: ResolveOptions,
): CheckedTarget {
  const found = findEntriesByName(model, known)
  const allowed = allowedOf(route, found, limits)
  const entry = allowed.find(({ provider }) => avoided?.has(provider) !== true)
  const target = { model, weight, entry: entry ?? found[0] }
  if (found.length === 0) {
    return { ...target, excluded: { by: 'model_not_found', reason: `The model "${model}" was not found` } }
  }
  if (allowed.length === 0) {
    const reason = `The API key allows neither the route "${route.name}" nor the model "${model}"`
    return { ...target, excluded: { by: 'model_not_allowed', reason } }
  }
  if (entry === undefined) {
    const reason = `The call excludes all providers of the model "${model}"`
    return { ...target, excluded: { by: 'provider_excluded', reason } }
  }
  const reason = findIneligibility(entry, requirements)
  return reason === undefined ? target : { ...target, excluded: { by: 'unsupported', reason } }
}

/** The models of a route that an API key allows, in the order of the targets. */
export function findTargetEntries(
  route: ModelRoute,
  known: readonly CatalogueEntry[],
  limits: KeyLimits | undefined,
): readonly CatalogueEntry[] {
  return route.definition.targets.flatMap(({ model }) =>
    allowedOf(route, findEntriesByName(model, known), limits),
  )
}

function allowedOf(
  { name }: ModelRoute,
  entries: readonly CatalogueEntry[],
  limits: KeyLimits | undefined,
): readonly CatalogueEntry[] {
  return isRouteAllowed(name, limits) ? entries : allowedEntries(entries, limits)
}

/**
 * Whether a key lists the name of the route, and so may use all its targets. A pattern is not enough: it allows the models that the
 * owner of the key had in mind, and a route of a similar name may lead to others.
 */
function isRouteAllowed(name: string, limits: KeyLimits | undefined): boolean {
  const lower = name.toLowerCase()
  return limits?.models?.some((rule) => rule.toLowerCase() === lower) ?? true
}
