import { allSteps, kindOf, rulesOf, sendsPrompt } from '#engine'
import { criteria, scoreFactors, units } from '#executions-api'
import { type Candidate, samplesOf } from './candidate.ts'
import { compliesWith } from './fit.ts'
import type { Requirements } from './requirements.ts'

interface Risk {
  /** 1: minor. 2: noticeable. 3: likely to fail. */
  readonly severity: 1 | 2 | 3
  readonly issue: string
  readonly mitigation: string
}

export interface RiskAssessment {
  readonly risk_level: 'low' | 'medium' | 'high'
  readonly potential_issues: string[]
  readonly mitigation_strategies: string[]
}

/** With fewer executions, failures are no risk. */
const minSamples = 5
/** Above this share of the available time, the limit is tight. */
const tightShare = 0.7

/** The risks of a flow from its definition and its executions, with mitigations. The most severe one sets the level. */
export function assessRisks(candidate: Candidate, requirements: Requirements): RiskAssessment {
  const risks = [
    ...ofHistory(candidate),
    ...ofBounds(candidate, requirements),
    ...ofDefinition(candidate),
    ...ofCompliance(candidate, requirements),
  ]
  const worst = Math.max(0, ...risks.map(({ severity }) => severity))
  return {
    risk_level: worst === 3 ? 'high' : worst === 2 ? 'medium' : 'low',
    potential_issues: risks.map(({ issue }) => issue),
    mitigation_strategies: [...new Set(risks.map(({ mitigation }) => mitigation))],
  }
}

function ofHistory(candidate: Candidate): Risk[] {
  const samples = samplesOf(candidate)
  const { failed } = candidate.record
  if (samples === 0)
    return [
      {
        severity: 1,
        issue: 'There are no recent runs, so its reliability is unknown.',
        mitigation: 'Run it once with a small content first.',
      },
    ]
  const share = failed / samples
  if (samples < minSamples || share <= 0.1) return []
  return [
    {
      severity: share > 0.3 ? 3 : 2,
      issue: `${failed} of ${samples} executions failed.`,
      mitigation: 'Look at the errors of its executions before relying on it.',
    },
  ]
}

function ofBounds({ estimate: { cost, duration }, flow }: Candidate, requirements: Requirements): Risk[] {
  const time = criteria.timeAvailable(requirements)
  const risks: Risk[] = []
  if (time !== null && duration.value === null)
    risks.push({
      severity: 2,
      issue: 'Its duration is unknown, and time is limited.',
      mitigation: 'Set max_execution_time.',
    })
  if (time !== null && duration.value !== null && duration.value > time * tightShare)
    risks.push({
      severity: 2,
      issue: `It takes about ${Math.round((duration.value / time) * 100)} % of the time there is.`,
      mitigation: 'Start it early, or choose a faster variant.',
    })
  if (cost.value === null)
    risks.push({
      severity: requirements.maxCost === undefined ? 1 : 2,
      issue: 'Its cost is unknown: a model has no price, or its output tokens are not limited.',
      mitigation: 'Set a price for the model, max_tokens for the step, and a cost_limit.',
    })
  const limit = flow.definition.global_configuration?.cost_controls?.max_total_cost
  if (cost.value !== null && cost.value > 0 && limit === undefined)
    risks.push({
      severity: 1,
      issue: 'The flow sets no limit for its cost.',
      mitigation: 'Set ai_options.cost_limit when starting it.',
    })
  return risks
}

function ofDefinition({ flow: { definition, metadata } }: Candidate): Risk[] {
  const rules = rulesOf(definition, { context: {}, options: {} }, new Date(0))
  const risks: Risk[] = []
  const steps = allSteps(definition.steps)
  const remote = steps.filter(
    (step) => kindOf(step).traits.callsServices && ['abort'].includes(rules.onFailureOf(step)),
  )
  if (remote.length > 0)
    risks.push({
      severity: 2,
      issue: `It fails when another service does: ${remote.map(({ id }) => `"${id}"`).join(', ')}.`,
      mitigation: 'Give these steps on_failure continue, or a fallback message.',
    })
  const once = steps.filter((step) => sendsPrompt(step) && rules.attemptsOf(step) === 1)
  if (once.length > 0)
    risks.push({
      severity: 1,
      issue: `Steps that ask models are tried once: ${once.map(({ id }) => `"${id}"`).join(', ')}.`,
      mitigation: 'Allow retries with options.error_handling.retry_attempts.',
    })
  if (metadata.approval_required === true)
    risks.push({
      severity: 1,
      issue: 'Every execution requires approval.',
      mitigation: 'Notify the approvers before starting it.',
    })
  return risks
}

function ofCompliance(candidate: Candidate, { softCompliance }: Requirements): Risk[] {
  return softCompliance
    .filter((requirement) => !compliesWith(candidate, requirement))
    .map((requirement) => ({
      severity: 2,
      issue: `It does not say that it complies with ${requirement}.`,
      mitigation: 'Review the flow, and tag it if it complies.',
    }))
}

/** The success rate that is reached with a probability of 95 %, by the number of executions (Wilson); null without any. */
export function completionConfidence(candidate: Pick<Candidate, 'record'>): number | null {
  const bounds = scoreFactors.rateBounds(candidate.record)
  return bounds === null ? null : units.round(bounds.low, 3)
}

interface SuccessPredictor {
  readonly predictor: string
  readonly influence: 'positive' | 'negative'
  readonly evidence: string
}

/** The known factors for and against the success of an execution of this flow. */
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
  const remote = steps.filter((step) => kindOf(step).traits.callsServices)
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
