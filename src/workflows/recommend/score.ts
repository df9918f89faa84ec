import { scoring } from '#executions-api'
import type { Candidate } from './candidate.ts'
import { fitFactors } from './fit.ts'
import type { Requirements } from './requirements.ts'

/** Scores a flow by how well it fits, and by its executions. Unknown factors do not count. */
export function scoreFlow(
  candidate: Candidate,
  requirements: Requirements,
  baseline: ReturnType<typeof scoring.baselineOf>,
): scoring.Score {
  return scoring.scoreCandidate(candidate, {
    fit: fitFactors(candidate, requirements),
    success: scoring.successFactor(candidate.record, { noun: 'executions', risk: 'medium' }),
    limits: requirements,
    baseline,
    unknownScore: null,
  })
}
