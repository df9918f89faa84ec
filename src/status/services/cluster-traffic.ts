import type { TrafficCounts } from '#cluster'

/** The counters of a cluster service process since its start. */
export interface TrafficReading extends TrafficCounts {
  readonly instance: string
}

export interface FollowedTraffic {
  /** The last reading of each process, the latest read last. */
  readonly known: readonly TrafficReading[]
  /** The difference to the previous reading. */
  readonly added: TrafficCounts
}

/** Remembered processes of the cluster service: more than run at once, including those replaced by restarts. */
const maxInstances = 100

const nothing: TrafficCounts = { requests: 0, prompt_tokens: 0, completion_tokens: 0 }

/**
 * Turns growing counters into differences, so that each request counts once however many replicas read.
 *
 * | known before                               | read          | added                                     |
 * |--------------------------------------------|---------------|-------------------------------------------|
 * | this process                               | it            | the difference                            |
 * | other processes, or none yet               | it            | all of it: it began since, or was not read |
 * | nothing, because an earlier version stored | it            | nothing: how much is added already is unknown |
 * | anything                                   | nothing       | nothing, and what is known stays          |
 */
export function followTraffic(
  known: readonly TrafficReading[] | 'not stored',
  read: TrafficReading | undefined,
): FollowedTraffic {
  const before = known === 'not stored' ? [] : known
  if (read === undefined) return { known: before, added: nothing }
  const last = before.find(({ instance }) => instance === read.instance)
  const others = before.filter((it) => it !== last)
  return {
    known: [...others, read].slice(-maxInstances),
    added: known === 'not stored' ? nothing : differenceOf(read, last ?? nothing),
  }
}

function differenceOf(now: TrafficCounts, before: TrafficCounts): TrafficCounts {
  return {
    requests: Math.max(0, now.requests - before.requests),
    prompt_tokens: Math.max(0, now.prompt_tokens - before.prompt_tokens),
    completion_tokens: Math.max(0, now.completion_tokens - before.completion_tokens),
  }
}
