import { StepFailure } from './step-failure.ts'

/** The same limit as for requests. Serialising a much deeper value as JSON overflows the stack. */
export const maxLevels = 200

/** External APIs may respond with JSON of any depth. */
export function requireShallow(output: unknown): void {
  if (!isDeeperThan(output, maxLevels)) return
  const message = `The output of the step is nested more than ${maxLevels} levels deep.`
  throw new StepFailure({ code: 'INVALID_STEP', message, details: { limit_levels: maxLevels } })
}

/** Never descends further than `levels`. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1))
}
