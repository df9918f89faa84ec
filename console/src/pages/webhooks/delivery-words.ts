import type { Tone } from '../../parts/Status.tsx'
import type { Delivery } from './webhook-calls.ts'

export const deliveryStates = ['pending', 'delivered', 'dead'] as const satisfies ReadonlyArray<
  Delivery['state']
>

export const stateTitles: Readonly<Record<Delivery['state'], string>> = {
  pending: 'Pending',
  delivered: 'Delivered',
  dead: 'Failed',
}

/** The display name of a delivery state. A pending delivery with failed attempts differs from a new one. */
export function describeDelivery({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): {
  readonly tone: Tone
  readonly word: string
} {
  if (state === 'delivered') return { tone: 'good', word: stateTitles.delivered }
  if (state === 'dead') return { tone: 'bad', word: stateTitles.dead }
  return attempts === 0 ? { tone: 'busy', word: stateTitles.pending } : { tone: 'warn', word: 'Retrying' }
}

/** The outcome of the last attempt in short. */
export function describeAnswer({
  last_attempt: attempt,
}: Pick<Delivery, 'last_attempt'>): string | undefined {
  if (attempt === null) return undefined
  const { response, error } = attempt
  if (response !== null) return `HTTP ${response.status}`
  return error?.message
}

/** Formats seconds. */
export function describeSeconds(seconds: number): string {
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`
}
