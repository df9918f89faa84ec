import { NativeSelect, Textarea } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../../api/api.ts'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { Form } from '../../../parts/Form.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { notify } from '../../../shell/notify.ts'
import type { Incident } from '../status-bodies.ts'
import { impactChoices, incidentStateChoices } from './incident-words.ts'

interface PostUpdateProps {
  readonly incident: Incident
  readonly onPosted: (incident: Incident) => void
}

/** Says how it goes on. What is closed can be added to, but stays as it is. */
export function PostUpdate({ incident, onPosted }: PostUpdateProps) {
  const [message, setMessage] = useState('')
  // Until somebody chooses, both stay what they are, also when the prober changes them meanwhile.
  const [chosenState, setState] = useState<string>()
  const [chosenImpact, setImpact] = useState<string>()
  const state = chosenState ?? incident.state
  const impact = chosenImpact ?? incident.impact
  const isOpen = incident.closed_at === null
  const hasState = isOpen && incident.kind === 'incident'
  const submission = useSubmission({
    fields: ['message', ...(hasState ? ['state'] : []), ...(isOpen ? ['impact'] : [])],
    send: ({ client }) =>
      bodyOf(
        client.POST('/admin/llm/incidents/{id}/updates', {
          params: { path: { id: incident.id } },
          body: {
            message: message.trim(),
            ...(hasState && state !== incident.state ? { state: state as never } : {}),
            ...(isOpen && impact !== incident.impact ? { impact: impact as never } : {}),
          },
        }),
      ),
    async onDone(changed) {
      setMessage('')
      setState(undefined)
      setImpact(undefined)
      onPosted(changed)
      await notify({
        title: changed.closed_at !== null && isOpen ? 'The incident is resolved' : 'The update is posted',
      })
    },
  })
  const { problemOf } = submission
  return (
    <DrawerSection
      title="Post an update"
      about="Everybody who may see the status page reads it, so no addresses and no names."
    >
      <Form submission={submission} submitLabel="Post update" failureSentence="The update was not posted.">
        <Textarea
          label="Message"
          autosize={false}
          rows={3}
          value={message}
          onChange={(change) => setMessage(change.currentTarget.value)}
          error={problemOf('message')}
        />
        {hasState ? (
          <NativeSelect
            label="State"
            description="Resolved closes the incident."
            data={incidentStateChoices}
            value={state}
            onChange={(change) => setState(change.currentTarget.value)}
            error={problemOf('state')}
          />
        ) : null}
        {isOpen ? (
          <NativeSelect
            label="Impact"
            data={impactChoices[incident.kind]}
            value={impact}
            onChange={(change) => setImpact(change.currentTarget.value)}
            error={problemOf('impact')}
          />
        ) : null}
      </Form>
    </DrawerSection>
  )
}
