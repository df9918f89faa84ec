import { DatabaseError } from 'pg'
import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { announceListener } from '../publishing/listeners.ts'
import type { Api, Webhook, WebhookConfig } from '../webhook.ts'

const columns = `
  id, api, account_id as "accountId", url, events, filters, retry_policy as "retryPolicy", format, status,
  disabled_reason as "disabledReason", disabled_at as "disabledAt", verification_expires_at as "verificationExpiresAt",
  verified_at as "verifiedAt", failing_since as "failingSince",
  case when previous_secret_until > now() then previous_secret_until end as "previousSecretUntil",
  created_at as "createdAt", updated_at as "updatedAt"
`

/** Whose subscriptions, and of which interface: nobody sees any other. */
export interface Owner {
  readonly accountId: string
  readonly api: Api
}

export interface Verification {
  readonly hash: string
  readonly lifetimeMs: number
}

interface NewWebhook extends Owner {
  readonly id: string
  readonly config: WebhookConfig
  readonly sealedSecret: string
  readonly verification: Verification
}

/** Answers nothing when the account has as many as it may. */
export async function insertWebhook(
  executor: Executor,
  { id, api, accountId, config, sealedSecret, verification }: NewWebhook,
  mostOfAccount: number,
): Promise<Webhook | undefined> {
  const [row] = await runStatement<Webhook>(
    executor,
    `
      insert into webhooks (
        id, kind, api, account_id, url, events, filters, retry_policy, format, secret, status,
        verification_hash, verification_expires_at
      )
      select $1, 'subscription', $2, $3, $4, $5, $6, $7, $8, $9, 'pending_verification',
        $10, now() + $11 * interval '1 millisecond'
      where (select count(*) from webhooks where account_id = $3 and kind = 'subscription') < $12
      returning ${columns}
    `,
    [
      id,
      api,
      accountId,
      ...configValues(config),
      sealedSecret,
      verification.hash,
      verification.lifetimeMs,
      mostOfAccount,
    ],
  )
  return row
}

function configValues({ url, events, filters, retryPolicy, format }: WebhookConfig): unknown[] {
  return [url, events, JSON.stringify(filters), JSON.stringify(retryPolicy), JSON.stringify(format)]
}

const isOwned = `id = $1 and account_id = $2 and api = $3 and kind = 'subscription'`

const ownedValues = (id: string, { accountId, api }: Owner) => [id, accountId, api]

export async function readWebhook(
  database: Pick<Database, 'query'>,
  id: string,
  owner: Owner,
): Promise<Webhook | undefined> {
  const [row] = await database.query<Webhook>(
    `select ${columns} from webhooks where ${isOwned}`,
    ownedValues(id, owner),
  )
  return row
}

/** The webhook and its sealed secret, which nobody else changes until the transaction ends. */
export async function lockWebhook(
  executor: Executor,
  id: string,
  owner: Owner,
): Promise<(Webhook & { readonly sealedSecret: string }) | undefined> {
  const [row] = await runStatement<Webhook & { sealedSecret: string }>(
    executor,
    `select ${columns}, secret as "sealedSecret" from webhooks where ${isOwned} for no key update`,
    ownedValues(id, owner),
  )
  return row
}

/** The oldest first, so that one that is added meanwhile moves none to another page. */
export async function listWebhooks(
  database: Pick<Database, 'query'>,
  { accountId, api }: Owner,
  { status, limit, offset }: ListOptions,
): Promise<{ readonly webhooks: Webhook[]; readonly total: number }> {
  const isMeant = `kind = 'subscription' and account_id = $1 and api = $2 and ($3::text is null or status = $3)`
  const values = [accountId, api, status ?? null]
  const [webhooks, [counted]] = await Promise.all([
    database.query<Webhook>(
      `select ${columns} from webhooks where ${isMeant} order by created_at, id limit $4 offset $5`,
      [...values, limit, offset],
    ),
    database.query<{ total: number }>(
      `select count(*)::integer as total from webhooks where ${isMeant}`,
      values,
    ),
  ])
  return { webhooks, total: counted?.total ?? 0 }
}

export interface ListOptions {
  readonly status?: string | undefined
  readonly limit: number
  readonly offset: number
}

/** `status` is one of those an owner can cause. */
export async function updateWebhook(
  executor: Executor,
  id: string,
  config: WebhookConfig,
  status: 'same' | 'active' | 'disabled' | 'pending_verification',
): Promise<void> {
  await runStatement(
    executor,
    `
      with changed as (
        update webhooks set url = $2, events = $3, filters = $4, retry_policy = $5, format = $6, updated_at = now(),
          status = case when $7 = 'same' then status else $7 end,
          disabled_reason = case $7 when 'same' then disabled_reason when 'disabled' then coalesce(disabled_reason, 'owner') end,
          disabled_at = case $7 when 'same' then disabled_at when 'disabled' then coalesce(disabled_at, now()) end,
          failing_since = case when $7 in ('active', 'pending_verification') then null else failing_since end,
          verified_at = case when $7 = 'pending_verification' then null else verified_at end
        where id = $1
        returning account_id, status
      )
      select ${announceListener('account_id')} from changed where status = 'active'
    `,
    [id, ...configValues(config), status],
  )
}

export async function storeVerification(
  executor: Executor,
  id: string,
  { hash, lifetimeMs }: Verification,
): Promise<void> {
  await runStatement(
    executor,
    `
      update webhooks
      set verification_hash = $2, verification_expires_at = now() + $3 * interval '1 millisecond'
      where id = $1
    `,
    [id, hash, lifetimeMs],
  )
}

/** The secret before is good for as long as it takes to change it everywhere. */
export async function replaceSecret(
  executor: Executor,
  id: string,
  sealedSecret: string,
  overlapMs: number,
): Promise<void> {
  await runStatement(
    executor,
    `
      update webhooks
      set secret = $2, previous_secret = secret, previous_secret_until = now() + $3 * interval '1 millisecond',
        updated_at = now()
      where id = $1
    `,
    [id, sealedSecret, overlapMs],
  )
}

export async function deleteWebhook(
  database: Pick<Database, 'query'>,
  id: string,
  owner: Owner,
): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      const rows = await database.query(
        `delete from webhooks where ${isOwned} returning id`,
        ownedValues(id, owner),
      )
      return rows.length > 0
    } catch (error) {
      if (!isDeadlock(error) || tries === mostTries) throw error
    }
  }
}

const mostTries = 5

/** A delivery under way holds rows that go with the webhook, and wants the webhook itself: PostgreSQL then ends one of the two. */
function isDeadlock(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '40P01'
}
