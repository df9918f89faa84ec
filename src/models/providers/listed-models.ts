import type { ProvidedModel } from './provider.ts'

/** A list that is asked for when somebody wants it, and then remembered. */
export interface ListedModels {
  /** Never throws: a provider that cannot be asked has the models it last told of, not available. */
  read(key: string | undefined): Promise<readonly ProvidedModel[]>
  /** Asks anew, and throws when that fails. */
  readNow(key: string | undefined, signal: AbortSignal): Promise<readonly ProvidedModel[]>
}

interface ListedModelsOptions {
  readonly ask: (key: string | undefined, signal?: AbortSignal) => Promise<readonly ProvidedModel[]>
  /** What is listed before anything was told. */
  readonly initially?: readonly ProvidedModel[]
  readonly freshMs?: number
  /** How long a failure holds, so that a provider that is down is not asked by everybody. */
  readonly failedMs?: number
  readonly now?: () => number
}

export function createListedModels(options: ListedModelsOptions): ListedModels {
  const { ask, initially = [], freshMs = 5 * 60_000, failedMs = 30_000, now = Date.now } = options
  let known = initially
  let holdsUntil = Number.NEGATIVE_INFINITY
  /** What one key may see says nothing about another. */
  let askedWith: string | undefined
  let asking: Promise<void> | undefined

  async function askWith(key: string | undefined, signal?: AbortSignal): Promise<readonly ProvidedModel[]> {
    if (key !== askedWith) {
      known = initially
      holdsUntil = Number.NEGATIVE_INFINITY
      asking = undefined
      askedWith = key
    }
    try {
      const models = await ask(key, signal)
      if (key === askedWith) [known, holdsUntil] = [models, now() + freshMs]
      return models
    } catch (error) {
      const away = known.map((model) => ({ ...model, available: false }))
      if (key === askedWith) [known, holdsUntil] = [away, now() + failedMs]
      throw error
    }
  }

  /** Those who come meanwhile share one question. */
  async function refresh(key: string | undefined): Promise<void> {
    const question = askWith(key)
    const over = question.then(
      () => undefined,
      // What is known says it: nothing is available.
      () => undefined,
    )
    asking = over
    await over
    if (asking === over) asking = undefined
  }

  return {
    readNow: askWith,
    async read(key) {
      if (key !== askedWith || now() >= holdsUntil) {
        await (key === askedWith && asking !== undefined ? asking : refresh(key))
      }
      return known
    },
  }
}
