import type { Failure } from '#kernel/errors'
import { modelsFailure } from '../errors.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import type { Fallback } from './contract.ts'
import { type DefaultModels, defaultChain } from './default-chain.ts'
import { type Need, whyNot } from './eligible.ts'
import { entriesNamed } from './names.ts'

export interface Wish {
  /** As the caller wrote it. */
  readonly model: string
  readonly fallback: Fallback
  readonly need: Need
  /** Names of providers to ask first, of those who may answer by default. */
  readonly preferred?: readonly string[] | undefined
  /** Names of providers that are not asked. */
  readonly avoided?: ReadonlySet<string> | undefined
}

/** Stands for the first of the default chain. */
const auto = 'auto'

/**
 * Who is to be asked, in order and each once. Throws when nobody can be.
 *
 * | fallback | after the model that was asked for                                                        |
 * |----------|-------------------------------------------------------------------------------------------|
 * | none     | nobody                                                                                    |
 * | any      | the same id at other providers, then the default chain                                    |
 * | a list   | these, in their order; a name that nobody has is passed over                              |
 *
 * Of the default chain those of preferred providers come first. Whoever is avoided is not there at all.
 */
export function findCandidates(
  { model, fallback, need, preferred = [], avoided = nobody }: Wish,
  all: readonly CatalogueEntry[],
  defaults: DefaultModels,
): readonly [CatalogueEntry, ...CatalogueEntry[]] {
  const entries = all.filter(({ provider }) => !avoided.has(provider))
  const chain = preferring(preferred, defaultChain(entries, need, defaults))
  const named = (name: string) => (name === auto ? chain : entriesNamed(name, entries))
  const first = model === auto ? firstByDefault() : entriesNamed(model, entries).slice(0, 1)

  /** A default model that was chosen and is not there is an error to be seen, not a reason to spend money elsewhere. */
  function firstByDefault(): readonly CatalogueEntry[] {
    const [best] = chain
    if (best !== undefined && preferred.includes(best.provider)) return [best]
    const chosen = need.capability === 'completion' ? defaults.defaultModel : undefined
    return (chosen === undefined ? chain : entriesNamed(chosen, entries)).slice(0, 1)
  }

  function others(): readonly CatalogueEntry[] {
    if (fallback === 'none') return []
    if (fallback === 'any') return [...entriesNamed(model, entries), ...chain]
    return fallback.flatMap((name) => named(name).slice(0, 1))
  }

  const found = [...new Set([...first, ...others()])]
  const [best, ...rest] = found.filter((entry) => whyNot(entry, need) === undefined)
  if (best !== undefined) return [best, ...rest]
  const isKnown = model === auto || entriesNamed(model, all).length > 0
  if (found.length === 0 && avoided.size > 0 && isKnown) throw nobodyElse(model, avoided)
  throw nobodyFor(model, found, need, defaults)
}

const nobody: ReadonlySet<string> = new Set()

/** Models of preferred providers first, in the order of the preference; the others stay as they are. */
function preferring(
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

function nobodyElse(model: string, avoided: ReadonlySet<string>): Failure {
  const names = [...avoided].join(', ')
  return modelsFailure('provider_unavailable', {
    message:
      model === auto
        ? `Nobody but ${names} can answer, and that is not to be asked.`
        : `Nobody but ${names} can answer for the model "${model}", and that is not to be asked.`,
    details: { model, avoided: [...avoided] },
  })
}

function nobodyFor(
  model: string,
  found: readonly CatalogueEntry[],
  need: Need,
  { defaultModel }: DefaultModels,
): Failure {
  const [first] = found
  if (first !== undefined) return modelsFailure('unsupported', { message: `${whyNot(first, need)}.` })
  if (model !== auto) {
    return modelsFailure('model_not_found', { message: `Nobody here has the model "${model}".` })
  }
  return modelsFailure('model_not_found', {
    message:
      need.capability === 'completion' && defaultModel !== undefined
        ? `Nobody here has the model "${defaultModel}", which \`auto\` stands for.`
        : 'No model that is available here can do this.',
  })
}
