import { kernelFailure, type Problem } from '#kernel/errors'
import type { Principal } from '#kernel/http'
import { type UsageDimension, type UsageFilter, usageDimensions } from '../../usage/usage-totals.ts'

const dayMs = 86_400_000
const daysByDefault = 30
const mostDays = 3660
const mostDimensions = 2

interface AskedFilter extends UsageFilter {
  readonly account?: string | undefined
}

/** Whose usage is asked for. Everyone sees their own, and who administers the models sees all. */
export function readFilter(principal: Principal, asked: AskedFilter): UsageFilter {
  const { account, provider, model, source } = asked
  if (principal.id === null) throw kernelFailure('authentication_required')
  const isOwn = account === undefined || account === principal.id
  if (!isOwn && !principal.permissions.has('administer llm')) {
    throw kernelFailure('permission_denied', {
      message: 'You need the permission "administer llm" to see what others use.',
      details: { permission: ['administer llm'] },
    })
  }
  return { account: isOwn ? principal.id : account === 'all' ? undefined : account, provider, model, source }
}

/** The days from one to another, both included; the last 30 without. */
export function readDays(asked: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  const to = asked.to ?? dayOf(Date.now())
  const from = asked.from ?? dayOf(Date.parse(to) - (daysByDefault - 1) * dayMs)
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days < 1) throw invalid('from', 'must not be after to')
  if (days > mostDays) throw invalid('from', `must be at most ${mostDays} days before to`)
  return { from, to }
}

/** The moments a list of calls lies between; open where nothing is said. */
export function readMoments({
  from,
  to,
}: {
  readonly from?: string | undefined
  readonly to?: string | undefined
}) {
  if (from !== undefined && to !== undefined) readDays({ from, to })
  return {
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(Date.parse(to) + dayMs),
  }
}

/** A page has a number, or begins after a call. */
export function requireOneWay({
  page,
  after,
}: {
  readonly page: number
  readonly after?: string | undefined
}): void {
  if (page > 1 && after !== undefined) throw invalid('page', 'must be left out where after is given')
}

/** The moment of an earlier page. The format of a date-time also lets leap seconds through, which no `Date` has. */
export function readAsOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime())) throw invalid('as_of', 'must be `as_of` of an earlier page')
  return moment
}

/** By what the rows are told apart: at most two, or there would be a row for nearly every call. */
export function readGroups(text: string | undefined): readonly UsageDimension[] {
  const names = [...new Set((text ?? '').split(',').map((name) => name.trim()))].filter((name) => name !== '')
  const known = usageDimensions.filter((dimension) => names.includes(dimension))
  if (known.length < names.length)
    throw invalid('group_by', `must name one or two of ${usageDimensions.join(', ')}`)
  if (known.length > mostDimensions) throw invalid('group_by', `must name at most ${mostDimensions}`)
  return known
}

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function invalid(path: string, message: string) {
  const problem: Problem = { path, message, code: 'value' }
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [problem],
    details: { part: 'query' },
  })
}
