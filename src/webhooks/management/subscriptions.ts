import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import { Failure, kernelFailure } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'
import { webhooksFailure } from '../errors.ts'
import type { SecretKeeper } from '../signing/secret-keeper.ts'
import { describeUnfitSecret, generateSecret } from '../signing/secrets.ts'
import type { Api, Webhook, WebhookConfig } from '../webhook.ts'
import {
  deleteWebhook,
  insertWebhook,
  type ListOptions,
  listWebhooks,
  lockWebhook,
  type Owner,
  readWebhook,
  replaceSecret,
  storeVerification,
  updateWebhook,
} from './store.ts'
import { isUuid } from './uuid.ts'
import { newVerification, sendChallenge, verifyByToken } from './verification.ts'

/** A webhook with what is told only now. */
export interface WithToken {
  readonly webhook: Webhook
  /** For the address by which its owner can verify it; null when it needs none. */
  readonly token: string | null
}

interface WebhookChange {
  readonly config: WebhookConfig
  /** Undefined leaves it as it is. */
  readonly active?: boolean | undefined
  /** Another one than now takes its place as `rotate` does. */
  readonly secret?: string | undefined
}

/** What owners do with their webhooks. Each throws `webhook_not_found` for one that is not theirs. */
export interface Subscriptions {
  create(
    owner: Owner,
    wish: {
      readonly config: WebhookConfig
      readonly secret?: string | undefined
      readonly active?: boolean | undefined
    },
  ): Promise<WithToken & { readonly secret: string }>
  read(owner: Owner, id: string): Promise<Webhook>
  list(owner: Owner, options: ListOptions): Promise<{ readonly webhooks: Webhook[]; readonly total: number }>
  /** Takes all of it anew. Another URL has to be verified first. */
  change(owner: Owner, id: string, change: WebhookChange): Promise<WithToken>
  remove(owner: Owner, id: string): Promise<void>
  /** A new token, and another challenge to the URL. */
  verifyAgain(owner: Owner, id: string): Promise<WithToken>
  verify(proof: { readonly id: string; readonly api: Api; readonly token: string }): Promise<void>
  /** A new secret; the one before is good for another day. */
  rotate(
    owner: Owner,
    id: string,
    secret?: string,
  ): Promise<{ readonly webhook: Webhook; readonly secret: string }>
}

export interface SubscriptionsOptions {
  readonly database: Database
  readonly outbound: Outbound
  readonly secrets: SecretKeeper
}

const mostOfAccount = 100
const overlapMs = 24 * 3_600_000

export function createSubscriptions({ database, outbound, secrets }: SubscriptionsOptions): Subscriptions {
  async function read(owner: Owner, id: string): Promise<Webhook> {
    const webhook = isUuid(id) ? await readWebhook(database, id, owner) : undefined
    return webhook ?? notFound(id)
  }

  /** Does something with a webhook that nobody else changes meanwhile, and answers it as it is then. */
  async function within<Result>(
    owner: Owner,
    id: string,
    work: (
      transaction: Transaction<NoTables>,
      before: Webhook & { readonly sealedSecret: string },
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
      requireFitSecret(secret)
      const url = await checkUrl(outbound, owner.accountId, config.url)
      const id = randomUUID()
      const verification = newVerification()
      const sealedSecret = await secrets.seal(id, secret)
      const wish = { ...owner, id, config: { ...config, url }, sealedSecret, verification }
      const webhook = await database.transaction(async (transaction) => {
        const made = await insertWebhook(transaction, wish, mostOfAccount)
        if (made === undefined) {
          throw webhooksFailure('too_many_webhooks', {
            message: `An account may have ${mostOfAccount} webhooks. Delete one that is no longer needed.`,
          })
        }
        if (active) await sendChallenge(transaction, id)
        else await updateWebhook(transaction, id, wish.config, 'disabled')
        return made
      })
      return { webhook: active ? webhook : await read(owner, id), token: verification.token, secret }
    },

    async change(owner, id, { config, active, secret }) {
      if (secret !== undefined) requireFitSecret(secret)
      const url = await checkUrl(outbound, owner.accountId, config.url)
      const { webhook, result } = await within(owner, id, async (transaction, before) => {
        const status = nextStatus(before, { url, active })
        await updateWebhook(transaction, id, { ...config, url }, status)
        if (secret !== undefined && secret !== (await openSecret(secrets, before)))
          await replaceSecret(transaction, id, await secrets.seal(id, secret), overlapMs)
        return status === 'pending_verification' ? await askToVerify(transaction, id) : null
      })
      return { webhook, token: result }
    },

    async remove(owner, id) {
      if (!isUuid(id) || !(await deleteWebhook(database, id, owner))) notFound(id)
    },

    async verifyAgain(owner, id) {
      const { webhook, result } = await within(owner, id, async (transaction, { status }) => {
        if (status === 'active') throw webhooksFailure('webhook_is_verified')
        if (status === 'disabled') {
          throw webhooksFailure('webhook_not_active', {
            message: 'The webhook is disabled. Enable it first, with `active: true`.',
          })
        }
        return await askToVerify(transaction, id)
      })
      return { webhook, token: result }
    },

    async verify(proof) {
      if (!isUuid(proof.id)) throw webhooksFailure('verification_invalid')
      await verifyByToken(database, proof)
    },

    async rotate(owner, id, secret = generateSecret()) {
      requireFitSecret(secret)
      const { webhook } = await within(owner, id, async (transaction) =>
        replaceSecret(transaction, id, await secrets.seal(id, secret), overlapMs),
      )
      return { webhook, secret }
    },
  }
}

async function askToVerify(transaction: Transaction<NoTables>, id: string): Promise<string> {
  const verification = newVerification()
  await storeVerification(transaction, id, verification)
  await sendChallenge(transaction, id)
  return verification.token
}

/** The table stands above `createWebhookHealth`. One that was never verified is not made active by being enabled. */
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

async function openSecret(
  secrets: SecretKeeper,
  { id, sealedSecret }: { readonly id: string; readonly sealedSecret: string },
): Promise<string | undefined> {
  try {
    return (await secrets.open({ webhookId: id, secret: sealedSecret, previousSecret: null })).current
  } catch (error) {
    // What cannot be read any more is replaced by whatever is given.
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** Reasons for which a text is no address at all, wherever it would lead. */
const malformed: ReadonlySet<unknown> = new Set(['malformed', 'scheme', 'credentials'])

/** Everything that is wrong with an address is the caller's to mend, also a name that nobody knows. */
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

function requireFitSecret(secret: string): void {
  const problem = describeUnfitSecret(secret)
  if (problem === undefined) return
  throw kernelFailure('invalid_input', { message: `The secret ${problem.message}.`, problems: [problem] })
}

function notFound(id: string): never {
  throw webhooksFailure('webhook_not_found', { details: { webhook_id: id } })
}
