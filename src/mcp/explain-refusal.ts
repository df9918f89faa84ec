/** What the interfaces of the platform have in common when they refuse something. */
interface RefusalBody {
  readonly error?: {
    readonly code?: string
    readonly message?: string
    readonly problems?: readonly Problem[]
    readonly recovery_options?: readonly { readonly action: string; readonly description: string }[]
    readonly details?: {
      readonly problems?: readonly Problem[]
      readonly suggestions?: readonly string[]
    }
  }
}

interface Problem {
  readonly path: string
  readonly message: string
}

/** What can be done about it, where the sentence of the interface does not say so. */
const advice: Readonly<Record<string, string>> = {
  FLOW_NOT_FOUND: 'list_flows shows which flows there are.',
  EXECUTION_NOT_FOUND: 'Use the execution_id that run_flow answered with; it must be one of this account.',
  EXECUTION_NOT_RUNNING: 'It is over; get_execution shows what came of it.',
  VALIDATION_FAILED: 'Mend the arguments and call again; get_flow shows what a flow needs.',
  PERMISSION_DENIED: 'Ask an administrator of the platform for the permission, or use another key.',
  INSUFFICIENT_SCOPE: 'Use a key or token that has the scope.',
  AUTHENTICATION_REQUIRED: 'The credential no longer holds: give the client a new one.',
  INSUFFICIENT_CREDITS:
    'The budget of the day is used up: wait until tomorrow (UTC), or ask for a higher tier.',
  CONCURRENT_LIMIT_EXCEEDED: 'Wait until one of the executions of this account is over.',
  PROVIDER_UNAVAILABLE: 'list_models shows which models are available now.',
  SYSTEM_OVERLOADED: 'Try again shortly.',
}

/** A refusal in words for a model that called a tool: what was wrong, where, and what to do. */
export function explainRefusal(status: number, body: unknown, retryAfterSeconds: number | undefined): string {
  const error = (body as RefusalBody | undefined)?.error
  const code = error?.code?.toUpperCase() ?? `STATUS_${status}`
  const problems = error?.details?.problems ?? error?.problems ?? []
  const suggestions = error?.details?.suggestions ?? []
  return [
    `${code}: ${error?.message ?? `The platform answered with status ${status}.`}`,
    ...problems.map(({ path, message }) => `- ${path} ${message}`),
    ...(suggestions.length > 0 ? [`Did you mean ${suggestions.join(' or ')}?`] : []),
    ...(error?.recovery_options ?? []).map(({ action, description }) => `- ${action}: ${description}`),
    ...(retryAfterSeconds === undefined || /try again/i.test(error?.message ?? '')
      ? []
      : [`Try again in ${retryAfterSeconds} s.`]),
    ...(advice[code] === undefined ? [] : [advice[code]]),
  ].join('\n')
}
