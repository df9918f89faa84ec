/** A set of steps of one graph, as bits by position: whole sets are combined 32 steps at a time. */
export type StepSet = Uint32Array

/** An empty set for a graph of this many steps. */
export function createStepSet(steps: number): StepSet {
  return new Uint32Array(Math.ceil(steps / 32))
}

export function addStep(set: StepSet, position: number): void {
  set[position >>> 5] = (set[position >>> 5] ?? 0) | (1 << (position & 31))
}

/** Adds all steps of another set of the same graph. */
export function addSteps(set: StepSet, other: StepSet): void {
  for (let word = 0; word < set.length; word += 1) set[word] = (set[word] ?? 0) | (other[word] ?? 0)
}

export function hasStep(set: StepSet, position: number): boolean {
  return ((set[position >>> 5] ?? 0) & (1 << (position & 31))) !== 0
}

export function overlaps(set: StepSet, other: StepSet): boolean {
  return set.some((word, at) => (word & (other[at] ?? 0)) !== 0)
}
