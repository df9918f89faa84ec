import { ApiFailure } from '../../api/api-failure.ts'

interface Outcome {
  readonly succeeded: number
  /** What went wrong, one sentence for each that is different. */
  readonly problems: readonly string[]
}

/** Asks for one thing after the other, so that no limit is passed, and goes on when one fails. */
export async function forEach<Thing>(
  things: readonly Thing[],
  ask: (thing: Thing) => Promise<unknown>,
): Promise<Outcome> {
  const problems = new Set<string>()
  let succeeded = 0
  for (const thing of things) {
    try {
      await ask(thing)
      succeeded += 1
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      problems.add(error.message)
    }
  }
  return { succeeded, problems: [...problems] }
}
