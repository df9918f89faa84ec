import type { Failure } from '#kernel/errors'
import { modelsFailure } from '../errors.ts'
import { allModels, type ModelLimit } from './model-limits.ts'

/** What is limited. */
type LimitUnit = 'concurrent' | 'requests' | 'tokens'

interface ReachedLimit {
  readonly unit: LimitUnit
  readonly max: number
  /** When a retry may succeed. */
  readonly secondsLeft: number
  /** Why the call did not wait any longer. */
  readonly reason?: string | undefined
}

/** The failure of a call that a limit of its model or provider keeps out. */
export function limitReached(
  { provider, model }: Pick<ModelLimit, 'provider' | 'model'>,
  { unit, max, secondsLeft, reason }: ReachedLimit,
): Failure {
  const seconds = Math.max(1, Math.ceil(secondsLeft))
  const owner = model === allModels ? `the provider ${provider}` : `the model "${model}" of ${provider}`
  const limit =
    unit === 'concurrent'
      ? `${max} concurrent call${max === 1 ? '' : 's'}, is reached${reason === undefined ? '' : `, ${reason}`}`
      : `${max} ${unit} per minute, is used up`
  return modelsFailure('model_limit_reached', {
    message: `The limit of ${owner}, ${limit}. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
    details: { provider, model, limit: max, unit, ...(unit !== 'concurrent' && { window_seconds: 60 }) },
    retryAfterSeconds: seconds,
  })
}
