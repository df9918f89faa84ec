import type { StepKind } from '../document/step-kinds.ts'

/** The kinds in which every word of a text occurs; those that have it in their title come first. */
export function findKinds(kinds: readonly StepKind[], text: string): readonly StepKind[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (place: string) => words.every((word) => place.toLowerCase().includes(word))
  const { titled = [], described = [] } = Object.groupBy(
    kinds.filter(({ title, about }) => has(`${title} ${about}`)),
    ({ title }) => (has(title) ? 'titled' : 'described'),
  )
  return [...titled, ...described]
}
