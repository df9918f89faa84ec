import { type RollUp, rollUps } from './roll-up.ts'

/**
 * Takes so many ends ($1) out of `engine_finished`, with their facts. In the same transaction they are added to everything that is kept: a
 * row counts once, or is still there.
 */
export const takeStatement = `
  with taken as (
    delete from engine_finished
    where ctid = any (array(select ctid from engine_finished limit $1 for update skip locked))
    returning execution_id, sign, facts
  )
  -- Looked up one by one: for so many, a join would rather read all executions there are.
  select sign, coalesce(facts, (select execution.facts from engine_executions as execution where execution.id = execution_id)) as facts
  from taken
`

/** What is null is left out by `least` and `greatest`. */
const addDurations = `,
      took = engine_add_counts(known.took, excluded.took),
      least_ms = least(known.least_ms, excluded.least_ms),
      most_ms = greatest(known.most_ms, excluded.most_ms)`

/** Adds rows to the tables of the roll-ups, a parameter for each. */
export const addStatement = `
  with ${rollUps.map((rollUp, index) => `added_${index} as (${addTo(rollUp, index + 1)})`).join(',')}
  select 1
`

function addTo({ table, keys, sums, fractions, took }: RollUp, parameter: number): string {
  const keyColumns = ['flow_id', 'grain', 'at', ...Object.keys(keys).filter((key) => key !== 'flow_id')]
  const sumColumns = Object.keys(sums)
  const columns = [
    ...keyColumns,
    ...sumColumns,
    ...(took === undefined ? [] : ['took', 'least_ms', 'most_ms']),
  ]
  const typeOf = (column: string) => {
    if (column === 'at') return 'timestamptz'
    if (column === 'account_id') return 'uuid'
    if (column === 'took') return 'integer[]'
    if (column === 'least_ms' || column === 'most_ms') return 'double precision'
    if (!sumColumns.includes(column)) return 'text'
    return fractions?.includes(column) === true ? 'double precision' : 'bigint'
  }
  return `
    insert into ${table} as known (${columns.join(', ')})
    select ${columns.join(', ')}
    from json_to_recordset($${parameter}::json) as it (${columns.map((column) => `${column} ${typeOf(column)}`).join(', ')})
    order by ${keyColumns.join(', ')}
    on conflict (${keyColumns.join(', ')}) do update set
      ${sumColumns.map((sum) => `${sum} = known.${sum} + excluded.${sum}`).join(', ')}
      ${took === undefined ? '' : addDurations}
  `
}
