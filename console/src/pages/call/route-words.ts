import type { Tone } from '../../parts/Status.tsx'

const outcomes: Readonly<Record<string, { tone: Tone; word: string }>> = {
  answered: { tone: 'good', word: 'Completed' },
  failed: { tone: 'bad', word: 'Failed' },
  cancelled: { tone: 'idle', word: 'Stopped' },
  skipped: { tone: 'warn', word: 'Skipped' },
  not_tried: { tone: 'idle', word: 'Not tried' },
}

/** What became of a candidate. */
export function describeStepOutcome(outcome: string): { tone: Tone; word: string } {
  return outcomes[outcome] ?? { tone: 'idle', word: outcome }
}

const reasons: Readonly<Record<string, string>> = {
  requested: 'Requested model',
  default: 'Default model',
  route: 'Target of the route',
  fallback: 'Fallback',
}

/** Why a model was a candidate. */
export function describeReason(reason: string): string {
  return reasons[reason] ?? reason
}

const strategies: Readonly<Record<string, string>> = {
  fallback: 'in order',
  weighted: 'weighted',
  cheapest: 'cheapest first',
  fastest: 'fastest first',
}

/** How a route orders its targets. */
export function describeStrategy(strategy: string): string {
  return strategies[strategy] ?? strategy
}

const codes: Readonly<Record<string, string>> = {
  budget_used_up: 'Budget used up',
  model_limit_reached: 'Limit of the model or provider reached',
  provider_rate_limited: 'Rate limit of the provider',
  provider_unavailable: 'Provider unavailable',
  provider_timeout: 'No response in time',
  provider_refused: 'Rejected by the provider',
  answer_broke_off: 'Response cut off',
  model_not_found: 'Model not found',
  unsupported: 'Not supported',
}

/** Why a candidate failed or was skipped. */
export function describeRouteCode(code: string | null): string {
  return code === null ? '–' : (codes[code] ?? code)
}
