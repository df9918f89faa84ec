import { edgesOf } from '../document/edges.ts'
import type { DraftStep } from '../document/flow-document.ts'

/** Every step that comes after this one, however far, and the step itself: what it must not wait for. */
export function stepsAfter(steps: readonly DraftStep[], id: string): ReadonlySet<string> {
  const leaving = Map.groupBy(edgesOf(steps), ({ from }) => from)
  const reached = new Set([id])
  // A set goes on to what is added while it is walked.
  for (const step of reached) {
    for (const { to } of leaving.get(step) ?? []) reached.add(to)
  }
  return reached
}
