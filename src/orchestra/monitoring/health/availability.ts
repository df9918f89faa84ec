import type { Vitals } from '#kernel/vitals'
import { percentOf } from '../numbers.ts'

const dayMs = 86_400_000

/** Every process samples this wherever it runs. */
const alwaysSampled = 'load'

/** Percent of the minutes of the last day in which a process ran, from the first that is known; null before the first. */
export async function readAvailability(vitals: Vitals, now: Date): Promise<number | null> {
  const minutes = await vitals.series({
    from: new Date(now.getTime() - dayMs),
    to: now,
    grain: 'minute',
    gauges: [alwaysSampled],
    requests: false,
  })
  const wasThere = minutes.map((point) => point.average(alwaysSampled) !== null)
  const first = wasThere.indexOf(true)
  if (first < 0) return null
  // The minute under way has only begun: nobody may have sampled it yet.
  const known = wasThere.slice(first, wasThere.at(-1) === false ? -1 : undefined)
  return percentOf(known.filter(Boolean).length, known.length)
}
