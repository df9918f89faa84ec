import type { ExecutionEvent } from '#engine'
import { units } from '#executions-api'
import type { logLevels } from '../schemas/parts.ts'

type Level = (typeof logLevels)[number]

type Data = Readonly<Record<string, unknown>>

/** The log message of each event type. */
const lines: Readonly<Record<string, { readonly level: Level; readonly say: (data: Data) => string }>> = {
  execution_started: { level: 'info', say: () => 'The execution began.' },
  execution_gated: {
    level: 'info',
    say: ({ limit }) => `It waits for a limit of its flow: ${text(limit)}.`,
  },
  execution_suspended: { level: 'info', say: () => 'It only waits, and no worker is busy with it.' },
  execution_resumed: { level: 'info', say: () => 'It continues.' },
  execution_recovered: { level: 'info', say: ({ action }) => `It was recovered: ${text(action)}.` },
  execution_completed: { level: 'info', say: ({ duration }) => `It completed after ${text(duration)} s.` },
  execution_failed: { level: 'error', say: (data) => `It failed: ${messageIn(data)}` },
  execution_cancelled: { level: 'warning', say: ({ reason }) => `It was cancelled${because(reason)}.` },
  approval_decided: {
    level: 'info',
    say: ({ decision, note }) => `It was ${text(decision)}${because(note)}.`,
  },
  step_started: { level: 'info', say: ({ step_id }) => `"${text(step_id)}" began.` },
  step_completed: {
    level: 'info',
    say: ({ step_id, duration }) => `"${text(step_id)}" completed after ${text(duration)} s.`,
  },
  step_failed: { level: 'error', say: (data) => `"${text(data['step_id'])}" failed: ${messageIn(data)}` },
  step_retrying: {
    level: 'warning',
    say: ({ step_id, attempt, message }) =>
      `"${text(step_id)}" is tried again (attempt ${text(attempt)}): ${text(message)}`,
  },
  step_skipped: {
    level: 'info',
    say: ({ step_id, reason }) => `"${text(step_id)}" is left out: ${text(reason)}.`,
  },
  agent_decision: {
    level: 'info',
    say: ({ agent, decision, reasoning }) => `${text(agent)} chose "${text(decision)}": ${text(reasoning)}`,
  },
  item_finished: {
    level: 'info',
    say: ({ item, success, finished, total }) =>
      `Item ${text(item)} ${success === true ? 'succeeded' : 'failed'}; ${text(finished)} of ${text(total)} are over.`,
  },
  cost_alert: { level: 'warning', say: ({ threshold }) => `The cost has reached $${text(threshold)}.` },
  over_budget: {
    level: 'warning',
    say: ({ budget, could_cost }) =>
      `The next call could raise the cost to $${text(could_cost)}, more than the budget of $${text(budget)}.`,
  },
}

/** One line of the log of an execution. */
export function describeLogLine({ seq, at, type, data }: ExecutionEvent) {
  const isLog = type === 'log'
  const known = lines[type]
  const step = data['step_id'] ?? data['step']
  return {
    seq,
    timestamp: units.epochSeconds(at),
    level: isLog ? (data['level'] as Level) : (known?.level ?? 'info'),
    message: isLog ? text(data['message']) : (known?.say(data) ?? type),
    step: typeof step === 'string' ? step : null,
    type,
    details: (isLog ? (data['details'] ?? {}) : data) as Data,
    ...(typeof data['duration'] === 'number' && { response_time: data['duration'] }),
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

function because(reason: unknown): string {
  return typeof reason === 'string' && reason !== '' ? `: ${reason}` : ''
}

function messageIn({ error }: Data): string {
  const message = (error as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : 'no reason is known.'
}
