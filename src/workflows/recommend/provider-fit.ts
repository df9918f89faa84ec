import type { Factor } from '#runs'
import type { Candidate } from './candidate.ts'

/** How many of the steps that ask models would be answered by a preferred provider. */
export function providerFit(
  { models }: Pick<Candidate, 'models'>,
  preferred: readonly string[],
): Pick<Factor, 'score' | 'evidence'> {
  if (preferred.length === 0) return { score: null, evidence: 'No provider is preferred.' }
  if (models.length === 0) return { score: null, evidence: 'No step asks a model.' }
  const met = models.filter(({ entry }) => entry !== undefined && preferred.includes(entry.provider))
  return {
    score: met.length / models.length,
    evidence: `${met.length} of ${models.length} steps that ask models would be answered by ${preferred.join(' or ')}.`,
  }
}
