import type { ModelPart } from '../providers/provider.ts'
import { ProviderFailure } from '../providers/provider-failure.ts'
import { saneUsage } from './sane-usage.ts'

/** The outcome of a relayed response. */
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
   * Called once, when the response ends, but not for a failure before the first part, with which `begun` rejects. Returns
   * the error that the consumer sees.
   */
  readonly onEnd: (end: RelayEnd) => unknown
}

export interface Relay {
  /** Resolves when the first part has arrived. Rejects with the error of the provider or the reason of the signal. */
  readonly begun: Promise<unknown>
  readonly parts: AsyncIterable<ModelPart>
}

/**
 * Relays the parts of a response, each when the consumer requests it, and reports the outcome exactly once.
 *
 * | state     | on                                              | then                                       | next      |
 * |-----------|-------------------------------------------------|--------------------------------------------|-----------|
 * | waiting   | a part                                          | kept for the consumer                      | streaming |
 * | waiting   | the end                                         | reported as answered, kept for the consumer | ended    |
 * | waiting   | the provider fails                              | `begun` rejects; a fallback is possible    | ended     |
 * | waiting   | the signal aborts                               | reported as cancelled, `begun` rejects     | ended     |
 * | streaming | a part                                          | passed to the consumer                     | streaming |
 * | streaming | the end                                         | reported as answered, passed to the consumer | ended   |
 * | streaming | the provider fails, or stops without an end     | reported as failed, thrown to the consumer | ended     |
 * | streaming | the signal aborts, or the consumer leaves       | reported as cancelled; the provider is released | ended |
 */
export function relayResponse({ source, signal, onPart, onEnd }: RelayOptions): Relay {
  const provider = source[Symbol.asyncIterator]()
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => {})
  let ended = false

  function finish(end: RelayEnd | undefined): unknown {
    if (ended) return undefined
    ended = true
    signal.removeEventListener('abort', onAbort)
    return end && onEnd(end)
  }

  /** Reports the cancellation at once, because the provider may react late and the consumer may have stopped reading. */
  function onAbort(): void {
    aborted.reject(signal.reason)
    leave()
  }

  function leave(): void {
    if (ended) return
    finish({ outcome: 'cancelled' })
    release(provider)
  }

  async function pull(): Promise<ModelPart> {
    const { done, value } = await provider.next()
    if (done === true) {
      throw new ProviderFailure({ kind: 'malformed', message: 'The response stopped before its end.' })
    }
    return value.type === 'end' ? { ...value, usage: saneUsage(value.usage) } : value
  }

  function take(part: ModelPart): void {
    onPart(part)
    if (part.type !== 'end') return
    finish({ outcome: 'answered', end: part })
    void drain(provider)
  }

  async function begin(): Promise<ModelPart> {
    // Added before the provider listens to the signal, so that an abort is reported as cancelled and not as failed.
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const part = await Promise.race([pull(), aborted.promise])
      signal.throwIfAborted()
      take(part)
      return part
    } catch (error) {
      if (ended) throw signal.reason
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
        if (ended) break
        take(part)
      }
      signal.throwIfAborted()
    } catch (error) {
      if (signal.aborted) throw signal.reason
      // A consumer that left while a part was on its way gets no error.
      if (!ended) throw finish({ outcome: 'failed', thrown: error })
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

function release(provider: AsyncIterator<ModelPart>): void {
  Promise.resolve(provider.return?.()).catch(() => {})
}

/** Lets the provider finish after the last part, so that its connection can be reused. */
async function drain(provider: AsyncIterator<ModelPart>): Promise<void> {
  try {
    const { done } = await provider.next()
    if (done !== true) release(provider)
  } catch {
    // The response is complete; a later connection error does not matter.
  }
}
