import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { accountOf, expeditePartition, partitions } from '../delivery/partitions.ts'
import { webhooksFailure } from '../errors.ts'
import { announceListener } from '../publishing/listeners.ts'
import { type Api, verificationEvent } from '../webhook.ts'
import type { Verification } from './store.ts'

const tokenBytes = 32
const lifetimeMs = 24 * 3_600_000

/** Creates the token with which an owner verifies a webhook; only its hash is stored. */
export function newVerification(): Verification & { readonly token: string } {
  const token = randomBytes(tokenBytes).toString('base64url')
  return { token, hash: hashOf(token), lifetimeMs }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Replaces a pending challenge, so that the receiver gets only the newest one. */
const challengeStatement = `
  with dropped as (
    delete from webhook_deliveries where webhook_id = $1 and subject = $2 and state = 'pending'
  ),
  added as (
    insert into webhook_deliveries (webhook_id, subject, event, occurred_at, content)
    values ($1, $2, $2, now(), $3)
  )
  insert into webhook_lanes as partition (webhook_id, subject, account_id) values ($1, $2, ${accountOf('$1')}) ${expeditePartition}
`

/** Queues a challenge that the receiver must return in its response. */
export async function sendChallenge(executor: Executor, webhookId: string): Promise<void> {
  const challenge = randomBytes(tokenBytes).toString('base64url')
  await runStatement(executor, challengeStatement, [
    webhookId,
    verificationEvent,
    JSON.stringify({ challenge }),
  ])
  await partitions.wake(executor)
}

/** Activates a webhook by its token alone, without a sign-in. Throws `verification_invalid` or `verification_expired`. */
export async function verifyByToken(
  database: Pick<Database, 'query'>,
  { id, api, token }: { readonly id: string; readonly api: Api; readonly token: string },
): Promise<void> {
  const [row] = await database.query<{ verified: boolean }>(
    `
      with found as (
        select id, verification_expires_at > now() as verified from webhooks
        where id = $1 and api = $2 and kind = 'subscription' and status = 'pending_verification'
          and verification_hash = $3
      ),
      changed as (
        update webhooks
        set status = 'active', verified_at = now(), updated_at = now(), failing_since = null,
          verification_hash = null, verification_expires_at = null
        from found
        where webhooks.id = found.id and found.verified and webhooks.status = 'pending_verification'
        returning account_id
      )
      select verified, (select ${announceListener('account_id')} from changed) from found
    `,
    [id, api, hashOf(token)],
  )
  if (row === undefined) throw webhooksFailure('verification_invalid')
  if (!row.verified) throw webhooksFailure('verification_expired')
}
