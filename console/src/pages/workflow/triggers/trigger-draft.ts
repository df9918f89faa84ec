import type { Trigger, TriggerBody } from './trigger-queries.ts'

/** The fields of the form of a trigger, as they are typed. */
export interface TriggerDraft {
  readonly kind: TriggerBody['kind']
  readonly label: string
  readonly sender: NonNullable<TriggerBody['verification']>['type']
  readonly header: string
  readonly secret: string
  /** One type of event per line. */
  readonly events: string
  /** The parsed templates of the input. */
  readonly input: Record<string, unknown>
  readonly respond: NonNullable<TriggerBody['respond']>
}

/** The request that creates the trigger. Empty fields are left out, so that their defaults apply. */
export function bodyOfTrigger(flow: string, draft: TriggerDraft): TriggerBody {
  const { kind, label, input } = draft
  const shared = { kind, flow_id: flow, input, ...(label.trim() === '' ? {} : { label: label.trim() }) }
  if (kind === 'event') return { ...shared, events: linesOf(draft.events) }
  const { sender, header, secret, respond } = draft
  const hasHeader = (sender === 'header' || sender === 'hmac') && header.trim() !== ''
  return {
    ...shared,
    respond,
    verification: {
      type: sender,
      ...(hasHeader ? { header: header.trim() } : {}),
      ...(sender === 'none' || secret.trim() === '' ? {} : { secret: secret.trim() }),
    },
  }
}

/** The form of a stored trigger. Its secret is not readable; an empty one keeps it. */
export function draftOf({ kind, label, verification, events, input, respond }: Trigger): TriggerDraft {
  const { type = 'none', header = '' } = (verification ?? {}) as Partial<Verification>
  return {
    kind,
    label: label ?? '',
    sender: type,
    header,
    secret: '',
    events: (events ?? []).join('\n'),
    input,
    respond: respond === 'with_result' ? respond : 'at_once',
  }
}

type Verification = NonNullable<TriggerBody['verification']>

/** The request that changes the trigger. Fields that the form does not have stay as they are. */
export function bodyOfChange(trigger: Trigger, draft: TriggerDraft): TriggerBody {
  const { label: _, ...kept } = bodyAsIs(trigger)
  const wanted = bodyOfTrigger(trigger.flow_id ?? '', draft)
  const { verification, respond } = wanted
  const isSameSender = verification !== undefined && verification.type === kept.verification?.type
  const { response, ...others } = kept
  return {
    ...others,
    ...(response === undefined || respond !== 'with_result' ? {} : { response }),
    ...wanted,
    ...(isSameSender ? { verification: { ...kept.verification, ...verification } } : {}),
  }
}

/** The request that saves a trigger as it is: a change replaces all fields, and URL and secret stay. */
export function bodyAsIs(trigger: Trigger): TriggerBody {
  const { kind, enabled, priority, input } = trigger
  const { label, flow_id, flow_version, filter, signal, verification } = trigger
  const { delivery_id, respond, response, events } = trigger
  const optional = { label, flow_id, flow_version, filter, signal, verification }
  const given = Object.entries({ ...optional, delivery_id, respond, response, events })
  return {
    kind,
    enabled,
    priority,
    input,
    ...(Object.fromEntries(given.filter(([, value]) => value !== null)) as Partial<TriggerBody>),
  }
}

function linesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((line) => line !== ''))]
}
