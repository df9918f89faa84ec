import type { ApiKey } from '../../api/responses.ts'
import { describeDollars, describeRoughly } from '../../parts/describe-amount.ts'

type Limits = ApiKey['limits']

/** The limits of a key as the form holds them: text, empty where there is none. */
export interface LimitsDraft {
  /** One model or pattern on each line. */
  readonly models: string
  readonly dollarsPerDay: string
  readonly dollarsPerMonth: string
  readonly dollarsTotal: string
  readonly requestsPerMinute: string
  readonly tokensPerMinute: string
}

export const noLimits: LimitsDraft = {
  models: '',
  dollarsPerDay: '',
  dollarsPerMonth: '',
  dollarsTotal: '',
  requestsPerMinute: '',
  tokensPerMinute: '',
}

const microDollars = 1_000_000

export function draftOf(limits: Limits): LimitsDraft {
  if (limits === null) return noLimits
  return {
    models: limits.models?.join('\n') ?? '',
    dollarsPerDay: dollars(limits.micro_dollars_per_day),
    dollarsPerMonth: dollars(limits.micro_dollars_per_month),
    dollarsTotal: dollars(limits.micro_dollars_total),
    requestsPerMinute: number(limits.requests_per_minute),
    tokensPerMinute: number(limits.tokens_per_minute),
  }
}

function dollars(amount: number | null): string {
  return amount === null ? '' : String(amount / microDollars)
}

function number(amount: number | null): string {
  return amount === null ? '' : String(amount)
}

/** The limits for the request; null when there is none. */
export function limitsOf(draft: LimitsDraft): Limits {
  const models = draft.models.split('\n').map((line) => line.trim())
  const named = models.filter((line) => line !== '')
  const limits = {
    models: named.length === 0 ? null : named,
    micro_dollars_per_day: amountOf(draft.dollarsPerDay, microDollars),
    micro_dollars_per_month: amountOf(draft.dollarsPerMonth, microDollars),
    micro_dollars_total: amountOf(draft.dollarsTotal, microDollars),
    requests_per_minute: amountOf(draft.requestsPerMinute, 1),
    tokens_per_minute: amountOf(draft.tokensPerMinute, 1),
  }
  return Object.values(limits).every((value) => value === null) ? null : limits
}

/** An unreadable number is sent as -1, so that the server refuses it and the problem appears at its field. */
function amountOf(text: string, factor: number): number | null {
  const given = text.trim()
  if (given === '') return null
  const amount = Number(given) * factor
  if (!Number.isFinite(amount)) return -1
  // Dollars with more decimals than a micro-dollar are rounded.
  return factor === 1 ? amount : Math.round(amount)
}

/** The limits in a few words, such as `2 models · $5.00 per day`; empty when there is none. */
export function describeLimits(limits: Limits): string {
  if (limits === null) return ''
  const { models } = limits
  return [
    ...(models === null ? [] : [models.length === 1 ? `${models[0]}` : `${models.length} models`]),
    ...money(limits.micro_dollars_per_day, 'per day'),
    ...money(limits.micro_dollars_per_month, 'per month'),
    ...money(limits.micro_dollars_total, 'in total'),
    ...rate(limits.requests_per_minute, 'requests/min'),
    ...rate(limits.tokens_per_minute, 'tokens/min'),
  ].join(' · ')
}

function money(amount: number | null, period: string): readonly string[] {
  return amount === null ? [] : [`${describeDollars(amount)} ${period}`]
}

function rate(amount: number | null, unit: string): readonly string[] {
  return amount === null ? [] : [`${describeRoughly(amount)} ${unit}`]
}
