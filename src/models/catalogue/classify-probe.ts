import type { ProviderName, ProviderProbe } from '../providers/provider.ts'

/** The health of a provider, shared by all replicas. */
export interface ProviderHealth {
  readonly provider: ProviderName
  readonly status: ProviderProbe['state']
  /** The status of the last probe. */
  readonly seenStatus: ProviderProbe['state']
  readonly responseMs: number | null
  /** The ids of its available models. */
  readonly models: readonly string[]
  /** A description of the problem; null when there is none. */
  readonly lastError: string | null
  readonly checkedAt: Date
  /** When the status last changed. */
  readonly changedAt: Date
}

/** The result of one probe. */
export interface ProbeObservation extends ProviderProbe {
  readonly provider: ProviderName
  readonly models: readonly string[]
  readonly at: Date
}

/** The default response time above which a provider counts as degraded. */
export const slowMs = 2000

/**
 * The health of a provider after a probe. A single probe may have hit a bad moment, so a change needs two probes in a row,
 * unless it is certain.
 *
 * | status before | observed                                                   | status after |
 * |---------------|------------------------------------------------------------|--------------|
 * | none          | anything                                                   | the observed |
 * | any           | the same                                                   | unchanged    |
 * | any           | another status, for the first time                         | unchanged    |
 * | any           | another status, for the second time in a row               | the observed |
 * | any           | refused: connection refused, or the API key is not accepted | the observed |
 * | any           | unconfigured, or no longer unconfigured                    | the observed |
 */
export function classifyProbe(
  before: ProviderHealth | undefined,
  observed: ProbeObservation,
  { slowMs: maxMs = slowMs }: { readonly slowMs?: number | undefined } = {},
): ProviderHealth {
  const isSlow = observed.responseMs !== null && observed.responseMs > maxMs
  const seenStatus = observed.state === 'online' && isSlow ? 'degraded' : observed.state
  const accepted =
    before === undefined ||
    observed.isRefused === true ||
    seenStatus === before.seenStatus ||
    seenStatus === 'unconfigured' ||
    before.status === 'unconfigured'
  const status = accepted ? seenStatus : before.status
  return {
    provider: observed.provider,
    status,
    seenStatus,
    responseMs: observed.responseMs === null ? null : Math.round(observed.responseMs),
    models: observed.models,
    lastError:
      observed.problem ?? (isSlow ? `It took ${Math.round(observed.responseMs ?? 0)} ms to respond.` : null),
    checkedAt: observed.at,
    changedAt: before?.status === status ? before.changedAt : observed.at,
  }
}
