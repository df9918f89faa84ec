import type { DraftStep } from './flow-document.ts'
import { allSteps, stepsInside } from './scopes.ts'

/** The number of steps in a container, with those of containers inside: `2 steps`. */
export function countSteps(container: DraftStep): string {
  const count = allSteps(stepsInside(container)).length
  return count === 0 ? 'No steps' : count === 1 ? '1 step' : `${count} steps`
}
