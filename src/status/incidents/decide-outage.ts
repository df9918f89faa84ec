import type { ServiceReport } from '../services/service.ts'

/** An outage that was told of. */
export interface KnownOutage {
  /** How the service was when that was last told. */
  readonly told: 'degraded' | 'offline'
  /** `gone`: a person closed or removed it, and wants to hear no more of this outage. */
  readonly incident: 'ours' | 'by_hand' | 'gone'
}

interface Circumstances {
  readonly service: Pick<ServiceReport, 'state' | 'since'>
  readonly outage: KnownOutage | undefined
  /** Work on this service is under way, and it was announced that it will be felt. */
  readonly inMaintenance: boolean
  readonly now: Date
}

export type OutageStep = 'nothing' | 'begin' | 'tell' | 'remember' | 'close' | 'tell_well' | 'forget'

/** Slow for a moment is not worth an incident. */
const slowForMs = 5 * 60_000

const whenWell = { ours: 'close', by_hand: 'tell_well', gone: 'forget' } as const satisfies Record<
  KnownOutage['incident'],
  OutageStep
>

/**
 * What is to be done about a service, from how it is now and what was told before. Asking again changes nothing, so it does not matter how
 * often or where somebody asks.
 *
 * | outage | the service is | incident | next |
 * |---|---|---|---|
 * | none | online, unconfigured, degraded for less than five minutes | | `nothing` |
 * | none | offline, or degraded for longer, while it is maintained | | `nothing`: it was announced |
 * | none | offline, or degraded for longer | | `begin`: an incident is opened, or one that people opened for it is joined |
 * | known | as it was told | any | `nothing` |
 * | known | offline after degraded, or degraded after offline | open | `tell` |
 * | known | the same | gone | `remember` |
 * | known | online or unconfigured | opened by the prober | `close` |
 * | known | the same | opened by hand | `tell_well`: people close what they opened |
 * | known | the same | gone | `forget`: the next outage is a new one |
 */
export function decideOutage({ service, outage, inMaintenance, now }: Circumstances): OutageStep {
  const { state, since } = service
  const isWell = state === 'online' || state === 'unconfigured'
  if (outage === undefined) {
    const isSlow = state === 'degraded' && now.getTime() - since.getTime() >= slowForMs
    return !inMaintenance && (state === 'offline' || isSlow) ? 'begin' : 'nothing'
  }
  if (isWell) return whenWell[outage.incident]
  if (state === outage.told) return 'nothing'
  return outage.incident === 'gone' ? 'remember' : 'tell'
}
