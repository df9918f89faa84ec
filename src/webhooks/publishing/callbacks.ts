import { randomUUID } from 'node:crypto'
import { kernelFailure } from '#kernel/errors'
import { type Executor, runStatement } from '#kernel/work'
import type { SecretEncryption } from '../signing/secret-encryption.ts'
import { describeInvalidSecret, generateSecret } from '../signing/secrets.ts'
import { type Api, type Format, plainFormat, type RetryPolicy } from '../webhook.ts'

/** A URL given with one execution: it receives the events of that subject only and needs no verification. */
export interface NewCallback {
  readonly api: Api
  readonly accountId: string
  readonly url: string
  readonly subject: string
  readonly events: readonly string[]
  /** Default: a generated secret, which `OpenedCallback` contains. */
  readonly secret?: string
  readonly retryPolicy?: RetryPolicy
  readonly format?: Partial<Format>
}

export interface OpenedCallback {
  readonly id: string
  readonly secret: string
}

const insertStatement = `
  insert into webhooks (
    id, kind, api, account_id, url, subject, events, filters, retry_policy, format, secret, status, verified_at
  )
  values ($1, 'callback', $2, $3, $4, $5, $6, '{}', $7, $8, $9, 'active', now())
`

/** Sends events of the subject with one of the given names to the URL from now on. Throws `invalid_input` for an invalid secret. */
export async function openCallback(
  executor: Executor,
  secrets: SecretEncryption,
  { api, accountId, url, subject, events, secret = generateSecret(), retryPolicy = {}, format }: NewCallback,
): Promise<OpenedCallback> {
  const problem = describeInvalidSecret(secret)
  if (problem !== undefined) {
    throw kernelFailure('invalid_input', { message: `secret ${problem.message}.`, problems: [problem] })
  }
  const id = randomUUID()
  await runStatement(executor, insertStatement, [
    id,
    api,
    accountId,
    url,
    subject,
    events,
    JSON.stringify(retryPolicy),
    JSON.stringify({ ...plainFormat, ...format }),
    await secrets.encrypt(id, secret),
  ])
  return { id, secret }
}

/** Deletes the callbacks of a subject with their pending deliveries. */
export async function closeCallbacks(executor: Executor, subject: string): Promise<void> {
  await runStatement(executor, `delete from webhooks where kind = 'callback' and subject = $1`, [subject])
}
