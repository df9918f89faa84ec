/** When maintenance is to begin and to end. */
export interface Plan {
  readonly startsAt: Date
  readonly endsAt: Date
}

interface PlanProblem {
  readonly path: 'starts_at' | 'ends_at'
  readonly message: string
}

const dayMs = 86_400_000
const longestMs = 30 * dayMs
const furthestMs = 366 * dayMs

/** What is wrong with a plan, if anything. One that has begun keeps its start, however long ago it was. */
export function checkPlan(
  { startsAt, endsAt }: Plan,
  { hasBegun, now }: { readonly hasBegun: boolean; readonly now: Date },
): PlanProblem | undefined {
  const [start, end, today] = [startsAt.getTime(), endsAt.getTime(), now.getTime()]
  if (!hasBegun && start < today - dayMs) {
    return { path: 'starts_at', message: 'must not be more than a day ago' }
  }
  if (start > today + furthestMs) return { path: 'starts_at', message: 'must be within a year' }
  if (end <= start) return { path: 'ends_at', message: 'must be after starts_at' }
  if (end <= today) return { path: 'ends_at', message: 'must be in the future' }
  if (end - start > longestMs) return { path: 'ends_at', message: 'must be within 30 days of starts_at' }
  return undefined
}
