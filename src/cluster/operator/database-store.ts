import type { Database } from '#kernel/database'
import {
  maxNodeSettings,
  type NodeSetting,
  type OperatorStore,
  type StrategySetting,
} from './operator-store.ts'

const channel = 'cluster_changes'

const selectNodes = `
  select id, url, added, removed, weight, draining, runtime, changed_by as "changedBy", changed_at as "changedAt"
  from cluster_nodes order by changed_at, id
`

const selectStrategy = `
  select strategy, changed_by as "changedBy", changed_at as "changedAt" from cluster_strategy
`

/** Absent fields keep their value, so that two operators can change one node at once. */
const saveNode = `
  with saved as (
    insert into cluster_nodes as node (id, url, added, removed, weight, draining, changed_by, runtime)
    values ($1, $2, coalesce($3::boolean, false), coalesce($4::boolean, false), $5, coalesce($6::boolean, false), $7, $10)
    on conflict (id) do update set
      url = excluded.url,
      added = coalesce($3::boolean, node.added),
      removed = coalesce($4::boolean, node.removed),
      weight = case when $8::boolean then excluded.weight else node.weight end,
      draining = coalesce($6::boolean, node.draining),
      runtime = case when $11::boolean then excluded.runtime else node.runtime end,
      changed_by = excluded.changed_by,
      changed_at = now()
    returning id
  )
  select pg_notify($9, '') from saved
`

const dropOldest = `
  delete from cluster_nodes where id in (
    select id from cluster_nodes where not added order by changed_at desc, id offset $1
  )
`

const forgetNode = `
  with forgotten as (delete from cluster_nodes where id = $1 returning id)
  select pg_notify($2, '') from forgotten
`

const saveStrategy = `
  with saved as (
    insert into cluster_strategy (strategy, changed_by) values ($1, $2)
    on conflict (single) do update
    set strategy = excluded.strategy, changed_by = excluded.changed_by, changed_at = now()
    returning strategy
  )
  select pg_notify($3, '') from saved
`

/** Keeps the settings in the platform's database, where all its processes share them. */
export function createDatabaseStore(database: Pick<Database, 'query' | 'listen'>): OperatorStore {
  return {
    async read() {
      const [nodes, [strategy]] = await Promise.all([
        database.query<NodeSetting>(selectNodes),
        database.query<StrategySetting>(selectStrategy),
      ])
      return { nodes, strategy }
    },
    async saveNode({ id, url, added, removed, weight, draining, runtime }, by) {
      const [hasWeight, hasRuntime] = [weight !== undefined, runtime !== undefined]
      const values = [id, url, added, removed, weight, draining, by, hasWeight, channel, runtime, hasRuntime]
      await database.query(
        saveNode,
        values.map((value) => value ?? null),
      )
      await database.query(dropOldest, [maxNodeSettings])
    },
    async forgetNode(id) {
      await database.query(forgetNode, [id, channel])
    },
    async saveStrategy(strategy, by) {
      await database.query(saveStrategy, [strategy, by, channel])
    },
    follow: (onChange) => database.listen(channel, onChange, onChange),
  }
}
