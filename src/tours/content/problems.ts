import type { Problem } from '#kernel/errors'
import { invalid, unprocessable } from '../errors.ts'

/** The problems of a tour: malformed fields (400), and well-formed fields with values that are not allowed (422). */
export interface Problems {
  readonly invalid: Problem[]
  readonly unprocessable: Problem[]
}

export function noProblems(): Problems {
  return { invalid: [], unprocessable: [] }
}

/** Throws all problems at once, malformed fields first. */
export function throwProblems(found: Problems): void {
  if (found.invalid.length > 0) throw invalid(found.invalid)
  if (found.unprocessable.length > 0) throw unprocessable(...found.unprocessable)
}
