import { randomUUID } from 'node:crypto'
import { kernelFailure } from '#kernel/errors'
import { type Executor, runStatement } from '#kernel/work'
import type { SecretKeeper } from '../signing/secret-keeper.ts'
import { describeUnfitSecret, generateSecret } from '../signing/secrets.ts'
import { type Api, type Format, plainFormat, type RetryPolicy } from '../webhook.ts'

/** An address that was named with a piece of work, and hears of that alone. Nobody verifies it. */
export interface NewCallback {
  readonly api: Api
  readonly accountId: string
  readonly url: string
  readonly subject: string
  readonly events: readonly string[]
  /** Default: a new one, which the answer tells. */
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

/** From here on, what is published about the subject with one of these names is also sent to this address. */
export async function openCallback(
  executor: Executor,
  secrets: SecretKeeper,
  { api, accountId, url, subject, events, secret = generateSecret(), retryPolicy = {}, format }: NewCallback,
): Promise<OpenedCallback> {
  const problem = describeUnfitSecret(secret)
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
    await secrets.seal(id, secret),
  ])
  return { id, secret }
}

/** The callbacks of a subject hear nothing more, also not what was on its way. */
export async function closeCallbacks(executor: Executor, subject: string): Promise<void> {
  await runStatement(executor, `delete from webhooks where kind = 'callback' and subject = $1`, [subject])
}
