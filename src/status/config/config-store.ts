import { sql } from 'kysely'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { Events } from '#kernel/events'
import {
  type ConfigChange,
  changeConfig,
  defaultConfig,
  findConfigProblems,
  type StatusConfig,
} from './config.ts'

/** The configuration, and who last changed it. */
export interface KnownConfig {
  readonly config: StatusConfig
  /** Null while everything has its default. */
  readonly updatedAt: Date | null
  readonly updatedBy: string | null
}

/** Who asks for a change, as the event about it keeps it. */
interface ConfigAskedBy {
  readonly by: string | null
  readonly ip: string
  readonly user_agent: string | null
}

/** How services are watched, the same for all replicas. */
export interface ConfigStore {
  read(): Promise<KnownConfig>
  /** Throws `invalid_input` when the whole would contradict itself. */
  change(change: ConfigChange, asked: ConfigAskedBy): Promise<KnownConfig>
}

/** The event that tells of a change. */
export const configChanged = 'status.config_changed'

interface Row {
  /** What was set: never more than a later version knows to complete. */
  readonly settings: ConfigChange
  readonly updated_at: Date
  readonly updated_by: string | null
}

export function createConfigStore({
  database,
  events,
}: {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
}): ConfigStore {
  return {
    async read() {
      const [row] = await database.query<Row>('select settings, updated_at, updated_by from status_config')
      return knownOf(row)
    },

    change: (change, { by, ip, user_agent }) =>
      database.transaction(async (transaction) => {
        await sql`lock table status_config in share row exclusive mode`.execute(transaction)
        const before = await sql<Row>`select settings, updated_at, updated_by from status_config`.execute(
          transaction,
        )
        const config = changeConfig(knownOf(before.rows[0]).config, change)
        const problems = findConfigProblems(config)
        if (problems.length > 0) {
          throw kernelFailure('invalid_input', {
            message: `${problems.map(({ path, message }) => `${path} ${message}`).join('; ')}.`,
            problems: problems.map((problem) => ({ ...problem, code: 'invalid' })),
          })
        }
        const { rows } = await sql<Row>`
          insert into status_config (settings, updated_by) values (${JSON.stringify(config)}, ${by})
          on conflict (single) do update
          set settings = excluded.settings, updated_by = excluded.updated_by, updated_at = now()
          returning settings, updated_at, updated_by
        `.execute(transaction)
        await events.appendWithin(transaction, {
          type: configChanged,
          data: { by, ip, user_agent, changed: Object.keys(change) },
        })
        return knownOf(rows[0])
      }),
  }
}

function knownOf(row: Row | undefined): KnownConfig {
  return row === undefined
    ? { config: defaultConfig, updatedAt: null, updatedBy: null }
    : {
        config: changeConfig(defaultConfig, row.settings),
        updatedAt: row.updated_at,
        updatedBy: row.updated_by,
      }
}
