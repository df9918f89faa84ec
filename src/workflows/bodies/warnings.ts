import type { ExecutionEvent, ExecutionRecord } from '#engine'

export interface Warning {
  readonly type: string
  readonly message: string
  readonly step: string | null
  readonly threshold: number | null
  readonly actual: number | null
}

/** What did not stop the execution but should be known, and what was asked for and is not done. */
export function describeWarnings({
  events,
  input,
  parked,
}: Pick<ExecutionRecord, 'events' | 'input' | 'parked'>): Warning[] {
  return [...waiting(parked), ...events.flatMap((event) => warningOf(event) ?? []), ...undelivered(input)]
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

/** Nothing is sent to anybody yet, and nobody should wait for it. */
function undelivered({ callbacks = {}, options }: ExecutionRecord['input']): Warning[] {
  const asked = [
    ...Object.entries(callbacks).flatMap(([name, value]) => (value === false ? [] : [name])),
    ...(options.monitoring?.send_progress_updates === true ? ['send_progress_updates'] : []),
    ...(options.error_handling?.notification_on_failure === true ? ['notification_on_failure'] : []),
  ]
  if (asked.length === 0) return []
  const message = `${asked.join(', ')}: this server delivers no callbacks. Follow the execution by its stream or its status.`
  return [note('callbacks_not_delivered', message)]
}

function warningOf({ type, data }: ExecutionEvent): Warning | undefined {
  const step = textAt(data, 'step_id') ?? textAt(data, 'step')
  if (type === 'log' && data['level'] === 'warning') {
    return { ...note('step_warning', textAt(data, 'message') ?? ''), step }
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
