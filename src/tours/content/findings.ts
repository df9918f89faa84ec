import type { Problem } from '#kernel/errors'
import { invalid, wrongHere } from '../errors.ts'

/** What is wrong with a tour: what cannot be read at all, and what can and still cannot be. */
export interface Findings {
  readonly invalid: Problem[]
  readonly wrong: Problem[]
}

export function noFindings(): Findings {
  return { invalid: [], wrong: [] }
}

/** Throws everything that was found at once, the unreadable before the impossible. */
export function refuseFindings(found: Findings): void {
  if (found.invalid.length > 0) throw invalid(found.invalid)
  if (found.wrong.length > 0) throw wrongHere(...found.wrong)
}
