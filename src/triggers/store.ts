import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { triggersFailure } from './errors.ts'
import type { DeliveryOutcome, Trigger, TriggerError, TriggerSettings } from './trigger.ts'

/** Triggers of an account. */
const maxTriggers = 200

/** Most triggers have no delayed events, and nothing is counted for them. */
const columns = `
  id, account_id as "accountId", label, kind, flow_id as "flowId", flow_version as "flowVersion", enabled, settings, priority, secret,
  last_at as "lastAt", last_outcome as "lastOutcome", last_error as "lastError", last_execution_id as "lastExecutionId",
  times_started as "timesStarted", times_signalled as "timesSignalled", times_ignored as "timesIgnored", times_refused as "timesRefused",
  case when delayed_until is null then 0 else (
    select count(*) from trigger_deliveries where trigger_id = triggers.id and outcome = 'delayed'
  ) end::integer as delayed, delayed_until as "delayedUntil", created_at as "createdAt", updated_at as "updatedAt"
`

/** A token that is part of a URL: 256 random bits. */
export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Only the hash is stored: the database does not reveal the URLs. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export interface NewTrigger extends TriggerFields {
  readonly id: string
  readonly accountId: string
  readonly kind: Trigger['kind']
  readonly tokenHash: Buffer | null
  readonly createdBy: string | null
}

export interface TriggerFields {
  readonly label: string | null
  readonly flowId: string | null
  readonly flowVersion: number | null
  readonly enabled: boolean
  readonly settings: TriggerSettings
  readonly priority: Trigger['priority']
  readonly secret: string | null
}

/** Throws `too_many_triggers`. */
export async function insertTrigger(transaction: Executor, trigger: NewTrigger): Promise<void> {
  const { id, accountId, settings } = trigger
  // Creations of one account wait for each other, so that they cannot exceed the limit together.
  await runStatement(transaction, `select pg_advisory_xact_lock(hashtextextended('triggers ' || $1, 0))`, [
    accountId,
  ])
  const [count] = await runStatement<{ count: number }>(
    transaction,
    'select count(*)::integer as count from triggers where account_id = $1 and id <> $2',
    [accountId, id],
  )
  if ((count?.count ?? 0) >= maxTriggers) {
    throw triggersFailure('too_many_triggers', { details: { limit: maxTriggers } })
  }
  await runStatement(
    transaction,
    `
      insert into triggers (
        id, account_id, label, kind, flow_id, flow_version, enabled, token_hash, settings, secret, priority, created_by
      )
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      -- The same request again after a crash: its first URL and secret were not returned.
      on conflict (id) do update set token_hash = excluded.token_hash, secret = excluded.secret
    `,
    [
      id,
      accountId,
      trigger.label,
      trigger.kind,
      trigger.flowId,
      trigger.flowVersion,
      trigger.enabled,
      trigger.tokenHash,
      JSON.stringify(settings),
      trigger.secret,
      trigger.priority,
      trigger.createdBy,
    ],
  )
}

/** Undefined: it was deleted. */
export async function updateTrigger(
  transaction: Executor,
  id: string,
  fields: TriggerFields,
): Promise<Trigger | undefined> {
  const [row] = await runStatement<Trigger>(
    transaction,
    `
      update triggers
      set label = $2, flow_id = $3, flow_version = $4, enabled = $5, settings = $6, secret = $7, priority = $8, updated_at = now()
      where id = $1
      returning ${columns}
    `,
    [
      id,
      fields.label,
      fields.flowId,
      fields.flowVersion,
      fields.enabled,
      JSON.stringify(fields.settings),
      fields.secret,
      fields.priority,
    ],
  )
  return row
}

/** Replaces the token of the URL, or the secret; the old one stops to work at once. */
export async function replaceCredential(
  transaction: Executor,
  id: string,
  credential: { readonly tokenHash: Buffer } | { readonly secret: string },
): Promise<void> {
  const [column, value] =
    'tokenHash' in credential ? ['token_hash', credential.tokenHash] : ['secret', credential.secret]
  await runStatement(transaction, `update triggers set ${column} = $2, updated_at = now() where id = $1`, [
    id,
    value,
  ])
}

export async function deleteTrigger(transaction: Executor, id: string): Promise<boolean> {
  const rows = await runStatement(transaction, 'delete from triggers where id = $1 returning 1', [id])
  return rows.length > 0
}

export async function readTrigger(
  database: Pick<Database, 'query'>,
  id: string,
): Promise<Trigger | undefined> {
  const [row] = await database.query<Trigger>(`select ${columns} from triggers where id = $1`, [id])
  return row
}

/** The enabled webhook with this URL. */
export async function findByToken(
  database: Pick<Database, 'query'>,
  token: string,
): Promise<Trigger | undefined> {
  const [row] = await database.query<Trigger>(
    `select ${columns} from triggers where token_hash = $1 and enabled`,
    [hashToken(token)],
    'triggers_find_by_token',
  )
  return row
}

export interface TriggerFilter {
  /** Null: of all accounts. */
  readonly accountId: string | null
  readonly flowId?: string | undefined
  readonly kind?: Trigger['kind'] | undefined
  readonly limit: number
  readonly offset: number
}

/** The oldest first. */
export async function listTriggers(
  database: Pick<Database, 'query'>,
  { accountId, flowId, kind, limit, offset }: TriggerFilter,
): Promise<{ readonly triggers: readonly Trigger[]; readonly total: number }> {
  const matches = `
    ($1::uuid is null or account_id = $1) and ($2::text is null or flow_id = $2) and ($3::text is null or kind = $3)
  `
  const filter = [accountId, flowId ?? null, kind ?? null]
  const [triggers, [count]] = await Promise.all([
    database.query<Trigger>(
      `select ${columns} from triggers where ${matches} order by created_at, id limit $4 offset $5`,
      [...filter, limit, offset],
    ),
    database.query<{ total: number }>(
      `select count(*)::integer as total from triggers where ${matches}`,
      filter,
    ),
  ])
  return { triggers, total: count?.total ?? 0 }
}

/** The event triggers of an account that are enabled, or have delayed events. */
export async function findEventTriggers(
  database: Pick<Database, 'query'>,
  accountId: string,
): Promise<readonly Trigger[]> {
  return await database.query<Trigger>(
    `
      select ${columns} from triggers
      where account_id = $1 and kind = 'event' and (enabled or delayed_until is not null)
      order by id
    `,
    [accountId],
  )
}

/** The types that enabled event triggers wait for. */
export async function findEventTypes(database: Pick<Database, 'query'>): Promise<readonly string[]> {
  const rows = await database.query<{ type: string }>(`
    select distinct type
    from triggers cross join lateral jsonb_array_elements_text(settings -> 'events') as type
    where kind = 'event' and enabled
  `)
  return rows.map(({ type }) => type)
}

/** Whether an account has an enabled trigger for the ends of its executions. */
export async function hasTriggersForEnds(
  database: Pick<Database, 'query'>,
  accountId: string,
  types: readonly string[],
): Promise<boolean> {
  const rows = await database.query(
    `
      select 1 from triggers
      where account_id = $1 and kind = 'event' and enabled and settings -> 'events' ?| $2::text[]
      limit 1
    `,
    [accountId, types],
  )
  return rows.length > 0
}

interface Recorded {
  readonly outcome: Exclude<DeliveryOutcome, 'received' | 'delayed'>
  readonly executionId?: string | null
  readonly error?: TriggerError | null
}

/** Records the last outcome of a trigger, and counts it. */
export async function recordOutcome(
  database: Pick<Database, 'query'>,
  id: string,
  { outcome, executionId = null, error = null }: Recorded,
): Promise<void> {
  await database.query(
    `
      update triggers
      set last_at = now(), last_outcome = $2, last_error = $4, last_execution_id = coalesce($3, last_execution_id),
        times_started = times_started + ($2 = 'started')::integer,
        times_signalled = times_signalled + ($2 = 'signalled')::integer,
        times_ignored = times_ignored + ($2 = 'ignored')::integer,
        times_refused = times_refused + ($2 = 'refused')::integer
      where id = $1
    `,
    [id, outcome, executionId, error === null ? null : JSON.stringify(error)],
    'triggers_record_outcome',
  )
}
