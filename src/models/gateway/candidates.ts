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
 */
export function findCandidates(
  { model, fallback, need }: Wish,
  entries: readonly CatalogueEntry[],
  defaults: DefaultModels,
): readonly [CatalogueEntry, ...CatalogueEntry[]] {
  const chain = defaultChain(entries, need, defaults)
  const named = (name: string) => (name === auto ? chain : entriesNamed(name, entries))
  const first = model === auto ? firstByDefault() : entriesNamed(model, entries).slice(0, 1)

  /** A default model that was chosen and is not there is an error to be seen, not a reason to spend money elsewhere. */
  function firstByDefault(): readonly CatalogueEntry[] {
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
  if (best === undefined) throw nobodyFor(model, found, need, defaults)
  return [best, ...rest]
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
