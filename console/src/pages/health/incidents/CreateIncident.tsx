import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import type { Problem } from '../../../api/api-failure.ts'
import { ChoiceList } from '../../../parts/ChoiceList.tsx'
import { describeProblem } from '../../../parts/describe-problem.ts'
import { Form } from '../../../parts/Form.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { notify } from '../../../shell/notify.ts'
import { healthQuery, type NewIncident, type ServiceName, statusKey } from '../health-queries.ts'
import { describeService } from '../health-words.ts'
import { fromLocalField, impactChoices, toLocalField } from './incident-words.ts'

const words = {
  incident: {
    title: 'Open incident',
    placeholder: 'Slow model responses',
    message: 'What is known so far, for readers of the status page.',
    failure: 'The incident was not opened.',
    done: 'The incident is open',
  },
  maintenance: {
    title: 'Schedule maintenance',
    placeholder: 'Database migration',
    message: 'The planned work and its effect on users.',
    failure: 'The maintenance was not scheduled.',
    done: 'The maintenance is scheduled',
  },
}

interface CreateIncidentProps {
  readonly kind: 'incident' | 'maintenance'
  readonly onCreated: (id: string) => void
  readonly onClose: () => void
}

const hourMs = 3_600_000

/** The form of a new incident or maintenance. */
export default function CreateIncident({ kind, onCreated, onClose }: CreateIncidentProps) {
  const cache = useQueryClient()
  const [title, setTitle] = useState('')
  const [message, setMessage] = useState('')
  const [impact, setImpact] = useState<NewIncident['impact'] & string>(
    kind === 'incident' ? 'degraded' : 'maintenance',
  )
  const [services, setServices] = useState<readonly ServiceName[]>([])
  const [startsAt, setStartsAt] = useState(() => toLocalField(new Date(Date.now() + hourMs)))
  const [endsAt, setEndsAt] = useState(() => toLocalField(new Date(Date.now() + 2 * hourMs)))
  const submission = useSubmission({
    fields: [
      'title',
      'message',
      'impact',
      'services',
      ...(kind === 'maintenance' ? ['starts_at', 'ends_at'] : []),
    ],
    send: ({ client }) =>
      bodyOf(
        client.POST('/admin/llm/incidents', {
          body: {
            kind,
            title: title.trim(),
            message: message.trim(),
            impact,
            services: [...services],
            ...(kind === 'maintenance' ? planOf(startsAt, endsAt) : {}),
          },
        }),
      ),
    async onDone({ id }) {
      await cache.invalidateQueries({ queryKey: [...statusKey, 'incidents'] })
      onCreated(id)
      await notify({ title: words[kind].done })
    },
  })
  const { problemOf } = submission
  return (
    <SideDrawer title={words[kind].title} onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel={words[kind].title}
        failureSentence={words[kind].failure}
        onCancel={onClose}
      >
        <TextInput
          data-autofocus
          label="Title"
          description="One line, shown on the status page."
          placeholder={words[kind].placeholder}
          autoComplete="off"
          value={title}
          onChange={(change) => setTitle(change.currentTarget.value)}
          error={problemOf('title')}
        />
        <Textarea
          label="Message"
          description={words[kind].message}
          rows={4}
          value={message}
          onChange={(change) => setMessage(change.currentTarget.value)}
          error={problemOf('message')}
        />
        {kind === 'maintenance' ? (
          <>
            <TextInput
              type="datetime-local"
              label="Start"
              description="In your local time."
              value={startsAt}
              onChange={(change) => setStartsAt(change.currentTarget.value)}
              error={problemOf('starts_at')}
            />
            <TextInput
              type="datetime-local"
              label="End"
              value={endsAt}
              onChange={(change) => setEndsAt(change.currentTarget.value)}
              error={problemOf('ends_at', describeEndProblem)}
            />
          </>
        ) : null}
        <NativeSelect
          label="Impact"
          data={impactChoices[kind]}
          value={impact}
          onChange={(change) => {
            const chosen = impactChoices[kind].find(({ value }) => value === change.currentTarget.value)
            if (chosen !== undefined) setImpact(chosen.value)
          }}
          error={problemOf('impact')}
        />
        <ServiceChoice chosen={services} onChange={setServices} error={problemOf('services')} />
      </Form>
    </SideDrawer>
  )
}

/** The planned time for the request. An empty or incomplete field is left out: the server reports it as missing. */
function planOf(startsAt: string, endsAt: string): Pick<NewIncident, 'starts_at' | 'ends_at'> {
  const starts_at = fromLocalField(startsAt)
  const ends_at = fromLocalField(endsAt)
  return {
    ...(starts_at === undefined ? {} : { starts_at }),
    ...(ends_at === undefined ? {} : { ends_at }),
  }
}

/** Replaces the API's name of the start field in the message by its label. */
function describeEndProblem({ message }: Problem): string {
  return describeProblem({ message: message.replaceAll('starts_at', 'the start') })
}

interface ServiceChoiceProps {
  readonly chosen: readonly ServiceName[]
  readonly onChange: (chosen: readonly ServiceName[]) => void
  readonly error: string | undefined
}

/** The choice of affected services. */
function ServiceChoice({ chosen, onChange, error }: ServiceChoiceProps) {
  const { data: health } = useQuery(healthQuery(useApi()))
  const names = health?.services.map(({ name }) => name) ?? []
  return (
    <ChoiceList
      label="Services"
      description="Affected services (optional)."
      choices={names.map((name) => ({ name, title: describeService(name) }))}
      chosen={chosen}
      onChange={(wanted) => onChange(names.filter((name) => wanted.includes(name)))}
      error={error}
    />
  )
}
