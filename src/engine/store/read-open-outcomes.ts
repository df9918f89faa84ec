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
import type { Graph } from '../graph/graph.ts'
import type { StepOutcome } from './commit.ts'
import { type OutcomeRow, readRow } from './read-outcomes.ts'

/** Rows inside containers by their place, from the index `engine_steps_by_scope`. */
const placedAt = (place: string) => `position('/' in step_id) > 0 and engine_scope_of(step_id) = ${place}`

/**
 * The containers of a scope that have no outcome. `offset 0` keeps the planner from turning the lookups of single rows into joins, here and
 * below: of a table without statistics it would read all rows of an execution.
 */
const openContainers = `
  select left(opened.step_id, -length('${openRow}')) as path, (opened.details::json ->> 'total')::integer as total
  from engine_steps as opened
  where execution_id = $1 and item = scopes.item and ${placedAt('scopes.path')} and right(step_id, 6) = '/${openRow}'
    and not exists (
      select from engine_steps
      where execution_id = $1 and item = scopes.item and step_id = left(opened.step_id, -length('/${openRow}'))
      offset 0
    )
  offset 0
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
  scopes (item, path) as (
    select item, '' from items
    union all
    select scopes.item, inside.path from scopes
    cross join lateral (${openContainers}) as container
    cross join lateral (
      select container.path || number || '/' as path
      from (
        select generate_series(0, container.total - 1) as number
        except
        select substring(step_id from '([0-9]+)/\\$end$')::integer from engine_steps
        where execution_id = $1 and item = scopes.item and ${placedAt('container.path')} and right(step_id, 5) = '/${endRow}'
      ) as without_end
    ) as inside
    where exists (
      select from engine_steps where execution_id = $1 and item = scopes.item and ${placedAt('inside.path')} offset 0
    )
  ),
  containers (item, path) as (
    select scopes.item, container.path from scopes cross join lateral (${openContainers}) as container
  ),
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
  )
  select * from read order by seq
`

/**
 * The outcomes with which a worker resumes a flow with containers, ordered by `seq`. Of containers that have ended, only their own outcomes;
 * of open ones, their inputs, the ends of scopes, and the outcomes in the other scopes. Of a loop that needs only the result of its last
 * iteration, the other results are left out. Outputs in the object store are not read.
 */
export async function readOpenOutcomes(
  executor: Executor,
  id: string,
  { steps }: Pick<Graph, 'steps'>,
): Promise<StepOutcome[]> {
  const rows = await runStatement<OutcomeRow>(executor, statement, [id, [...steps.keys()]])
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

/** The scopes of open containers that have no end, from the outcomes of `readOpenOutcomes`. A scope without outcomes may have a wait. */
export function findOpenScopes(outcomes: readonly StepOutcome[]): ScopeRange[] {
  const rows = outcomes.filter(({ stepId }) => isContainerRow(stepId))
  const ended = new Map<string, Set<number>>()
  for (const { item, stepId } of rows) {
    if (idOfPath(stepId) !== endRow) continue
    const scope = scopeOfPath(stepId)
    const name = `${item} ${containerOfScope(scope)}/`
    const numbers = ended.get(name) ?? new Set()
    ended.set(name, numbers.add(indexOfScope(scope)))
  }
  return rows
    .filter(({ stepId }) => idOfPath(stepId) === openRow)
    .flatMap(({ item, stepId, details }) => {
      const container = scopeOfPath(stepId)
      const without = ended.get(`${item} ${container}`) ?? new Set()
      return rangesOf(Number(details['total']), without).map((range) => ({ item, container, ...range }))
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
