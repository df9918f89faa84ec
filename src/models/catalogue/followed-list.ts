import type { Logger } from '#kernel/telemetry'
import type { ModelProvider, ProvidedModel } from '../providers/provider.ts'

/**
 * The models of one provider, without waiting long for one that is slow.
 *
 * | the provider              | who asks gets                                                   |
 * |---------------------------|-----------------------------------------------------------------|
 * | answers in time           | its answer                                                      |
 * | takes longer than it may  | what it said last, after the wait; nothing if it never said any |
 * | is still at it            | the same, at once                                               |
 */
export interface FollowedList {
  readonly provider: ModelProvider
  read(): Promise<readonly ProvidedModel[]>
}

export interface FollowListOptions {
  readonly provider: ModelProvider
  readonly mostWaitMs: number
  readonly log: Logger
}

export function followList({ provider, mostWaitMs, log }: FollowListOptions): FollowedList {
  let known: readonly ProvidedModel[] | undefined
  let asking: Promise<readonly ProvidedModel[]> | undefined
  /** The question under way has kept somebody waiting for as long as it may. */
  let slow = false

  async function ask(): Promise<readonly ProvidedModel[]> {
    try {
      known = await provider.list()
    } catch (error) {
      log.error({ err: error, provider: provider.name }, 'a provider could not list its models')
    } finally {
      asking = undefined
      slow = false
    }
    return known ?? []
  }

  return {
    provider,
    async read() {
      const answer = (asking ??= ask())
      if (slow && known !== undefined) return known
      const inTime = await within(mostWaitMs, answer)
      if (inTime !== undefined) return inTime
      slow = asking === answer
      return known ?? []
    },
  }
}

/** With a plain timer, because every call to a model comes by here. */
async function within<Value>(ms: number, value: Promise<Value>): Promise<Value | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const alarm = setTimeout(resolve, ms, undefined)
  try {
    return await Promise.race([value, late])
  } finally {
    clearTimeout(alarm)
  }
}
