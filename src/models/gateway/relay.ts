import type { ModelPart } from '../providers/provider.ts'
import { ProviderFailure } from '../providers/provider-failure.ts'
import { saneUsage } from './sane-usage.ts'

/** How a relayed answer ended, from the side of the gateway. */
export type RelayEnd =
  | { readonly outcome: 'answered'; readonly end: ModelPart & { readonly type: 'end' } }
  | { readonly outcome: 'failed'; readonly thrown: unknown }
  | { readonly outcome: 'cancelled' }

export interface RelayOptions {
  readonly source: AsyncIterable<ModelPart>
  /** Not aborted yet. */
  readonly signal: AbortSignal
  readonly onPart: (part: ModelPart) => void
  /**
   * Called once, at the moment it ends; not for a failure before the first part, which `begun` tells. Answers what the
   * consumer is to see of a failure.
   */
  readonly onEnd: (end: RelayEnd) => unknown
}

export interface Relay {
  /** Resolves when the first part is there. Rejects with what the provider threw, or with the reason of the signal. */
  readonly begun: Promise<unknown>
  readonly parts: AsyncIterable<ModelPart>
}

/**
 * Passes an answer on, one part when it is asked for, and tells exactly once how it ended.
 *
 * | state     | on                                              | then                                       | next      |
 * |-----------|-------------------------------------------------|--------------------------------------------|-----------|
 * | waiting   | a part                                          | it is kept for the consumer                | streaming |
 * | waiting   | the end                                         | told as answered, kept for the consumer    | over      |
 * | waiting   | the provider fails                              | `begun` rejects; somebody else may answer  | over      |
 * | waiting   | the signal                                      | told as cancelled, `begun` rejects         | over      |
 * | streaming | a part                                          | it goes to the consumer                    | streaming |
 * | streaming | the end                                         | told as answered, then to the consumer     | over      |
 * | streaming | the provider fails, or stops without an end     | told as failed, thrown to the consumer     | over      |
 * | streaming | the signal, read or not; the consumer leaves    | told as cancelled; the provider is let go  | over      |
 */
export function relayAnswer({ source, signal, onPart, onEnd }: RelayOptions): Relay {
  const provider = source[Symbol.asyncIterator]()
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => {})
  let over = false

  function finish(end: RelayEnd | undefined): unknown {
    if (over) return undefined
    over = true
    signal.removeEventListener('abort', onAbort)
    return end && onEnd(end)
  }

  /** Told at once: the provider may take its time, and nobody may be reading. */
  function onAbort(): void {
    aborted.reject(signal.reason)
    leave()
  }

  function leave(): void {
    if (over) return
    finish({ outcome: 'cancelled' })
    letGo(provider)
  }

  async function pull(): Promise<ModelPart> {
    const { done, value } = await provider.next()
    if (done === true) {
      throw new ProviderFailure({ kind: 'malformed', message: 'The answer stopped before its end.' })
    }
    return value.type === 'end' ? { ...value, usage: saneUsage(value.usage) } : value
  }

  function take(part: ModelPart): void {
    onPart(part)
    if (part.type !== 'end') return
    finish({ outcome: 'answered', end: part })
    void runOut(provider)
  }

  async function begin(): Promise<ModelPart> {
    // Before the provider hears the signal, so that its end is told as what it was.
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const part = await Promise.race([pull(), aborted.promise])
      signal.throwIfAborted()
      take(part)
      return part
    } catch (error) {
      if (over) throw signal.reason
      finish(undefined)
      throw error
    }
  }

  const first = begin()

  async function* passOn(): AsyncGenerator<ModelPart, void, void> {
    try {
      let part = await first
      for (;;) {
        yield part
        if (part.type === 'end') return
        part = await pull()
        if (over) break
        take(part)
      }
      signal.throwIfAborted()
    } catch (error) {
      if (signal.aborted) throw signal.reason
      // Who left while a part was on its way does not hear what became of it.
      if (!over) throw finish({ outcome: 'failed', thrown: error })
    } finally {
      leave()
    }
  }

  const stream = passOn()
  return {
    begun: first,
    parts: {
      [Symbol.asyncIterator]: () => ({
        next: () => stream.next(),
        return() {
          leave()
          return stream.return()
        },
      }),
    },
  }
}

function letGo(provider: AsyncIterator<ModelPart>): void {
  Promise.resolve(provider.return?.()).catch(() => {})
}

/** After the end nothing more comes; the provider still puts its connection away, so that the next call can use it. */
async function runOut(provider: AsyncIterator<ModelPart>): Promise<void> {
  try {
    const { done } = await provider.next()
    if (done !== true) letGo(provider)
  } catch {
    // The answer is whole, whatever happens to its connection.
  }
}
