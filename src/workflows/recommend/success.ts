import { rulesOf } from '#engine'
import { criteria, scoring, units } from '#executions-api'
import { type Candidate, samplesOf } from './candidate.ts'
import type { Requirements } from './requirements.ts'

/** The rate of success that is reached with a probability of 95 %, from as many executions as there were (Wilson); null without any. */
export function completionConfidence(candidate: Pick<Candidate, 'record'>): number | null {
  const bounds = scoring.rateBounds(candidate.record)
  return bounds === null ? null : units.round(bounds.low, 3)
}

export interface SuccessPredictor {
  readonly predictor: string
  readonly influence: 'positive' | 'negative'
  readonly evidence: string
}

/** What speaks for and against an execution of this flow succeeding, as far as it is known. */
export function successPredictors(candidate: Candidate, requirements: Requirements): SuccessPredictor[] {
  return [...fromHistory(candidate), ...fromDefinition(candidate), ...fromTime(candidate, requirements)]
}

function fromHistory(candidate: Candidate): SuccessPredictor[] {
  const samples = samplesOf(candidate)
  if (samples === 0) return []
  const { completed } = candidate.record
  return [
    {
      predictor: 'history',
      influence: completed / samples >= 0.9 ? 'positive' : 'negative',
      evidence: `${completed} of ${samples} executions succeeded.`,
    },
  ]
}

function fromDefinition({ flow: { definition } }: Candidate): SuccessPredictor[] {
  const rules = rulesOf(definition, { context: {}, options: {} }, new Date(0))
  const { steps } = definition
  const retried = steps.filter((step) => rules.attemptsOf(step) > 1)
  const passedOver = steps.filter((step) => ['continue', 'fallback'].includes(rules.onFailureOf(step)))
  const checked = steps.filter(({ validation }) => validation !== undefined)
  const remote = steps.filter(({ type }) => type === 'external_api')
  const tell = (list: typeof steps) => `${list.length} of ${steps.length} steps`
  return [
    retried.length > 0 && positive('retries', `${tell(retried)} are tried more than once.`),
    passedOver.length > 0 &&
      positive('failure_handling', `${tell(passedOver)} can fail without ending the execution.`),
    checked.length > 0 && negative('validation', `${tell(checked)} refuse outputs that are not good enough.`),
    remote.length > 0 && negative('outside_services', `${tell(remote)} depend on other services.`),
  ].filter((predictor) => predictor !== false)
}

function fromTime({ estimate: { duration } }: Candidate, requirements: Requirements): SuccessPredictor[] {
  const time = criteria.timeAvailable(requirements)
  if (time === null || time === 0 || duration.value === null) return []
  const share = Math.round((duration.value / time) * 100)
  const evidence = `It takes about ${share} % of the time there is.`
  return [share <= 70 ? positive('time', evidence) : negative('time', evidence)]
}

function positive(predictor: string, evidence: string): SuccessPredictor {
  return { predictor, influence: 'positive', evidence }
}

function negative(predictor: string, evidence: string): SuccessPredictor {
  return { predictor, influence: 'negative', evidence }
}
