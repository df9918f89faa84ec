import { criteria } from '#executions-api'
import type { Candidate } from './candidate.ts'

/** Whether the tags, category or use cases of a flow declare compliance with a requirement. */
export function compliesWith(
  { flow: { definition, metadata } }: Pick<Candidate, 'flow'>,
  requirement: string,
): boolean {
  const wanted = criteria.wordsOf(requirement)
  const said = [...(definition.tags ?? []), definition.category ?? '', ...(metadata.use_cases ?? [])]
  return (
    wanted.length > 0 &&
    said.some((text) => {
      const words = new Set(criteria.wordsOf(text))
      return wanted.every((word) => words.has(word))
    })
  )
}
