import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { ChoiceList } from '../../parts/ChoiceList.tsx'
import type { Submission } from '../../parts/use-submission.ts'
import type { WebhookDraft } from './webhook-draft.ts'
import { eventsOf } from './webhook-events.ts'
import type { WebhookApi } from './webhook-search.ts'

interface WebhookFieldsProps {
  /** One that is new is begun with its address; of one that is there, its state is read first. */
  readonly isNew?: boolean
  readonly kind: WebhookApi
  readonly draft: WebhookDraft
  readonly onChange: (draft: WebhookDraft) => void
  readonly problemOf: Submission['problemOf']
}

/** The names the fields have in the request, for what the platform says about them. */
export function fieldsOf(kind: WebhookApi): readonly string[] {
  const fields = ['url', 'events', 'retry_config.max_attempts', 'retry_config.timeout']
  if (kind === 'orchestra') return fields
  return [
    ...['url', 'events', 'filters.flow_ids', 'filters.min_cost', 'retry_policy.max_attempts'].map(
      (field) => `webhook_config.${field}`,
    ),
    'webhook_config.retry_policy.timeout',
  ]
}

const priorities = [
  { name: 'low', title: 'Low' },
  { name: 'normal', title: 'Normal' },
  { name: 'high', title: 'High' },
  { name: 'urgent', title: 'Urgent' },
]

/** Where to send what, and how often to try. */
export function WebhookFields({ kind, draft, onChange, problemOf, isNew = false }: WebhookFieldsProps) {
  const change = (part: Partial<WebhookDraft>) => onChange({ ...draft, ...part })
  const field = (name: string) => (kind === 'orchestra' ? name : `webhook_config.${name}`)
  const retries = kind === 'orchestra' ? 'retry_config' : 'retry_policy'
  return (
    <>
      <TextInput
        data-autofocus={isNew || undefined}
        label="Address"
        description="Where events are sent: http or https. It is asked to prove that it wants them."
        placeholder="https://receiver.example/hooks/tutti"
        inputMode="url"
        value={draft.url}
        onChange={({ currentTarget }) => change({ url: currentTarget.value })}
        error={problemOf(field('url'))}
      />
      <ChoiceList
        label="Events"
        choices={eventsOf[kind]}
        chosen={draft.events}
        onChange={(events) => change({ events })}
        error={problemOf(field('events'))}
      />
      {kind === 'orchestra' ? null : <Filters draft={draft} change={change} problemOf={problemOf} />}
      <TextInput
        label="Tries"
        description="How often a delivery is tried altogether. Empty: ten times, over three days."
        inputMode="numeric"
        value={draft.attempts}
        onChange={({ currentTarget }) => change({ attempts: currentTarget.value })}
        error={problemOf(field(`${retries}.max_attempts`))}
      />
      <TextInput
        label="Patience"
        description="How many seconds the receiver may take to answer. Empty: ten."
        inputMode="numeric"
        value={draft.timeout}
        onChange={({ currentTarget }) => change({ timeout: currentTarget.value })}
        error={problemOf(field(`${retries}.timeout`))}
      />
      {kind === 'orchestra' ? null : <Contents draft={draft} change={change} />}
    </>
  )
}

interface PartProps {
  readonly draft: WebhookDraft
  readonly change: (part: Partial<WebhookDraft>) => void
}

function Filters({ draft, change, problemOf }: PartProps & Pick<WebhookFieldsProps, 'problemOf'>) {
  return (
    <>
      <Textarea
        label="Only of these flows"
        description="Their ids, one on each line. Empty: of all flows."
        autosize
        minRows={1}
        value={draft.flowIds}
        onChange={({ currentTarget }) => change({ flowIds: currentTarget.value })}
        error={problemOf('webhook_config.filters.flow_ids')}
      />
      <TextInput
        label="Only from this cost on"
        description="In dollars, what an execution has cost so far. Empty: whatever it costs."
        inputMode="decimal"
        value={draft.minCost}
        onChange={({ currentTarget }) => change({ minCost: currentTarget.value })}
        error={problemOf('webhook_config.filters.min_cost')}
      />
      <ChoiceList
        label="Only of these priorities"
        description="None chosen: of all."
        choices={priorities}
        chosen={draft.priorities}
        onChange={(chosen) => change({ priorities: chosen })}
      />
    </>
  )
}

function Contents({ draft, change }: PartProps) {
  return (
    <>
      <Checkbox
        size="xs"
        label="Send what the execution was given"
        checked={draft.fullContext}
        onChange={({ currentTarget }) => change({ fullContext: currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label="Send what its steps have made so far"
        checked={draft.intermediateResults}
        onChange={({ currentTarget }) => change({ intermediateResults: currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label="Compress deliveries (gzip)"
        checked={draft.compresses}
        onChange={({ currentTarget }) => change({ compresses: currentTarget.checked })}
      />
    </>
  )
}
