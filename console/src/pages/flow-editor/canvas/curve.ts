import type { Place } from '../../../graph/graph-layout.ts'

/**
 * The first point of a cubic curve such as `M0,0 C10,0 20,5 20,10` that is as low as this, short of its ends; its middle if
 * none is.
 */
export function pointAsLowAs(path: string, lowest: number): Place {
  const shares = Array.from({ length: 17 }, (_, index) => 0.1 + index * 0.05)
  return (
    shares.map((share) => pointOnCurve(path, share)).find(({ y }) => y >= lowest) ?? pointOnCurve(path, 0.5)
  )
}

function pointOnCurve(path: string, share: number): Place {
  const numbers = (path.match(/-?[\d.]+(?:e[-+]?\d+)?/g) ?? []).map(Number)
  const rest = 1 - share
  const weights = [rest ** 3, 3 * rest ** 2 * share, 3 * rest * share ** 2, share ** 3]
  const mix = (first: number) =>
    weights.reduce((sum, weight, index) => sum + weight * (numbers[first + index * 2] ?? 0), 0)
  return { x: mix(0), y: mix(1) }
}
