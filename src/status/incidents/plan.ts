import { checkPlan, type Plan } from './check-plan.ts'
import type { Incident } from './incident.ts'
import { wrongField } from './refusals.ts'

export function changePlan(
  { startsAt, endsAt, state }: Incident,
  change: { readonly startsAt: Date | undefined; readonly endsAt: Date | undefined },
): Pick<Incident, 'startsAt' | 'endsAt'> {
  if (change.startsAt === undefined && change.endsAt === undefined) return { startsAt, endsAt }
  if (change.startsAt !== undefined && state === 'under_way') {
    throw wrongField('starts_at', 'cannot change: the maintenance has begun')
  }
  const plan = { startsAt: change.startsAt ?? startsAt, endsAt: change.endsAt ?? endsAt }
  return requirePlan(plan.startsAt, plan.endsAt, { hasBegun: state === 'under_way' })
}

export function requirePlan(
  startsAt: Date | null,
  endsAt: Date | null,
  { hasBegun = false }: { readonly hasBegun?: boolean } = {},
): Plan {
  if (startsAt === null || endsAt === null) throw wrongField('starts_at', 'belongs to maintenance alone')
  const plan = { startsAt, endsAt }
  const problem = checkPlan(plan, { hasBegun, now: new Date() })
  if (problem !== undefined) throw wrongField(problem.path, problem.message)
  return plan
}
