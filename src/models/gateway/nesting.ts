import { kernelFailure } from '#kernel/errors'

const deepest = 200

/** Objects of callers are written as JSON again, which ends the process's stack when they are nested without end. */
export function requireShallow(value: object): void {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) {
      throw kernelFailure('invalid_input', {
        message: `The request is nested deeper than ${deepest} levels.`,
      })
    }
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
}
