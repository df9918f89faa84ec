import { wordsOf } from '#runs'
import type { Candidate } from './candidate.ts'

/** Whether a flow says, in its tags, category or use cases, that it complies with something. Nobody else can know. */
export function compliesWith(
  { flow: { definition, metadata } }: Pick<Candidate, 'flow'>,
  requirement: string,
): boolean {
  const wanted = wordsOf(requirement)
  const said = [...(definition.tags ?? []), definition.category ?? '', ...(metadata.use_cases ?? [])]
  return (
    wanted.length > 0 &&
    said.some((text) => {
      const words = new Set(wordsOf(text))
      return wanted.every((word) => words.has(word))
    })
  )
}
