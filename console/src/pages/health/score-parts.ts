import type { Service } from './health-queries.ts'

/** The share of its weight a service adds to the score. */
const shares: Readonly<Record<string, number>> = { online: 1, degraded: 0.5, offline: 0 }

export interface ScorePart {
  readonly name: Service['name']
  readonly status: Service['status']
  readonly weight: number
  /** Of its weight: 1, a half or nothing. */
  readonly share: number
  /** Of the hundred that can be reached. */
  readonly points: number
  /** What they would be if it were well. */
  readonly most: number
}

/** How the score came about: every service that counts, with its points. Weights that are all 0 count as equal. */
export function scoreParts(
  services: ReadonlyArray<Pick<Service, 'name' | 'status' | 'weight'>>,
): readonly ScorePart[] {
  const counted = services.filter(({ status }) => status !== 'unconfigured')
  const total = counted.reduce((sum, { weight }) => sum + weight, 0)
  return counted.map(({ name, status, weight }) => {
    const share = shares[status] ?? 0
    const most = total === 0 ? 100 / counted.length : (100 * weight) / total
    return { name, status, weight, share, points: most * share, most }
  })
}
