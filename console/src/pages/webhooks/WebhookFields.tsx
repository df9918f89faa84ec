import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { ChoiceList } from '../../parts/ChoiceList.tsx'
import type { Submission } from '../../parts/use-submission.ts'
import type { WebhookDraft } from './webhook-draft.ts'
import type { WebhookApi } from './webhook-search.ts'

interface WebhookFieldsProps {
  /** The form of a new webhook focuses the URL; that of an existing one does not, because its state is read first. */
  readonly isNew?: boolean
  readonly kind: WebhookApi
  readonly draft: WebhookDraft
  readonly onChange: (draft: WebhookDraft) => void
  readonly problemOf: Submission['problemOf']
}

/** The names of the fields in the request, to match the problems the server reports. */
export function fieldsOf(kind: WebhookApi): readonly string[] {
  const fields = ['name', 'url', 'events', 'retry_config.max_attempts', 'retry_config.timeout']
  if (kind === 'orchestra') return fields
  return [
    ...['name', 'url', 'events', 'filters.flow_ids', 'filters.min_cost', 'retry_policy.max_attempts'].map(
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

/** The fields of a webhook: URL, events, filters and retries. */
export function WebhookFields({ kind, draft, onChange, problemOf, isNew = false }: WebhookFieldsProps) {
  const change = (part: Partial<WebhookDraft>) => onChange({ ...draft, ...part })
  const field = (name: string) => (kind === 'orchestra' ? name : `webhook_config.${name}`)
  const retries = kind === 'orchestra' ? 'retry_config' : 'retry_policy'
  return (
    <>
      <TextInput
        data-autofocus={isNew || undefined}
        label="URL"
        description="Where events are sent (http or https). The receiver has to confirm it."
        placeholder="https://receiver.example/hooks/tutti"
        inputMode="url"
        value={draft.url}
        onChange={({ currentTarget }) => change({ url: currentTarget.value })}
        error={problemOf(field('url'))}
      />
      <TextInput
        label="Name"
        description="To tell webhooks apart in lists. Default: none."
        value={draft.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        error={problemOf(field('name'))}
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
        label="Max attempts"
        description="Attempts per delivery. Default: 10, over three days."
        inputMode="numeric"
        value={draft.attempts}
        onChange={({ currentTarget }) => change({ attempts: currentTarget.value })}
        error={problemOf(field(`${retries}.max_attempts`))}
      />
      <TextInput
        label="Timeout"
        description="Seconds to wait for a response. Default: 10."
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
        label="Workflows"
        description="Workflow IDs, one per line. Default: all workflows."
        autosize
        minRows={1}
        value={draft.flowIds}
        onChange={({ currentTarget }) => change({ flowIds: currentTarget.value })}
        error={problemOf('webhook_config.filters.flow_ids')}
      />
      <TextInput
        label="Minimum cost"
        description="Cost of an execution so far, in dollars. Default: any cost."
        inputMode="decimal"
        value={draft.minCost}
        onChange={({ currentTarget }) => change({ minCost: currentTarget.value })}
        error={problemOf('webhook_config.filters.min_cost')}
      />
      <ChoiceList
        label="Priorities"
        description="Default: all priorities."
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
        label="Include the input of the execution"
        checked={draft.fullContext}
        onChange={({ currentTarget }) => change({ fullContext: currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label="Include the output of its steps"
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

interface KnownEvent {
  readonly name: string
  readonly about: string
}

/** The event types of each API. */
const eventsOf: Readonly<Record<WebhookApi, readonly KnownEvent[]>> = {
  workflows: [
    { name: 'flow.execution.started', about: 'An execution started.' },
    { name: 'flow.execution.completed', about: 'An execution succeeded.' },
    { name: 'flow.execution.failed', about: 'An execution failed or was cancelled.' },
    { name: 'flow.step.completed', about: 'A step finished, successfully or not.' },
    { name: 'flow.human_task.opened', about: 'A person has to answer.' },
    { name: 'agent.decision.made', about: 'An agent chose the next step.' },
    { name: 'cost.threshold.exceeded', about: 'An execution reached its cost threshold.' },
    { name: 'performance.degradation.detected', about: 'A workflow takes much longer than usual.' },
  ],
  orchestra: [
    { name: 'workflow.completed', about: 'A workflow succeeded.' },
    { name: 'workflow.failed', about: 'A workflow failed or was cancelled.' },
    { name: 'agent.performance_alert', about: 'An agent performs much worse than usual.' },
    { name: 'system.cost_threshold', about: 'A cost reached its threshold.' },
  ],
}
