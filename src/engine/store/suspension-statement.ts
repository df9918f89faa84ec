import { storableJson } from '#kernel/database'
import {
  type ArrayParameter,
  integers,
  smallIntegers,
  texts,
  timestamps,
  unnest,
  uuids,
} from './binary-arrays.ts'
import type { Commit } from './commit.ts'

/** Column types of suspensions, and of waits. */
const suspensionTypes = 'int4 int4 timestamptz'.split(' ')
const waitTypes = 'int4 uuid int4 text int2 text timestamptz text text text timestamptz'.split(' ')

/**
 * The parts that the commit statement has in addition when a commit of its batch opens waits or suspends its execution. They need the
 * statement's rows `leased`, and have parameters from `$from` on. A batch without such commits uses a statement without these parts, so
 * they cost other executions nothing.
 */
export function suspensionParts(from: number) {
  return {
    /** Joins the suspensions to the commits. */
    join: `left join ${unnest(from, suspensionTypes)} as wanted (commit, wakes, at) on wanted.commit = it.nth`,
    wanted: `,
      wanted.commit is not null as wants_suspension, wanted.wakes as wanted_wakes, wanted.at as wanted_at`,
    /** Refused when a wait was closed that the worker has not seen, or the execution is to be cancelled. */
    columns: `
      , coalesce(given.wanted_wakes = execution.wakes and execution.cancel is null, false) as suspended`,
    /** Changes of the row of the execution. */
    assignments: `
      suspended_at = case when leased.suspended then leased.wanted_at else execution.suspended_at end,
      work_attempts = case when leased.suspended then 0 else execution.work_attempts end,`,
    /** Stores the waits. */
    waits: `
  waits as (
    insert into engine_waits (
      id, execution_id, item, step_id, number, account_id, kind, wake_at, event_name, correlation_key, request, created_at
    )
    select it.id, leased.id, it.item, it.step_id, it.number, leased.account_id, it.kind, it.wake_at, it.event_name,
      it.correlation_key, it.request, it.created_at
    from ${unnest(from + suspensionTypes.length, waitTypes)} as it (
      commit, id, item, step_id, number, kind, wake_at, event_name, correlation_key, request, created_at
    )
    join leased on leased.nth = it.commit
    on conflict do nothing
  ),`,
  } as const
}

/** Whether a commit needs the parts above. */
export function needsSuspensionParts({ waits, suspension }: Commit): boolean {
  return suspension !== undefined || (waits !== undefined && waits.length > 0)
}

/** The parameters of the parts above. */
export function suspensionColumns(commits: readonly Commit[]): ArrayParameter[] {
  const suspensions = commits.flatMap(({ suspension }, index) =>
    suspension === undefined ? [] : [{ ...suspension, commit: index + 1 }],
  )
  const waits = commits.flatMap(({ waits: opened = [] }, index) =>
    opened.map((wait) => ({ ...wait, commit: index + 1 })),
  )
  return [
    integers(suspensions.map(({ commit }) => commit)),
    integers(suspensions.map(({ wakes }) => wakes)),
    timestamps(suspensions.map(({ at }) => at)),
    integers(waits.map(({ commit }) => commit)),
    uuids(waits.map(({ id }) => id)),
    integers(waits.map(({ item }) => item)),
    texts(waits.map(({ stepId }) => stepId)),
    smallIntegers(waits.map(({ number }) => number)),
    texts(waits.map(({ kind }) => kind)),
    timestamps(waits.map(({ wakeAt }) => wakeAt)),
    texts(waits.map(({ eventName }) => eventName ?? null)),
    texts(waits.map(({ correlationKey }) => correlationKey ?? null)),
    texts(waits.map(({ request }) => storableJson(request))),
    timestamps(waits.map(({ createdAt }) => createdAt)),
  ]
}
