import { randomBytes } from 'node:crypto'
import type { Engine } from '#engine'
import { invalidField } from '#executions-api'
import type { Database } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import { kernelFailure } from '#kernel/errors'
import type { Events } from '#kernel/events'
import { runStatement } from '#kernel/work'
import { triggersFailure } from './errors.ts'
import { endEventTypes, isEndEvent, logPermission } from './events/event-types.ts'
import { findTemplateProblems } from './mapping.ts'
import { secretPurpose } from './receive-request.ts'
import type { TriggerBody } from './routes/schemas.ts'
import {
  createToken,
  deleteTrigger,
  hashToken,
  insertTrigger,
  readTrigger,
  replaceCredential,
  type TriggerFields,
  updateTrigger,
} from './store.ts'
import type { Trigger, TriggerSettings } from './trigger.ts'
import { choosesSecret, type Verification } from './verification/senders.ts'

/** The types of trigger events for the audit log. */
export const triggerEventTypes = [
  'triggers.created',
  'triggers.changed',
  'triggers.rotated',
  'triggers.deleted',
] as const

/** The account that changes a trigger, and where from. */
export interface Actor {
  readonly by: string | null
  readonly ip: string
  readonly user_agent: string | null
  readonly permissions: ReadonlySet<string>
}

/** A saved trigger with what is shown only once. */
export interface SavedTrigger {
  readonly trigger: Trigger
  /** Of a new URL. */
  readonly token: string | null
  /** A generated secret. */
  readonly secret: string | null
}

/** Tells all processes the account whose triggers have changed. */
export const changedChannel = 'triggers_changed'

/** Creates, changes and deletes triggers. Each change leaves an event for the audit log. */
export interface TriggerManager {
  /** Throws `invalid_input`, `flow_not_found`, `permission_denied`, `too_many_triggers` and `secret_missing`. */
  create(
    given: TriggerBody,
    options: { readonly id: string; readonly accountId: string; readonly actor: Actor },
  ): Promise<SavedTrigger>
  /** Replaces all fields; URL and secret stay unless the request has a new secret. Throws as `create`, and `trigger_not_found`. */
  change(trigger: Trigger, given: TriggerBody, actor: Actor): Promise<SavedTrigger>
  /** Replaces the URL or the secret. Throws `invalid_input` where there is none, or the sender has to give it. */
  rotate(
    trigger: Trigger,
    wanted: { readonly part: 'url' | 'secret'; readonly secret?: string | undefined },
    actor: Actor,
  ): Promise<SavedTrigger>
  /** Throws `trigger_not_found`. */
  remove(trigger: Trigger, actor: Actor): Promise<void>
}

export interface ManagerOptions {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly encryption: Pick<Encryption, 'encrypt'>
  readonly events: Pick<Events, 'appendWithin'>
  readonly engine: Pick<Engine, 'flows'>
  /** The types of the event log that triggers may follow, besides the ends of executions. */
  readonly eventTypes: readonly string[]
}

export function createTriggerManager(options: ManagerOptions): TriggerManager {
  const { database, encryption, events, engine, eventTypes } = options

  /** Checks a request as a whole. */
  async function check(given: TriggerBody, { permissions }: Actor, hasSecret = false): Promise<void> {
    const { kind, verification, filter, input = {}, delivery_id, response, signal } = given
    const problems = findTemplateProblems(kind, { input, filter, delivery_id, response, signal })
    const [first] = problems
    if (first !== undefined) {
      throw kernelFailure('invalid_input', { message: `${first.path} ${first.message}.`, problems })
    }
    if (kind === 'webhook') checkWebhook(given)
    else checkEvents(given, permissions)
    if (verification !== undefined) checkVerification(verification, hasSecret)
    const flowId = checkAction(given)
    if (flowId !== undefined) await engine.flows.read(flowId, given.flow_version)
  }

  function checkEvents(given: TriggerBody, permissions: ReadonlySet<string>): void {
    if (given.events === undefined) throw invalid('events', 'is required for an event trigger', 'required')
    for (const name of ['verification', 'respond', 'response', 'delivery_id'] as const) {
      if (given[name] !== undefined) throw invalid(name, 'belongs to webhooks', 'not_allowed')
    }
    const known = [...endEventTypes, ...eventTypes]
    for (const [index, type] of given.events.entries()) {
      if (!known.includes(type)) {
        throw invalid(`events[${index}]`, `is none of the known types: ${known.join(', ')}`, 'value')
      }
      if (!isEndEvent(type) && !permissions.has(logPermission)) {
        throw kernelFailure('permission_denied', {
          message: `You need the permission "${logPermission}" for events such as ${type}.`,
          details: { permission: [logPermission] },
        })
      }
    }
  }

  async function encrypt(id: string, secret: string | null): Promise<string | null> {
    return secret === null ? null : await encryption.encrypt(secret, { purpose: secretPurpose, place: id })
  }

  async function requireStored(id: string): Promise<Trigger> {
    const trigger = await readTrigger(database, id)
    if (trigger === undefined) throw triggersFailure('trigger_not_found')
    return trigger
  }

  async function announce(
    transaction: Parameters<Events['appendWithin']>[0],
    type: (typeof triggerEventTypes)[number],
    { id, accountId, kind, flowId }: Pick<Trigger, 'id' | 'accountId' | 'kind' | 'flowId'>,
    { by, ip, user_agent }: Actor,
    more: Readonly<Record<string, string>> = {},
  ) {
    const data = { kind, flow_id: flowId, ...more, by, ip, user_agent }
    await runStatement(transaction, 'select pg_notify($1, $2)', [changedChannel, accountId])
    await events.appendWithin(transaction, { type, subject: id, account: accountId, data })
  }

  return {
    async create(given, { id, accountId, actor }) {
      await check(given, actor)
      const token = given.kind === 'webhook' ? createToken() : null
      const { secret, isGenerated } = secretFor(given.verification)
      const fields = fieldsOf(given, await encrypt(id, secret))
      await database.transaction(async (transaction) => {
        await insertTrigger(transaction, {
          ...fields,
          id,
          accountId,
          kind: given.kind,
          tokenHash: token === null ? null : hashToken(token),
          createdBy: actor.by,
        })
        const created = { id, accountId, kind: given.kind, flowId: given.flow_id ?? null }
        await announce(transaction, 'triggers.created', created, actor)
      })
      return { trigger: await requireStored(id), token, secret: isGenerated ? secret : null }
    },

    async change(trigger, given, actor) {
      if (given.kind !== trigger.kind) throw invalid('kind', `of this trigger is ${trigger.kind}`, 'value')
      const { verification } = given
      const isSame = verification?.type === trigger.settings.verification?.type
      await check(given, actor, isSame)
      const { secret, isGenerated } =
        isSame && verification?.secret === undefined
          ? { secret: undefined, isGenerated: false }
          : secretFor(verification)
      const encrypted = secret === undefined ? trigger.secret : await encrypt(trigger.id, secret)
      const changed = await database.transaction(async (transaction) => {
        const row = await updateTrigger(transaction, trigger.id, fieldsOf(given, encrypted))
        if (row !== undefined) await announce(transaction, 'triggers.changed', row, actor)
        return row
      })
      if (changed === undefined) throw triggersFailure('trigger_not_found')
      return { trigger: changed, token: null, secret: isGenerated ? (secret ?? null) : null }
    },

    async rotate(trigger, { part, secret: given }, actor) {
      const { verification } = trigger.settings
      if (verification === undefined)
        throw invalid('part', 'does not apply to an event trigger', 'not_allowed')
      if (part === 'secret' && verification.type === 'none') {
        throw invalid('part', 'cannot be secret: this trigger verifies nothing', 'not_allowed')
      }
      const token = part === 'url' ? createToken() : null
      const { secret, isGenerated } =
        part === 'secret'
          ? secretFor({ ...verification, secret: given })
          : { secret: null, isGenerated: false }
      const encrypted = await encrypt(trigger.id, secret)
      await database.transaction(async (transaction) => {
        if (token !== null) await replaceCredential(transaction, trigger.id, { tokenHash: hashToken(token) })
        if (encrypted !== null) await replaceCredential(transaction, trigger.id, { secret: encrypted })
        await announce(transaction, 'triggers.rotated', trigger, actor, { part })
      })
      return { trigger: await requireStored(trigger.id), token, secret: isGenerated ? secret : null }
    },

    async remove(trigger, actor) {
      const removed = await database.transaction(async (transaction) => {
        if (!(await deleteTrigger(transaction, trigger.id))) return false
        await announce(transaction, 'triggers.deleted', trigger, actor)
        return true
      })
      if (!removed) throw triggersFailure('trigger_not_found')
    },
  }
}

type GivenVerification = NonNullable<TriggerBody['verification']>

function invalid(path: string, message: string, code: string) {
  return invalidField({ path, message, code })
}

function checkWebhook({ verification, events, respond, response }: TriggerBody): void {
  if (verification === undefined) {
    throw invalid(
      'verification',
      'is required for a webhook; choose the type none to accept everything',
      'required',
    )
  }
  if (events !== undefined) throw invalid('events', 'belongs to event triggers', 'not_allowed')
  if (response !== undefined && respond !== 'with_result') {
    throw invalid('response', 'needs respond: with_result', 'not_allowed')
  }
}

/** The flow to run; undefined for a trigger that sends an event. */
function checkAction(given: TriggerBody): string | undefined {
  const { flow_id: flowId, signal } = given
  if (signal === undefined) {
    if (flowId === undefined)
      throw invalid('flow_id', 'is required, unless the trigger has signal', 'required')
    return flowId
  }
  if (flowId !== undefined)
    throw invalid('signal', 'cannot be used with flow_id: a trigger runs a flow or sends an event', 'one_of')
  for (const name of ['flow_version', 'priority'] as const) {
    if (given[name] !== undefined) throw invalid(name, 'has no effect with signal', 'no_effect')
  }
  if (given.respond === 'with_result')
    throw invalid('respond', 'must be at_once with signal: an event has no result', 'not_allowed')
  return undefined
}

/** The fields that each type of verification has; the others have none. */
const fieldsOfType: Readonly<Record<string, readonly string[]>> = {
  none: [],
  header: ['header', 'secret'],
  hmac: ['header', 'secret', 'algorithm', 'encoding', 'prefix'],
}

/** `hasSecret`: the stored secret stays, so the request needs none. */
function checkVerification(verification: GivenVerification, hasSecret: boolean): void {
  const { type, header } = verification
  const allowed = fieldsOfType[type] ?? ['secret']
  for (const name of ['header', 'secret', 'algorithm', 'encoding', 'prefix'] as const) {
    if (verification[name] !== undefined && !allowed.includes(name)) {
      throw invalid(`verification.${name}`, `does not belong to the type ${type}`, 'not_allowed')
    }
  }
  if (allowed.includes('header') && header === undefined) {
    throw invalid('verification.header', `is required for the type ${type}`, 'required')
  }
  const needsSecret = type !== 'none' && !choosesSecret(verification) && !hasSecret
  if (needsSecret && verification.secret === undefined) {
    throw invalid('verification.secret', `is required: ${type} shows its signing secret`, 'required')
  }
}

/** The given secret, or a generated one where the platform chooses it. */
function secretFor(verification: (Verification & { readonly secret?: string | undefined }) | undefined): {
  readonly secret: string | null
  readonly isGenerated: boolean
} {
  if (verification === undefined || verification.type === 'none') return { secret: null, isGenerated: false }
  if (verification.secret !== undefined) return { secret: verification.secret, isGenerated: false }
  if (!choosesSecret(verification)) {
    throw invalid('secret', `is required: ${verification.type} shows its signing secret`, 'required')
  }
  const random = randomBytes(32)
  return {
    secret:
      verification.type === 'standard_webhooks'
        ? `whsec_${random.toString('base64')}`
        : random.toString('base64url'),
    isGenerated: true,
  }
}

function fieldsOf(given: TriggerBody, secret: string | null): TriggerFields {
  const { verification, respond, response, delivery_id, events, filter, signal, input = {} } = given
  const { secret: _, ...stored } = verification ?? { type: 'none' as const }
  const settings: TriggerSettings =
    given.kind === 'webhook'
      ? { input, filter, signal, verification: stored, respond: respond ?? 'at_once', response, delivery_id }
      : { input, filter, signal, events }
  return {
    label: given.label ?? null,
    flowId: given.flow_id ?? null,
    flowVersion: given.flow_version ?? null,
    enabled: given.enabled ?? true,
    settings,
    priority: given.priority ?? 'normal',
    secret,
  }
}
