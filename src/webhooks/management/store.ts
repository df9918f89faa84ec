import { type Database, retryConflicts } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { announceListener } from '../publishing/listeners.ts'
import type { Api, Webhook, WebhookConfig, WebhookWithResult } from '../webhook.ts'

const columns = `
  id, api, account_id as "accountId", name, url, events, filters, retry_policy as "retryPolicy", format, status,
  disabled_reason as "disabledReason", disabled_at as "disabledAt", verification_expires_at as "verificationExpiresAt",
  verified_at as "verifiedAt", failing_since as "failingSince",
  case when previous_secret_until > now() then previous_secret_until end as "previousSecretUntil",
  created_at as "createdAt", updated_at as "updatedAt"
`

/** The deliveries among which the last attempt is searched: a receiver that is behind can have any number of pending ones. */
const recentDeliveries = 50

const lastDelivery = `
  (
    select json_build_object(
      'id', id, 'event', event, 'state', state, 'status', (answer ->> 'status')::integer,
      'attemptedAt', floor(extract(epoch from attempted_at))::bigint, 'error', error ->> 'message'
    )
    from (
      select id, event, state, answer, attempted_at, error from webhook_deliveries
      where webhook_id = webhooks.id
      order by sequence desc
      limit ${recentDeliveries}
    ) as recent
    where attempted_at is not null
    order by attempted_at desc
    limit 1
  ) as "lastDelivery"
`

/** The account and the API of a subscription: it is visible to no other account and in no other API. */
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
  readonly encryptedSecret: string
  readonly verification: Verification
}

/** Undefined when the account has `maxPerAccount` subscriptions already. */
export async function insertWebhook(
  executor: Executor,
  { id, api, accountId, config, encryptedSecret, verification }: NewWebhook,
  maxPerAccount: number,
): Promise<Webhook | undefined> {
  const [row] = await runStatement<Webhook>(
    executor,
    `
      insert into webhooks (
        id, kind, api, account_id, name, url, events, filters, retry_policy, format, secret, status,
        verification_hash, verification_expires_at
      )
      select $1, 'subscription', $2, $3, $4, $5, $6, $7, $8, $9, $10, 'pending_verification',
        $11, now() + $12 * interval '1 millisecond'
      where (select count(*) from webhooks where account_id = $3 and kind = 'subscription') < $13
      returning ${columns}
    `,
    [
      id,
      api,
      accountId,
      ...configValues(config),
      encryptedSecret,
      verification.hash,
      verification.lifetimeMs,
      maxPerAccount,
    ],
  )
  return row
}

function configValues({ name, url, events, filters, retryPolicy, format }: WebhookConfig): unknown[] {
  return [name, url, events, JSON.stringify(filters), JSON.stringify(retryPolicy), JSON.stringify(format)]
}

const isOwned = `id = $1 and account_id = $2 and api = $3 and kind = 'subscription'`

const ownedValues = (id: string, { accountId, api }: Owner) => [id, accountId, api]

export async function readWebhook(
  database: Pick<Database, 'query'>,
  id: string,
  owner: Owner,
): Promise<WebhookWithResult | undefined> {
  const [row] = await database.query<WebhookWithResult>(
    `select ${columns}, ${lastDelivery} from webhooks where ${isOwned}`,
    ownedValues(id, owner),
  )
  return row
}

/** Reads the webhook with its encrypted secret and locks the row until the transaction ends. */
export async function lockWebhook(
  executor: Executor,
  id: string,
  owner: Owner,
): Promise<(Webhook & { readonly encryptedSecret: string }) | undefined> {
  const [row] = await runStatement<Webhook & { encryptedSecret: string }>(
    executor,
    `select ${columns}, secret as "encryptedSecret" from webhooks where ${isOwned} for no key update`,
    ownedValues(id, owner),
  )
  return row
}

/** Lists the oldest first, so that new webhooks do not shift the pages. */
export async function listWebhooks(
  database: Pick<Database, 'query'>,
  { accountId, api }: Owner,
  { status, limit, offset }: ListOptions,
): Promise<{ readonly webhooks: WebhookWithResult[]; readonly total: number }> {
  const isMatch = `kind = 'subscription' and account_id = $1 and api = $2 and ($3::text is null or status = $3)`
  const values = [accountId, api, status ?? null]
  const [webhooks, [counted]] = await Promise.all([
    database.query<WebhookWithResult>(
      `select ${columns}, ${lastDelivery} from webhooks where ${isMatch} order by created_at, id limit $4 offset $5`,
      [...values, limit, offset],
    ),
    database.query<{ total: number }>(
      `select count(*)::integer as total from webhooks where ${isMatch}`,
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

/** `status` is limited to the changes an owner can cause. */
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
        update webhooks set name = $2, url = $3, events = $4, filters = $5, retry_policy = $6, format = $7, updated_at = now(),
          status = case when $8 = 'same' then status else $8 end,
          disabled_reason = case $8 when 'same' then disabled_reason when 'disabled' then coalesce(disabled_reason, 'owner') end,
          disabled_at = case $8 when 'same' then disabled_at when 'disabled' then coalesce(disabled_at, now()) end,
          failing_since = case when $8 in ('active', 'pending_verification') then null else failing_since end,
          verified_at = case when $8 = 'pending_verification' then null else verified_at end
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

/** Keeps the previous secret valid for `overlapMs`, the time to deploy the new one to receivers. */
export async function replaceSecret(
  executor: Executor,
  id: string,
  encryptedSecret: string,
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
    [id, encryptedSecret, overlapMs],
  )
}

/** A delivery in progress locks rows that are deleted with the webhook, and then the webhook: one of the two is ended and retried. */
export async function deleteWebhook(
  database: Pick<Database, 'query'>,
  id: string,
  owner: Owner,
): Promise<boolean> {
  const rows = await retryConflicts(() =>
    database.query(`delete from webhooks where ${isOwned} returning id`, ownedValues(id, owner)),
  )
  return rows.length > 0
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether PostgreSQL accepts the text as a uuid: comparing a column with any other text is an error. */
export function isUuid(text: string): boolean {
  return uuid.test(text)
}
