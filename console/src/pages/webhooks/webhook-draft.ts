import type { Webhook } from './webhook-calls.ts'
import type { WebhookApi } from './webhook-search.ts'

/** The form state of a webhook: texts as typed, empty for the default. */
export interface WebhookDraft {
  readonly name: string
  readonly url: string
  readonly events: readonly string[]
  readonly flowIds: string
  readonly minCost: string
  readonly priorities: readonly string[]
  readonly attempts: string
  readonly timeout: string
  readonly fullContext: boolean
  readonly intermediateResults: boolean
  readonly compresses: boolean
}

export const emptyDraft: WebhookDraft = {
  name: '',
  url: '',
  events: [],
  flowIds: '',
  minCost: '',
  priorities: [],
  attempts: '',
  timeout: '',
  fullContext: false,
  intermediateResults: false,
  compresses: false,
}

/** The form state of an existing webhook. */
export function draftOf(webhook: Webhook): WebhookDraft {
  const { filters = {}, format = {} } = webhook
  const retries = retriesOf(webhook)
  return {
    name: webhook.name ?? '',
    url: webhook.webhook_url,
    events: webhook.events_subscribed,
    flowIds: textsIn(filters['flow_ids']).join('\n'),
    minCost: numberText(filters['min_cost']),
    priorities: textsIn(filters['priority']),
    attempts: numberText(retries['max_attempts']),
    timeout: numberText(retries['timeout']),
    fullContext: format['include_full_context'] === true,
    intermediateResults: format['include_intermediate_results'] === true,
    compresses: format['compression'] === 'gzip',
  }
}

/** The retry settings, under the field name of either API. */
function retriesOf({ retry_policy: policy, retry_config: config }: Kept): Readonly<Record<string, unknown>> {
  return policy ?? config ?? {}
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
}

function numberText(value: unknown): string {
  return typeof value === 'number' ? String(value) : ''
}

/** Settings the form does not show: saving must keep them. */
type Kept = Pick<Webhook, 'retry_policy' | 'retry_config' | 'format'>

/** The request body that saves the webhook, with the field names of its API. */
export function bodyOfDraft(kind: WebhookApi, draft: WebhookDraft, kept?: Kept): Record<string, unknown> {
  const { max_attempts: _attempts, timeout: _timeout, ...otherRetries } = retriesOf(kept ?? {})
  const retries = {
    ...otherRetries,
    ...numberNamed('max_attempts', draft.attempts),
    ...numberNamed('timeout', draft.timeout),
  }
  const name = draft.name.trim()
  const common = { ...(name === '' ? {} : { name }), url: draft.url.trim(), events: draft.events }
  if (kind === 'orchestra') return { ...common, retry_config: retries }
  const flowIds = draft.flowIds
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return {
    webhook_config: {
      ...common,
      filters: {
        ...(flowIds.length === 0 ? {} : { flow_ids: flowIds }),
        ...numberNamed('min_cost', draft.minCost),
        ...(draft.priorities.length === 0 ? {} : { priority: draft.priorities }),
      },
      retry_policy: retries,
      format: {
        ...kept?.format,
        include_full_context: draft.fullContext,
        include_intermediate_results: draft.intermediateResults,
        compression: draft.compresses ? 'gzip' : 'none',
      },
    },
  }
}

/** An invalid number is sent as typed: the server reports the problem. */
function numberNamed(name: string, text: string): Record<string, unknown> {
  const typed = text.trim()
  if (typed === '') return {}
  return { [name]: Number.isNaN(Number(typed)) ? typed : Number(typed) }
}
