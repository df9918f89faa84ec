import { type Executor, runStatement } from '#kernel/work'
import {
  containerOfScope,
  endRow,
  idOfPath,
  indexOfScope,
  isContainerRow,
  openRow,
  scopeOfPath,
} from '../definition/nested-steps.ts'
import type { ContainerRef } from '../execution/batch-items.ts'
import { numbersOf, type UnreadScopes } from '../execution/open-container.ts'
import type { Graph } from '../graph/graph.ts'
import type { StepOutcome } from './commit.ts'
import { type OutcomeRow, readRow } from './read-outcomes.ts'

/** Rows inside containers by their place, from the index `engine_steps_by_scope`. */
const placedAt = (place: string) => `position('/' in step_id) > 0 and engine_scope_of(step_id) = ${place}`

/** The ends of the scopes of a container, from the index `engine_steps_by_scope`. */
const isEndIn = (container: string) => `${placedAt(container)} and right(step_id, 5) = '/${endRow}'`

/** The ends of scopes of a container with more are not read before it ends, unless it needs them. Of few, it takes no further statement to read them. */
const maxReadEnds = 100

/**
 * The containers of a scope that have no outcome. `offset 0` keeps the planner from turning the lookups of single rows into joins, here and
 * below: of a table without statistics it would read all rows of an execution.
 */
const openContainers = `
  select left(opened.step_id, -length('${openRow}')) as path, (opened.details::json ->> 'total')::integer as total,
    opened.details::json -> 'results_at_end' is not null and (opened.details::json ->> 'total')::integer > ${maxReadEnds} as is_unread
  from engine_steps as opened
  where execution_id = $1 and item = open.item and ${placedAt('open.path')} and right(step_id, 6) = '/${openRow}'
    and not exists (
      select from engine_steps
      where execution_id = $1 and item = open.item and step_id = left(opened.step_id, -length('/${openRow}'))
      offset 0
    )
  offset 0
`

/**
 * Scopes open in the order of their numbers, so an open one has a number below those of ended and open ones together. More than so many are
 * never open at a time.
 */
const maxOpenScopes = 1000

/**
 * A `container` itself, and those of its scopes that have outcomes and no end. What a worker has to know of ended scopes that it does not
 * read is in `ended`: the lengths of their outputs are known without reading them.
 */
const openIn = `
  with ends as materialized (
    select split_part(substr(step_id, length(container.path) + 1), '/', 1)::integer as number, seq, finished_at, spent, error,
      case when container.is_unread then coalesce(engine_output_bytes(output), 4) end as bytes
    from engine_steps
    where execution_id = $1 and item = open.item and ${isEndIn('container.path')}
  ),
  ranges as (
    select min(number) as first, max(number) as last
    from (select number, number - row_number() over (order by number) as range from ends) as numbered
    group by range
  ),
  failed as (
    select json_build_object('index', number, 'error', error::json) as scope from ends where error is not null order by seq limit 1
  ),
  unread as (
    select json_build_object(
      'bytes', sum(bytes), 'spent', coalesce(sum(spent), 0), 'lastSeq', max(seq), 'lastAt', max(finished_at),
      'ranges', (select json_agg(json_build_array(first, last) order by first) from ranges),
      'failed', (select scope from failed)
    ) as ended
    from ends having count(*) > 0
  ),
  without_end as (
    select generate_series(last + 1, next - 1) as number
    from (
      select last, lead(first, 1, least(container.total, (select count(*) from ends)::integer + ${maxOpenScopes})) over (order by first) as next
      from (select -1 as first, -1 as last union all select first, last from ranges) as ended
    ) as gaps
  )
  select 'container' as kind, container.path, case when container.is_unread then (select ended from unread) end as ended
  union all
  select 'scope', container.path || number || '/', null from without_end
  where exists (
    select from engine_steps
    where execution_id = $1 and item = open.item and ${placedAt("container.path || number || '/'")}
    offset 0
  )
`

/** Whether the row is the end of a scope whose result only the next scope needed, which has ended, too. */
const isSuperseded = `
  (step.details -> 'only_last') is not null and exists (
    select from engine_steps as next
    where next.execution_id = $1 and next.item = step.item
      and next.step_id = regexp_replace(step.step_id, '[0-9]+/\\$end$', '')
        || substring(step.step_id from '([0-9]+)/\\$end$')::integer + 1 || '/$end'
    offset 0
  )
`

const columns = `
  step_id, item, seq, state, attempts, started_at, finished_at, choice, error, details, spent,
  case when not (${isSuperseded}) then output end as output, case when output_object is not null and not (${isSuperseded}) then output_object end as output_object
`

/**
 * From the flow itself to its open containers, their open scopes, the open containers inside these, and so on. Each row is looked up by an
 * index: what ended scopes and containers hold is not even seen.
 *
 * | part         | holds                                                                                   |
 * |--------------|-----------------------------------------------------------------------------------------|
 * | `items`      | the items of a batch that have outcomes; 0 without a batch                               |
 * | `open`       | both of the next ones, as they are found                                                 |
 * | `scopes`     | the flow itself, and the scopes with outcomes and without an end in open containers     |
 * | `containers` | the containers that are open in those scopes                                             |
 */
const statement = `
  with recursive
  items (item) as (
    (select item from engine_steps where execution_id = $1 order by item limit 1)
    union all
    select next.item from items
    cross join lateral (
      select item from engine_steps where execution_id = $1 and item > items.item order by item limit 1
    ) as next
  ),
  open (kind, item, path, ended) as (
    select 'scope', item, '', null::json from items
    union all
    select inside.kind, open.item, inside.path, inside.ended from open
    cross join lateral (${openContainers}) as container
    cross join lateral (${openIn}) as inside
    where open.kind = 'scope'
  ),
  scopes as (select item, path from open where kind = 'scope'),
  containers as (select item, path, ended from open where kind = 'container'),
  read as (
    select row.* from items
    cross join lateral (
      select ${columns} from engine_outcomes as step
      where execution_id = $1 and item = items.item and step_id = any($2::text[])
      offset 0
    ) as row
    union all
    select row.* from scopes
    cross join lateral (
      select ${columns} from engine_outcomes as step
      where execution_id = $1 and item = scopes.item and ${placedAt('scopes.path')} and right(step_id, 6) <> '/${openRow}'
      offset 0
    ) as row
    union all
    select row.* from containers
    cross join lateral (
      select ${columns} from engine_outcomes as step
      where execution_id = $1 and item = containers.item and step_id = containers.path || '${openRow}'
      offset 0
    ) as row
    union all
    select row.* from containers
    cross join lateral (
      select ${columns} from engine_outcomes as step
      where execution_id = $1 and item = containers.item and ${placedAt('containers.path')}
      offset 0
    ) as row
    where containers.ended is null
  )
  select read.*, containers.ended from read
  left join containers on containers.item = read.item and containers.path || '${openRow}' = read.step_id
  order by seq
`

/** The outcomes and scopes with which a worker resumes a flow with containers. */
export interface OpenOutcomes {
  readonly outcomes: readonly StepOutcome[]
  readonly unread: readonly UnreadScopes[]
}

/**
 * The outcomes with which a worker resumes a flow with containers, ordered by `seq`. Outputs in the object store are not read.
 *
 * | a container                                    | what is read of it                                                             |
 * |------------------------------------------------|--------------------------------------------------------------------------------|
 * | has ended                                      | its own outcome                                                                |
 * | is open                                        | its input, the ends of scopes, and the outcomes in the other scopes            |
 * | is open, and needs only the last result        | the same, without the results of the scopes before                             |
 * | is open with many scopes, whose results are    | its input, the outcomes in scopes without an end, and one row about all ended  |
 * | needed only at its end                         | scopes; `readEnds` reads their results when it ends                            |
 */
export async function readOpenOutcomes(
  executor: Executor,
  id: string,
  { steps }: Pick<Graph, 'steps'>,
): Promise<OpenOutcomes> {
  const rows = await runStatement<OpenRow>(executor, statement, [id, [...steps.keys()]])
  return {
    outcomes: rows.map((row) => {
      const { ended: _, ...outcome } = row
      return readRow(outcome)
    }),
    unread: rows.flatMap(({ ended, item, step_id: stepId }) =>
      ended === null
        ? []
        : [{ ...ended, item, container: scopeOfPath(stepId).slice(0, -1), lastAt: new Date(ended.lastAt) }],
    ),
  }
}

interface OpenRow extends OutcomeRow {
  /** In the row of the input of a container. */
  readonly ended: (Omit<UnreadScopes, 'item' | 'container' | 'lastAt'> & { readonly lastAt: string }) | null
}

const endsStatement = `
  select ${columns} from engine_outcomes as step
  where execution_id = $1 and item = $2 and ${isEndIn('$3')} order by seq
`

/** The ends of the scopes of a container, ordered by `seq`. Outputs in the object store are not read. */
export async function readEnds(
  executor: Executor,
  id: string,
  { item, container }: ContainerRef,
): Promise<StepOutcome[]> {
  const rows = await runStatement<OutcomeRow>(executor, endsStatement, [id, item, `${container}/`])
  return rows.map(readRow)
}

/** Scopes of an open container with consecutive numbers. */
export interface ScopeRange {
  readonly item: number
  /** `each/` for the scopes `each/3/` to `each/7/`. */
  readonly container: string
  readonly first: number
  readonly last: number
}

/** The scopes of open containers that have no end. A scope without outcomes may have a wait. */
export function findOpenScopes({ outcomes, unread }: OpenOutcomes): ScopeRange[] {
  const rows = outcomes.filter(({ stepId }) => isContainerRow(stepId))
  const ended = new Map<string, Set<number>>()
  for (const { item, stepId } of rows) {
    if (idOfPath(stepId) !== endRow) continue
    const scope = scopeOfPath(stepId)
    const name = `${item} ${containerOfScope(scope)}/`
    const numbers = ended.get(name) ?? new Set()
    ended.set(name, numbers.add(indexOfScope(scope)))
  }
  for (const scopes of unread) ended.set(`${scopes.item} ${scopes.container}/`, new Set(numbersOf(scopes)))
  return rows
    .filter(({ stepId }) => idOfPath(stepId) === openRow)
    .flatMap(({ item, stepId, details }) => {
      const container = scopeOfPath(stepId)
      const without = ended.get(`${item} ${container}`) ?? new Set()
      return rangesOf(Math.min(Number(details['total']), without.size + maxOpenScopes), without).map(
        (range) => ({ item, container, ...range }),
      )
    })
}

/** The numbers from 0 that are not left out, as ranges. */
function rangesOf(total: number, without: ReadonlySet<number>): Pick<ScopeRange, 'first' | 'last'>[] {
  const ranges: Pick<ScopeRange, 'first' | 'last'>[] = []
  let first = 0
  for (let number = 0; number <= total; number += 1) {
    if (number < total && !without.has(number)) continue
    if (first < number) ranges.push({ first, last: number - 1 })
    first = number + 1
  }
  return ranges
}
