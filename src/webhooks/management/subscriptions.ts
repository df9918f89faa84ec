import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'
import { webhooksFailure } from '../errors.ts'
import type { SecretEncryption } from '../signing/secret-encryption.ts'
import { describeInvalidSecret, generateSecret } from '../signing/secrets.ts'
import type { Api, Webhook, WebhookConfig, WebhookWithResult } from '../webhook.ts'
import {
  deleteWebhook,
  insertWebhook,
  isUuid,
  type ListOptions,
  listWebhooks,
  lockWebhook,
  type Owner,
  readWebhook,
  replaceSecret,
  storeVerification,
  updateWebhook,
} from './store.ts'
import { newVerification, sendChallenge, verifyByToken } from './verification.ts'

/** A webhook with its verification token, which is shown only once. */
export interface WithToken {
  readonly webhook: Webhook
  /** Part of the verification URL; null when no verification is needed. */
  readonly token: string | null
}

interface WebhookChange {
  readonly config: WebhookConfig
  /** Undefined keeps the current value. */
  readonly active?: boolean | undefined
  /** A different secret replaces the current one as `rotate` does. */
  readonly secret?: string | undefined
}

/** Lets owners manage their webhooks. Every method with an id throws `webhook_not_found` for a webhook of another account or API. */
export interface Subscriptions {
  create(
    owner: Owner,
    options: {
      readonly config: WebhookConfig
      readonly secret?: string | undefined
      readonly active?: boolean | undefined
    },
  ): Promise<WithToken & { readonly secret: string }>
  read(owner: Owner, id: string): Promise<WebhookWithResult>
  list(
    owner: Owner,
    options: ListOptions,
  ): Promise<{ readonly webhooks: WebhookWithResult[]; readonly total: number }>
  /** Replaces the whole configuration. A new URL must be verified first. */
  change(owner: Owner, id: string, change: WebhookChange): Promise<WithToken>
  remove(owner: Owner, id: string): Promise<void>
  /** Creates a new token and sends another challenge to the URL. Throws `webhook_is_verified` or `webhook_not_active`. */
  verifyAgain(owner: Owner, id: string): Promise<WithToken>
  /** Activates a webhook by its token. Throws `verification_invalid` or `verification_expired`. */
  verify(proof: { readonly id: string; readonly api: Api; readonly token: string }): Promise<void>
  /** Sets a new secret; the previous one stays valid for a day. */
  rotate(
    owner: Owner,
    id: string,
    secret?: string,
  ): Promise<{ readonly webhook: Webhook; readonly secret: string }>
}

export interface SubscriptionsOptions {
  readonly database: Database
  readonly outbound: Outbound
  readonly secrets: SecretEncryption
}

const maxPerAccount = 100
const overlapMs = 24 * 3_600_000

export function createSubscriptions({ database, outbound, secrets }: SubscriptionsOptions): Subscriptions {
  async function read(owner: Owner, id: string): Promise<WebhookWithResult> {
    const webhook = isUuid(id) ? await readWebhook(database, id, owner) : undefined
    return webhook ?? notFound(id)
  }

  /** Runs `work` with the webhook locked, then reads the webhook again. */
  async function withLocked<Result>(
    owner: Owner,
    id: string,
    work: (
      transaction: Transaction<NoTables>,
      before: Webhook & { readonly encryptedSecret: string },
    ) => Promise<Result>,
  ): Promise<{ readonly webhook: Webhook; readonly result: Result }> {
    if (!isUuid(id)) return notFound(id)
    const result = await database.transaction(async (transaction) => {
      const before = (await lockWebhook(transaction, id, owner)) ?? notFound(id)
      return await work(transaction, before)
    })
    return { webhook: await read(owner, id), result }
  }

  return {
    read,
    list: (owner, options) => listWebhooks(database, owner, options),

    async create(owner, { config, secret = generateSecret(), active = true }) {
      requireValidSecret(secret)
      const url = await checkUrl(outbound, owner.accountId, config.url)
      const id = randomUUID()
      const verification = newVerification()
      const encryptedSecret = await secrets.encrypt(id, secret)
      const values = { ...owner, id, config: { ...config, url }, encryptedSecret, verification }
      const webhook = await database.transaction(async (transaction) => {
        const inserted = await insertWebhook(transaction, values, maxPerAccount)
        if (inserted === undefined) {
          throw webhooksFailure('too_many_webhooks', {
            message: `An account can have at most ${maxPerAccount} webhooks. Delete one that is no longer needed.`,
          })
        }
        if (active) await sendChallenge(transaction, id)
        else await updateWebhook(transaction, id, values.config, 'disabled')
        return inserted
      })
      return { webhook: active ? webhook : await read(owner, id), token: verification.token, secret }
    },

    async change(owner, id, { config, active, secret }) {
      if (secret !== undefined) requireValidSecret(secret)
      const url = await checkUrl(outbound, owner.accountId, config.url)
      const { webhook, result } = await withLocked(owner, id, async (transaction, before) => {
        const status = nextStatus(before, { url, active })
        await updateWebhook(transaction, id, { ...config, url }, status)
        if (secret !== undefined && secret !== (await decryptSecret(secrets, before)))
          await replaceSecret(transaction, id, await secrets.encrypt(id, secret), overlapMs)
        return status === 'pending_verification' ? await startVerification(transaction, id) : null
      })
      return { webhook, token: result }
    },

    async remove(owner, id) {
      if (!isUuid(id) || !(await deleteWebhook(database, id, owner))) notFound(id)
    },

    async verifyAgain(owner, id) {
      const { webhook, result } = await withLocked(owner, id, async (transaction, { status }) => {
        if (status === 'active') throw webhooksFailure('webhook_is_verified')
        if (status === 'disabled') {
          throw webhooksFailure('webhook_not_active', {
            message: 'The webhook is disabled. Enable it first, with `active: true`.',
          })
        }
        return await startVerification(transaction, id)
      })
      return { webhook, token: result }
    },

    async verify(proof) {
      if (!isUuid(proof.id)) throw webhooksFailure('verification_invalid')
      await verifyByToken(database, proof)
    },

    async rotate(owner, id, secret = generateSecret()) {
      requireValidSecret(secret)
      const { webhook } = await withLocked(owner, id, async (transaction) =>
        replaceSecret(transaction, id, await secrets.encrypt(id, secret), overlapMs),
      )
      return { webhook, secret }
    },
  }
}

async function startVerification(transaction: Transaction<NoTables>, id: string): Promise<string> {
  const verification = newVerification()
  await storeVerification(transaction, id, verification)
  await sendChallenge(transaction, id)
  return verification.token
}

/** See the state table above `createWebhookHealth`. Enabling a webhook that was never verified starts its verification. */
function nextStatus(
  before: Webhook,
  { url, active }: { readonly url: string; readonly active: boolean | undefined },
) {
  const isDisabled = active === undefined ? before.status === 'disabled' : !active
  const isVerified = before.verifiedAt !== null && before.url === url
  if (isDisabled) return 'disabled'
  if (!isVerified)
    return before.status === 'pending_verification' && before.url === url ? 'same' : 'pending_verification'
  return 'active'
}

async function decryptSecret(
  secrets: SecretEncryption,
  { id, encryptedSecret }: { readonly id: string; readonly encryptedSecret: string },
): Promise<string | undefined> {
  try {
    return (await secrets.decrypt({ webhookId: id, secret: encryptedSecret, previousSecret: null })).current
  } catch (error) {
    // A secret that can no longer be decrypted counts as different from the new one.
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** Reasons of the outbound guard for a text that is not a valid URL, regardless of its host. */
const malformed: ReadonlySet<unknown> = new Set(['malformed', 'scheme', 'credentials'])

/** Every problem with the URL is reported as the caller's error, also a host name that does not resolve. */
async function checkUrl(outbound: Outbound, account: string, url: string): Promise<string> {
  try {
    return await outbound.checkUrl(url, { account })
  } catch (error) {
    if (!(error instanceof Failure) || !error.code.startsWith('outbound_')) throw error
    if (malformed.has(error.details['reason'])) throw malformedUrl()
    const problem = { path: 'url', message: error.message, code: 'url' }
    throw webhooksFailure('webhook_url_refused', {
      message: error.message,
      details: error.details,
      problems: [problem],
    })
  }
}

function malformedUrl() {
  const message =
    'must be a complete http or https URL without credentials, such as https://example.com/hooks'
  return kernelFailure('invalid_input', {
    message: `url ${message}.`,
    problems: [{ path: 'url', message, code: 'url' }],
  })
}

function requireValidSecret(secret: string): void {
  const problem = describeInvalidSecret(secret)
  if (problem === undefined) return
  throw kernelFailure('invalid_input', { message: `The secret ${problem.message}.`, problems: [problem] })
}

function notFound(id: string): never {
  throw webhooksFailure('webhook_not_found', { details: { webhook_id: id } })
}
