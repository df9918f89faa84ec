import { type Failure, kernelFailure } from '#kernel/errors'
import { isModelAllowed, type KeyLimits } from '#kernel/http'
import { modelsFailure } from '../errors.ts'
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

/** The model name that selects the first model of the default chain. */
const auto = 'auto'

/**
 * The candidates of a call, in the order they are tried, each once. Throws `model_not_found`, `unsupported` or
 * `provider_unavailable` when there is none, and `model_not_allowed` when the API key does not allow the requested model.
 *
 * | fallback | candidates after the requested model                                                      |
 * |----------|-------------------------------------------------------------------------------------------|
 * | none     | none                                                                                      |
 * | any      | the same id at other providers, then the default chain                                    |
 * | a list   | these models in their order; unknown names are ignored                                    |
 *
 * In the default chain, models of preferred providers come first. Avoided providers and models that the API
 * key does not allow are excluded everywhere.
 */
export function findCandidates(
  { model, fallback, requirements, preferred = [], avoided = noProviders, limits }: CandidateQuery,
  known: readonly CatalogueEntry[],
  defaults: DefaultModels,
): readonly [CatalogueEntry, ...CatalogueEntry[]] {
  const all = allowedEntries(known, limits)
  if (model !== auto && isNamed(model, known) && !isNamed(model, all)) throw notAllowed(model)
  const entries = all.filter(({ provider }) => !avoided.has(provider))
  const chain = byPreference(preferred, defaultChain(entries, requirements, defaults))
  const named = (name: string) => (name === auto ? chain : findEntriesByName(name, entries))
  const chosen = requirements.capability === 'completion' ? defaults.defaultModel : undefined
  const first = model === auto ? firstByDefault() : findEntriesByName(model, entries).slice(0, 1)

  /**
   * A configured default model that is missing is an error: silently using another one could cost money. One that the API key does not
   * allow is replaced by the first model of the chain that it does allow.
   */
  function firstByDefault(): readonly CatalogueEntry[] {
    const [best] = chain
    if (best !== undefined && preferred.includes(best.provider)) return [best]
    const isExcluded = chosen !== undefined && isNamed(chosen, known) && !isNamed(chosen, all)
    return (chosen === undefined || isExcluded ? chain : findEntriesByName(chosen, entries)).slice(0, 1)
  }

  function others(): readonly CatalogueEntry[] {
    if (fallback === 'none') return []
    if (fallback === 'any') return [...findEntriesByName(model, entries), ...chain]
    return fallback.flatMap((name) => named(name).slice(0, 1))
  }

  const found = [...new Set([...first, ...others()])]
  const [best, ...rest] = found.filter((entry) => findIneligibility(entry, requirements) === undefined)
  if (best !== undefined) return [best, ...rest]
  const isKnown = model === auto || isNamed(model, all)
  if (found.length === 0 && avoided.size > 0 && isKnown) throw noOtherProvider(model, avoided)
  const isMissing = chosen !== undefined && !isNamed(chosen, known)
  if (model === auto && found.length === 0 && all.length < known.length && !isMissing) throw notAllowed(model)
  throw noCandidate(model, found, requirements, defaults)
}

function isNamed(name: string, entries: readonly CatalogueEntry[]): boolean {
  return findEntriesByName(name, entries).length > 0
}

/** The entries that an API key allows. */
export function allowedEntries<Entry extends Pick<CatalogueEntry, 'provider' | 'model'>>(
  entries: readonly Entry[],
  limits: KeyLimits | undefined,
): readonly Entry[] {
  if (limits?.models === undefined) return entries
  return entries.filter(({ provider, model }) => isModelAllowed(limits, { provider, id: model.id }))
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
export function unsupportedFields({ provider, model }: CatalogueEntry, fields: readonly string[]): Failure {
  const message = `is not supported: the model "${model.id}" is one of ${provider}, which has no such parameter`
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : ''
  return kernelFailure('invalid_input', {
    message: `${fields[0]} ${message}${more}.`,
    problems: fields.map((path) => ({ path, message, code: 'unsupported' })),
    details: { part: 'body' },
  })
}
