import type { ProviderName, ProviderProbe } from '../providers/provider.ts'

/** How a provider is, as all replicas know it. */
export interface ProviderStanding {
  readonly provider: ProviderName
  readonly status: ProviderProbe['state']
  /** What the last probe saw. */
  readonly seenStatus: ProviderProbe['state']
  readonly responseMs: number | null
  /** The ids of the models it can answer with. */
  readonly models: readonly string[]
  /** What is wrong, for people; null when nothing is. */
  readonly lastError: string | null
  readonly checkedAt: Date
  /** Since when it has this status. */
  readonly changedAt: Date
}

/** One look at a provider. */
export interface SeenProvider extends ProviderProbe {
  readonly provider: ProviderName
  readonly models: readonly string[]
  readonly at: Date
}

/** A provider that takes longer to say that it is there is not well, unless somebody says otherwise. */
export const slowMs = 2000

/**
 * What is told of a provider after one more look. One look may have met a bad moment, so it takes two to change what is told, unless
 * there is no doubt.
 *
 * | told         | seen                                        | is told then |
 * |--------------|---------------------------------------------|--------------|
 * | nothing yet  | anything                                    | what is seen |
 * | the same     | the same                                    | the same     |
 * | anything     | another, for the first time                 | the same     |
 * | anything     | another, for the second time in a row       | what is seen |
 * | anything     | refused: nobody listens, or our key is wrong | what is seen |
 * | anything     | unconfigured, or no longer unconfigured     | what is seen |
 */
export function judgeProbe(
  before: ProviderStanding | undefined,
  seen: SeenProvider,
  { slowMs: mostMs = slowMs }: { readonly slowMs?: number | undefined } = {},
): ProviderStanding {
  const isSlow = seen.responseMs !== null && seen.responseMs > mostMs
  const seenStatus = seen.state === 'online' && isSlow ? 'degraded' : seen.state
  const believed =
    before === undefined ||
    seen.isRefused === true ||
    seenStatus === before.seenStatus ||
    seenStatus === 'unconfigured' ||
    before.status === 'unconfigured'
  const status = believed ? seenStatus : before.status
  return {
    provider: seen.provider,
    status,
    seenStatus,
    responseMs: seen.responseMs === null ? null : Math.round(seen.responseMs),
    models: seen.models,
    lastError: seen.problem ?? (isSlow ? `It took ${Math.round(seen.responseMs ?? 0)} ms to answer.` : null),
    checkedAt: seen.at,
    changedAt: before?.status === status ? before.changedAt : seen.at,
  }
}
