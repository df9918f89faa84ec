import type { ExecutionEvent, ExecutionRecord } from '#engine'
import { wantsNotices } from '../telling/notice-wishes.ts'
import type { Reach } from './reach.ts'

export interface Warning {
  readonly type: string
  readonly message: string
  readonly step: string | null
  readonly threshold: number | null
  readonly actual: number | null
}

/** What did not stop the execution but should be known, and what was asked for and is not done. */
export function describeWarnings(
  {
    events,
    parked,
    ...record
  }: Pick<ExecutionRecord, 'events' | 'input' | 'parked' | 'scheduleId' | 'forkedFrom'>,
  reach: Reach,
): Warning[] {
  return [
    ...waiting(parked),
    ...events.flatMap((event) => warningOf(event) ?? []),
    ...uncalled(record, reach),
    ...unnoticed(record, reach),
  ]
}

function waiting(parked: ExecutionRecord['parked']): Warning[] {
  if (parked === 'approval') {
    return [note('awaiting_approval', 'It begins once somebody who manages workflows agrees.')]
  }
  if (parked === 'concurrency') {
    return [note('awaiting_capacity', 'It begins when another execution of the same account has ended.')]
  }
  return []
}

/** What was asked to be told to a webhook and is not: nobody should wait for it. */
function uncalled(
  { input, scheduleId, forkedFrom }: Pick<ExecutionRecord, 'input' | 'scheduleId' | 'forkedFrom'>,
  reach: Reach,
): Warning[] {
  const { options } = input
  if (!isAsked(input, 'webhook_url')) {
    const wishes = [
      ...['progress_callbacks', 'progress_interval'].filter((name) => isAsked(input, name)),
      ...(options.monitoring?.send_progress_updates === true ? ['send_progress_updates'] : []),
      // Mail and messages to Slack tell of failures, too.
      ...(options.error_handling?.notification_on_failure === true && !wantsNotices(input, reach)
        ? ['notification_on_failure']
        : []),
    ]
    if (wishes.length === 0) return []
    return [note('callbacks_not_delivered', `${wishes.join(', ')}: there is no webhook_url to tell it to.`)]
  }
  // A secret is agreed on with whoever starts an execution, and nobody was there.
  if (scheduleId === null && forkedFrom === null) return []
  const message =
    'webhook_url: only executions that were started by a request call it. Subscribe a webhook to hear of the others.'
  return [note('callbacks_not_delivered', message)]
}

/** What was asked to be told to people and is not. */
function unnoticed({ input }: Pick<ExecutionRecord, 'input'>, reach: Reach): Warning[] {
  const mail = ['notification_email', 'email_on_completion'].filter((name) => isAsked(input, name)).join(', ')
  return [
    ...(mail !== '' && !reach.mail
      ? [note('mail_not_configured', `${mail}: this server sends no mail.`)]
      : []),
    ...(reach.hasAddress === false
      ? [
          note(
            'mail_without_address',
            'email_on_completion: the account has no e-mail address. Give one instead of true.',
          ),
        ]
      : []),
    ...(isAsked(input, 'slack_channel') && !reach.slack
      ? [note('slack_not_configured', 'slack_channel: this server does not speak to Slack.')]
      : []),
  ]
}

function isAsked({ callbacks }: ExecutionRecord['input'], name: string): boolean {
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
      ...note('cost_alert', 'The cost has reached a value that was to be told.'),
      threshold: numberAt(data, 'threshold'),
      actual: numberAt(data, 'spent'),
    }
  }
  if (type === 'over_budget') {
    return {
      ...note('over_budget', 'The cost may pass the budget, which only warns in this flow.'),
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
