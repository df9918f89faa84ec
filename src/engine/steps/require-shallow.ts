import { StepFailure } from './step-failure.ts'

/** As deep as what callers may send. Whoever writes something much deeper as JSON runs out of stack. */
const mostLevels = 200

/** Others answer whatever they like, also lists in lists without end. */
export function requireShallow(output: unknown): void {
  if (!isDeeperThan(output, mostLevels)) return
  const message = `Its output is nested more than ${mostLevels} levels deep.`
  throw new StepFailure({ code: 'INVALID_STEP', message, details: { limit_levels: mostLevels } })
}

/** It never goes further down than `levels`. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1))
}
