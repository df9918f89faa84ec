import { kernelFailure, type Problem } from '#kernel/errors'
import type { Impact, IncidentKind } from './incident.ts'
import type { IncidentChange, NewIncident, NewIncidentUpdate } from './incidents.ts'
import { type IncidentChangeBody, impactsOf, type NewIncidentBody, type NewUpdateBody } from './schemas.ts'

/** Throws `invalid_input` with all fields that contradict each other. */
export function readNewIncident(body: NewIncidentBody, id: string, now: Date): NewIncident {
  const { kind = 'incident', title, message, services = [], state, impact } = body
  const problems = [...impactProblems(kind, impact)]
  if (kind === 'incident') {
    for (const path of ['starts_at', 'ends_at'] as const) {
      if (body[path] !== undefined) problems.push(wrong(path, 'is allowed for maintenance only'))
    }
  } else {
    if (state !== undefined) problems.push(wrong('state', 'of maintenance follows its schedule'))
    if (body.ends_at === undefined) problems.push(wrong('ends_at', 'is required for maintenance', 'required'))
  }
  const { startsAt = now, endsAt = now } = readPlan(body, problems)
  refuse(problems)
  const shared = { id, kind, title: title.trim(), message: normaliseLines(message), services }
  if (kind === 'incident') {
    return {
      ...shared,
      impact: impact ?? 'degraded',
      state: state ?? 'investigating',
      startsAt: null,
      endsAt: null,
    }
  }
  return {
    ...shared,
    impact: impact ?? 'maintenance',
    state: 'scheduled',
    startsAt,
    endsAt,
  }
}

export function readChange(body: IncidentChangeBody, kind: IncidentKind): IncidentChange {
  const { title, impact, services } = body
  const problems = [...impactProblems(kind, impact)]
  if (kind === 'incident') {
    for (const path of ['starts_at', 'ends_at'] as const) {
      if (body[path] !== undefined) problems.push(wrong(path, 'is allowed for maintenance only'))
    }
  }
  const plan = readPlan(body, problems)
  refuse(problems)
  return {
    ...plan,
    ...(title !== undefined && { title: title.trim() }),
    ...(impact !== undefined && { impact }),
    ...(services !== undefined && { services }),
  }
}

export function readNewUpdate(body: NewUpdateBody, kind: IncidentKind): NewIncidentUpdate {
  const { message, state, impact } = body
  const problems = [...impactProblems(kind, impact)]
  if (kind === 'maintenance' && state !== undefined) {
    problems.push(wrong('state', 'of maintenance follows its schedule; close it to end it early'))
  }
  refuse(problems)
  return { message: normaliseLines(message), state, impact }
}

/** Normalises line ends and removes blank lines at both ends. */
export function normaliseLines(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n').trim()
  if (lines === '') refuse([wrong('message', 'must not be empty')])
  return lines
}

function readPlan(
  { starts_at: starts, ends_at: ends }: Pick<IncidentChangeBody, 'starts_at' | 'ends_at'>,
  problems: Problem[],
): { readonly startsAt?: Date; readonly endsAt?: Date } {
  const [startsAt, endsAt] = [starts, ends].map((text) => (text === undefined ? undefined : readMoment(text)))
  if (starts !== undefined && startsAt === undefined) problems.push(wrong('starts_at', 'is not a valid time'))
  if (ends !== undefined && endsAt === undefined) problems.push(wrong('ends_at', 'is not a valid time'))
  return { ...(startsAt !== undefined && { startsAt }), ...(endsAt !== undefined && { endsAt }) }
}

function impactProblems(kind: IncidentKind, impact: Impact | undefined): Problem[] {
  const allowed: readonly Impact[] = impactsOf[kind]
  if (impact === undefined || allowed.includes(impact)) return []
  return [wrong('impact', `must be one of ${allowed.join(', ')}`, 'choice')]
}

function wrong(path: string, message: string, code = 'value'): Problem {
  return { path, message, code }
}

function refuse(problems: readonly Problem[]): void {
  const [first] = problems
  if (first === undefined) return
  throw kernelFailure('invalid_input', {
    message: `${first.path} ${first.message}${problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''}.`,
    problems,
  })
}

/** Undefined for a time that matches the format but does not exist, such as a leap second. */
function readMoment(text: string): Date | undefined {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at
}
