import { type ExecutionEvent, type ExecutionRecord, type HistoryResult, recoveryOptionsOf } from '#engine'
import type { Configured, Notifications } from '#notifications'
import { knownCode } from './errors.ts'
import { gateMessages } from './gate.ts'
import { secondsLeftInUtcDay } from './hours.ts'
import { describeSharedMemory } from './responses.ts'
import { type Callback, describeCallback, hasNotifications, notificationPreferencesOf } from './start.ts'

export interface Warning {
  readonly type: string
  readonly message: string
  readonly step: string | null
  readonly threshold: number | null
  readonly actual: number | null
}

/** Problems that did not stop the execution, and requested callbacks and notifications that cannot be sent. */
export function describeWarnings(
  {
    events,
    parked,
    gated,
    ...record
  }: Pick<ExecutionRecord, 'events' | 'input' | 'parked' | 'gated' | 'scheduleId' | 'forkedFrom' | 'rerunOf'>,
  reach: Reach,
): Warning[] {
  return [
    ...waiting(parked),
    ...(gated === null ? [] : [note('awaiting_flow_limit', gateMessages[gated.limit])]),
    ...events.flatMap((event) => warningOf(event) ?? []),
    ...missingCallbacks(record, reach),
    ...missingNotifications(record, reach),
  ]
}

function waiting(parked: ExecutionRecord['parked']): Warning[] {
  if (parked === 'approval') {
    return [
      note(
        'awaiting_approval',
        'It starts once an account with the permission "manage workflows" approves it.',
      ),
    ]
  }
  if (parked === 'concurrency') {
    return [note('awaiting_capacity', 'It starts when another execution of the same account has ended.')]
  }
  return []
}

/** Requested callbacks that are not sent. */
function missingCallbacks(
  {
    input,
    scheduleId,
    forkedFrom,
    rerunOf,
  }: Pick<ExecutionRecord, 'input' | 'scheduleId' | 'forkedFrom' | 'rerunOf'>,
  reach: Reach,
): Warning[] {
  const { options } = input
  if (!isRequested(input, 'webhook_url')) {
    const requested = [
      ...['progress_callbacks', 'progress_interval'].filter((name) => isRequested(input, name)),
      ...(options.monitoring?.send_progress_updates === true ? ['send_progress_updates'] : []),
      // E-mails and Slack messages report failures, too.
      ...(options.error_handling?.notification_on_failure === true && !hasNotifications(input, reach)
        ? ['notification_on_failure']
        : []),
    ]
    if (requested.length === 0) return []
    return [
      note('callbacks_not_delivered', `${requested.join(', ')}: there is no webhook_url to send it to.`),
    ]
  }
  // The callback secret is part of the response to a start request; schedules, forks and reruns have none.
  if (scheduleId === null && forkedFrom === null && rerunOf === null) return []
  const message =
    'webhook_url: only executions started by a request call it. Subscribe a webhook for the others.'
  return [note('callbacks_not_delivered', message)]
}

/** Requested notifications that are not sent. */
function missingNotifications({ input }: Pick<ExecutionRecord, 'input'>, reach: Reach): Warning[] {
  const mail = ['notification_email', 'email_on_completion']
    .filter((name) => isRequested(input, name))
    .join(', ')
  return [
    ...(mail !== '' && !reach.mail
      ? [note('mail_not_configured', `${mail}: this server sends no e-mail.`)]
      : []),
    ...(reach.hasAddress === false
      ? [
          note(
            'mail_without_address',
            'email_on_completion: the account has no e-mail address. Give one instead of true.',
          ),
        ]
      : []),
    ...(isRequested(input, 'slack_channel') && !reach.slack
      ? [note('slack_not_configured', 'slack_channel: Slack is not configured on this server.')]
      : []),
  ]
}

function isRequested({ callbacks }: ExecutionRecord['input'], name: string): boolean {
  return callbacks?.[name] !== undefined && callbacks[name] !== false
}

function warningOf({ type, data }: ExecutionEvent): Warning | undefined {
  const step = textAt(data, 'step_id') ?? textAt(data, 'step')
  if (type === 'log' && data['level'] === 'warning') {
    const { warning } = (data['details'] ?? {}) as { readonly warning?: unknown }
    const kind = typeof warning === 'string' ? warning : 'step_warning'
    return { ...note(kind, textAt(data, 'message') ?? ''), step }
  }
  if (type === 'step_failed') {
    const error = data['error'] as { readonly message?: string } | undefined
    return { ...note('step_failed', error?.message ?? 'The step failed.'), step }
  }
  if (type === 'step_retrying') {
    return { ...note('step_retried', textAt(data, 'message') ?? ''), step, actual: numberAt(data, 'attempt') }
  }
  if (type === 'cost_alert') {
    return {
      ...note('cost_alert', 'The cost reached an alert threshold.'),
      threshold: numberAt(data, 'threshold'),
      actual: numberAt(data, 'spent'),
    }
  }
  if (type === 'over_budget') {
    return {
      ...note('over_budget', 'The cost may exceed the budget, which only warns in this flow.'),
      threshold: numberAt(data, 'budget'),
      actual: numberAt(data, 'could_cost'),
    }
  }
  return undefined
}

function note(type: string, message: string): Warning {
  return { type, message, step: null, threshold: null, actual: null }
}

function textAt(data: ExecutionEvent['data'], field: string): string | null {
  const value = data[field]
  return typeof value === 'string' ? value : null
}

function numberAt(data: ExecutionEvent['data'], field: string): number | null {
  const value = data[field]
  return typeof value === 'number' ? value : null
}

/** Which notification channels an execution can use. */
export interface Reach extends Configured {
  /** False when the e-mail address of the account is requested, and it has none. */
  readonly hasAddress?: boolean
}

export interface ReachOptions {
  readonly notifications: Pick<Notifications, 'configured'>
  /** The e-mail address of an account; undefined without one. */
  readonly addressOf: (accountId: string) => Promise<string | undefined>
}

/** Returns a function that reads which notifications are possible. It reads an e-mail address only where one is needed. */
export function createReachOf({
  notifications: { configured },
  addressOf,
}: ReachOptions): (record: Pick<ExecutionRecord, 'accountId' | 'input'>) => Promise<Reach> {
  return async ({ accountId, input }) => {
    if (!configured.mail || !notificationPreferencesOf(input).toAccount) return configured
    return { ...configured, hasAddress: (await addressOf(accountId)) !== undefined }
  }
}

/** The failure of an execution: its code, message and partial results. A code of an older release becomes `EXECUTION_FAILED`. */
export function describeFailure(record: ExecutionRecord) {
  const { id, status, error, outcomes } = record
  const failed = outcomes.findLast(
    ({ stepId, state, error: reason }) =>
      state === 'failed' && reason !== null && (error?.step === undefined || error.step === stepId),
  )
  const completed = outcomes.filter(({ state }) => state === 'completed')
  const timeout = error?.details?.['timeout_duration']
  return {
    code: knownCode(status === 'cancelled' ? 'EXECUTION_CANCELLED' : (error?.code ?? 'EXECUTION_FAILED')),
    message:
      error?.message ?? (status === 'cancelled' ? 'The execution was cancelled.' : 'The execution failed.'),
    details: {
      ...error?.details,
      execution_id: id,
      failed_step: error?.step ?? null,
      provider: error?.provider ?? null,
      timeout_duration: typeof timeout === 'number' ? timeout : null,
      retry_attempts: Math.max(0, (failed?.attempts ?? 1) - 1),
      partial_results: {
        completed_steps: [...new Set(completed.map(({ stepId }) => stepId))],
        available_data: describeSharedMemory(record),
      },
    },
  }
}

/** The failure for a waiting caller, before an API maps its code, with the callback and the time until an exhausted budget is renewed. */
export function describeWaitedFailure(record: ExecutionRecord, callback: Callback | undefined, now: Date) {
  const { code, message, details } = describeFailure(record)
  return {
    code,
    message,
    details: { ...details, ...(callback !== undefined && { callback_info: describeCallback(callback) }) },
    retry: code === 'INSUFFICIENT_CREDITS' ? { retryAfterSeconds: secondsLeftInUtcDay(now) } : {},
  }
}

/** How a failed execution can be recovered, with the estimated cost and duration of each option. */
export function recoveryOf(record: ExecutionRecord, { steps }: Pick<HistoryResult<'estimate'>, 'steps'>) {
  const known = new Map(steps.map((step) => [step.stepId, step]))
  return recoveryOptionsOf(record, (stepId) => {
    const step = known.get(stepId)
    return step && { microDollars: step.cost.value, ms: step.duration.value }
  })
}
