import { kernelFailure } from '#kernel/errors'

/** Whom the callback of an execution goes to, and what it hears. */
export interface CallbackPlan {
  readonly url: string
  readonly events: readonly string[]
}

export function refuseAddress(path: string, message: string) {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code: 'webhook_url' }],
  })
}
