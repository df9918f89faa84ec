import { type Failure, kernelFailure } from '#kernel/errors'
import type { KeyLimits } from '#kernel/http'
import { modelsFailure } from '../errors.ts'
import type { NativeField } from '../providers/provider.ts'
import {
  type CheckedTarget,
  type ResolvedRoute,
  type Routing,
  resolveRoute,
} from '../routing/resolve-route.ts'
import { allowedEntries } from './allowed-entries.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import type { Fallback } from './contract.ts'
import { type DefaultModels, defaultChain } from './default-chain.ts'
import { type CallRequirements, findIneligibility, findRefusedFields } from './eligible.ts'
import { findEntriesByName } from './find-entries.ts'

/** Which models may handle a call. */
export interface CandidateQuery {
  /** As the caller wrote it. */
  readonly model: string
  readonly fallback: Fallback
  readonly requirements: CallRequirements
  /** Names of providers whose models come first in the default chain. */
  readonly preferred?: readonly string[] | undefined
  /** Names of providers that are excluded. */
  readonly avoided?: ReadonlySet<string> | undefined
  /** The limits of the API key: models that it does not allow are excluded. */
  readonly limits?: KeyLimits | undefined
}

export interface Candidates {
  /** In the order they are tried, each once. */
  readonly entries: readonly [CatalogueEntry, ...CatalogueEntry[]]
  /** The route that the call names, or that `auto` stands for; undefined when none of its targets is a candidate. */
  readonly route: ResolvedRoute | undefined
}

/** The model name that selects the first model of the default chain. */
const auto = 'auto'

/** Further candidates are not tried: a fallback list may name eight routes. */
const maxCandidates = 32

/**
 * The candidates of a call, in the order they are tried, each once. Throws `model_not_found`, `unsupported` or
 * `provider_unavailable` when there is none, and `model_not_allowed` when the API key does not allow the requested model.
 *
 * | name           | candidates                                                                               |
 * |----------------|------------------------------------------------------------------------------------------|
 * | a route        | its targets that may handle the call, in the order of its strategy                       |
 * | another name   | the model of the catalogue; a route with the same name takes precedence                  |
 * | auto           | the default model, which may be a route, else the first model of the default chain       |
 *
 * | fallback | candidates after the requested model                                                      |
 * |----------|-------------------------------------------------------------------------------------------|
 * | none     | none                                                                                      |
 * | any      | the same id at other providers, then the default chain                                    |
 * | a list   | these models and the targets of these routes in their order; unknown names are ignored    |
 *
 * In the default chain, models of preferred providers come first. Avoided providers and models that the API
 * key does not allow are excluded everywhere.
 */
export function findCandidates(
  { model, fallback, requirements, preferred = [], avoided = noProviders, limits }: CandidateQuery,
  known: readonly CatalogueEntry[],
  defaults: DefaultModels,
  routing?: Routing,
): Candidates {
  const all = allowedEntries(known, limits)
  const entries = all.filter(({ provider }) => !avoided.has(provider))
  const resolved = new Map<string, ResolvedRoute>()

  /** Resolved once for a call, so that chance decides once. */
  function routeOf(name: string | undefined): ResolvedRoute | undefined {
    const route = name === undefined || name === auto ? undefined : routing?.routes.get(name)
    if (route === undefined || routing === undefined) return undefined
    const options = { known, requirements, limits, avoided, order: routing.order }
    const found = resolved.get(route.name) ?? resolveRoute(route, options)
    resolved.set(route.name, found)
    return found
  }

  const modelRoute = routeOf(model)
  const isAllowed = modelRoute === undefined ? isNamed(model, all) : !isRefused(modelRoute)
  const isKnown = modelRoute !== undefined || isNamed(model, known)
  if (model !== auto && isKnown && !isAllowed) throw notAllowed(model)

  const chosen = requirements.capability === 'completion' ? defaults.defaultModel : undefined
  const ofDefault = routeOf(defaults.defaultModel)?.entries
  const chain = byPreference(preferred, defaultChain(entries, requirements, defaults, ofDefault))
  const route = model === auto ? routeOfDefault() : modelRoute
  const first = route?.entries ?? (model === auto ? firstByDefault() : findEntriesByName(model, entries))

  function isPreferred(best: CatalogueEntry | undefined): boolean {
    return best !== undefined && preferred.includes(best.provider)
  }

  /** The route that `auto` stands for, unless a preferred provider comes first or the API key allows none of its targets. */
  function routeOfDefault(): ResolvedRoute | undefined {
    const found = routeOf(chosen)
    return found === undefined || isPreferred(chain[0]) || isRefused(found) ? undefined : found
  }

  /**
   * A configured default model that is missing is an error: silently using another one could cost money. One that the API key does not
   * allow is replaced by the first model of the chain that it does allow.
   */
  function firstByDefault(): readonly CatalogueEntry[] {
    if (chosen === undefined || isPreferred(chain[0]) || routeOf(chosen) !== undefined) return chain
    const isExcluded = isNamed(chosen, known) && !isNamed(chosen, all)
    return isExcluded ? chain : findEntriesByName(chosen, entries)
  }

  function ofName(name: string): readonly CatalogueEntry[] {
    const targets = routeOf(name)?.entries
    return targets ?? (name === auto ? chain : findEntriesByName(name, entries)).slice(0, 1)
  }

  function others(): readonly CatalogueEntry[] {
    if (fallback === 'none') return []
    if (fallback !== 'any') return fallback.flatMap(ofName)
    return [...(modelRoute === undefined ? findEntriesByName(model, entries) : []), ...chain]
  }

  const found = [...new Set([...(route === undefined ? first.slice(0, 1) : first), ...others()])]
  const [best, ...rest] = found.filter((entry) => findIneligibility(entry, requirements) === undefined)
  if (best !== undefined) {
    const hasTargets = route !== undefined && route.entries.length > 0
    return { entries: [best, ...rest.slice(0, maxCandidates - 1)], route: hasTargets ? route : undefined }
  }
  if (route !== undefined) throw noTarget(route, requirements, avoided)
  const isListed = model === auto || isNamed(model, all)
  if (found.length === 0 && avoided.size > 0 && isListed) throw noOtherProvider(model, avoided)
  const isMissing = chosen !== undefined && routeOf(chosen) === undefined && !isNamed(chosen, known)
  if (model === auto && found.length === 0 && all.length < known.length && !isMissing) throw notAllowed(model)
  throw noCandidate(model, found, requirements, defaults)
}

function isNamed(name: string, entries: readonly CatalogueEntry[]): boolean {
  return findEntriesByName(name, entries).length > 0
}

/** Whether the API key allows no target of the route that exists. */
function isRefused({ targets }: ResolvedRoute): boolean {
  const existing = targets.filter(({ excluded }) => excluded?.by !== 'model_not_found')
  return existing.length > 0 && existing.every(({ excluded }) => excluded?.by === 'model_not_allowed')
}

function notAllowed(model: string): Failure {
  return modelsFailure('model_not_allowed', {
    message:
      model === auto
        ? 'This API key allows no model that `auto` can select. Name a model that it allows; `GET /v1/models` lists them.'
        : `This API key does not allow the model "${model}". \`GET /v1/models\` lists the models that it allows.`,
    details: { model },
  })
}

const noProviders: ReadonlySet<string> = new Set()

/** Sorts models of preferred providers first, in the order of the preference; the others keep their order. */
function byPreference(
  preferred: readonly string[],
  chain: readonly CatalogueEntry[],
): readonly CatalogueEntry[] {
  if (preferred.length === 0) return chain
  const rankOf = ({ provider }: CatalogueEntry) => {
    const rank = preferred.indexOf(provider)
    return rank < 0 ? preferred.length : rank
  }
  return chain.toSorted((left, right) => rankOf(left) - rankOf(right))
}

function noOtherProvider(model: string, avoided: ReadonlySet<string>): Failure {
  const names = [...avoided].join(', ')
  return modelsFailure('provider_unavailable', {
    message:
      model === auto
        ? `No provider besides the excluded ones (${names}) can handle this call.`
        : `No provider besides the excluded ones (${names}) has the model "${model}".`,
    details: { model, avoided: [...avoided] },
  })
}

/** The failure for a route without a candidate, with the reason of its first target that the caller could use. */
function noTarget(
  { name, targets }: ResolvedRoute,
  requirements: CallRequirements,
  avoided: ReadonlySet<string>,
): Failure {
  const { entry, excluded } = targets.find(isAccessible) ?? targets[0] ?? {}
  if (excluded?.by === 'provider_excluded') return noOtherProvider(name, avoided)
  const refused = entry === undefined ? [] : findRefusedFields(entry.provider, requirements)
  if (entry !== undefined && refused.length > 0) return unsupportedFields(entry, refused)
  return modelsFailure(excluded?.by === 'unsupported' ? 'unsupported' : 'model_not_found', {
    message: `The route "${name}" has no model for this call. ${excluded?.reason ?? 'It has no targets'}.`,
    details: { route: name },
  })
}

/** Whether the target exists and the API key allows it. */
function isAccessible({ excluded }: CheckedTarget): boolean {
  return excluded?.by !== 'model_not_found' && excluded?.by !== 'model_not_allowed'
}

function noCandidate(
  model: string,
  found: readonly CatalogueEntry[],
  requirements: CallRequirements,
  { defaultModel }: DefaultModels,
): Failure {
  const [first] = found
  const refused = first === undefined ? [] : findRefusedFields(first.provider, requirements)
  if (first !== undefined && refused.length > 0) return unsupportedFields(first, refused)
  if (first !== undefined)
    return modelsFailure('unsupported', { message: `${findIneligibility(first, requirements)}.` })
  if (model !== auto) {
    return modelsFailure('model_not_found', { message: `The model "${model}" was not found.` })
  }
  return modelsFailure('model_not_found', {
    message:
      requirements.capability === 'completion' && defaultModel !== undefined
        ? `The default model "${defaultModel}" (TUTTI_DEFAULT_MODEL), which \`auto\` stands for, was not found.`
        : 'No available model supports this call.',
  })
}

/** The failure for fields that only providers with another protocol have. */
export function unsupportedFields(
  { provider, model }: CatalogueEntry,
  fields: readonly NativeField[],
): Failure {
  const reason = `is not supported: the model "${model.id}" is one of ${provider}, which has no such`
  const problems = fields.map((field) =>
    typeof field === 'string'
      ? { path: field, message: `${reason} parameter`, code: 'unsupported' }
      : { path: field.path, message: `${JSON.stringify(field.value)} ${reason} value`, code: 'unsupported' },
  )
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : ''
  return kernelFailure('invalid_input', {
    message: `${problems[0]?.path} ${problems[0]?.message}${more}.`,
    problems,
  })
}
