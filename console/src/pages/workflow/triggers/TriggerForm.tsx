import '../../../theme/mantine-form.css'
import { NativeSelect, Radio, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../../api/api.ts'
import { Form } from '../../../parts/Form.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { readObject } from '../../execution/read-object.ts'
import type { WholeFlow } from '../../workflows/flow-queries.ts'
import { bodyOfChange, bodyOfTrigger, draftOf, type TriggerDraft } from './trigger-draft.ts'
import type { Trigger } from './trigger-queries.ts'
import { ownSecretSenders, senderWords } from './trigger-words.ts'

/** What the platform shows once about a saved trigger. */
export interface TriggerSecret {
  readonly name: string
  readonly url: string | null
  readonly secret: string | null
}

interface TriggerFormProps {
  readonly flow: WholeFlow
  /** The trigger to change. Default: a new one. */
  readonly trigger?: Trigger | undefined
  readonly onClose: () => void
  readonly onSaved: (made: TriggerSecret) => Promise<void>
}

/** The form of a new trigger, or of a stored one. */
export default function TriggerForm({ flow, trigger, onClose, onSaved }: TriggerFormProps) {
  const [draft, setDraft] = useState(() => (trigger === undefined ? newDraft(flow) : draftOf(trigger)))
  const change = (part: Partial<TriggerDraft>) => setDraft({ ...draft, ...part })
  const [text, setText] = useState(() => JSON.stringify(draft.input, null, 2))
  const isKeptSender = trigger?.verification?.['type'] === draft.sender
  const input = readObject(text)
  const { kind, sender } = draft
  const needsSecret = ownSecretSenders.has(sender) && !isKeptSender
  const submission = useSubmission({
    fields: ['label', 'verification.type', 'verification.secret', 'verification.header', 'events', 'input'],
    send: async ({ client }) => {
      if (input.value === undefined) throw new Error('The input is not a JSON object.')
      const whole = { ...draft, input: input.value }
      return await bodyOf(
        trigger === undefined
          ? client.POST('/ai-workflows/api/triggers', { body: bodyOfTrigger(flow.id, whole) })
          : client.PUT('/ai-workflows/api/triggers/{id}', {
              params: { path: { id: trigger.trigger_id } },
              body: bodyOfChange(trigger, whole),
            }),
      )
    },
    onDone: ({ trigger: saved, url, secret }) => onSaved({ name: saved.label ?? flow.label, url, secret }),
  })
  const title = trigger === undefined ? 'Create trigger' : 'Edit trigger'
  return (
    <SideDrawer title={title} onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel={trigger === undefined ? title : 'Save trigger'}
        failureSentence={`The trigger was not ${trigger === undefined ? 'created' : 'saved'}.`}
        onCancel={onClose}
      >
        {trigger === undefined ? (
          <Radio.Group
            label="Started by"
            value={kind}
            onChange={(value) => {
              const wanted = value === 'event' ? 'event' : 'webhook'
              change({ kind: wanted })
              setText(JSON.stringify(sampleInput(flow, wanted), null, 2))
            }}
          >
            <Radio value="webhook" label="Webhook" description="Each request to a URL of its own." />
            <Radio
              value="event"
              label="Event"
              description="Each event of the platform, such as the end of a run."
            />
          </Radio.Group>
        ) : null}
        <TextInput
          label="Label (optional)"
          maxLength={200}
          value={draft.label}
          error={submission.problemOf('label')}
          onChange={({ currentTarget }) => change({ label: currentTarget.value })}
        />
        {kind === 'event' ? (
          <Textarea
            label="Events"
            description="One type per line."
            autosize
            minRows={2}
            value={draft.events}
            error={submission.problemOf('events')}
            onChange={({ currentTarget }) => change({ events: currentTarget.value })}
          />
        ) : (
          <>
            <NativeSelect
              label="Verification"
              description="How requests prove who sent them."
              data={Object.entries(senderWords).map(([value, label]) => ({ value, label }))}
              value={sender}
              error={submission.problemOf('verification.type')}
              onChange={({ currentTarget }) => change({ sender: currentTarget.value as typeof sender })}
            />
            {sender === 'header' || sender === 'hmac' ? (
              <TextInput
                label="Header"
                description="The header with the secret or the signature."
                value={draft.header}
                error={submission.problemOf('verification.header')}
                onChange={({ currentTarget }) => change({ header: currentTarget.value })}
              />
            ) : null}
            {sender === 'none' ? null : (
              <TextInput
                label={needsSecret ? 'Secret' : 'Secret (optional)'}
                description={
                  isKeptSender
                    ? 'Default: the stored secret stays.'
                    : needsSecret
                      ? 'The signing secret that the sender shows.'
                      : 'Default: a generated secret, which is shown once.'
                }
                type="password"
                autoComplete="off"
                value={draft.secret}
                error={submission.problemOf('verification.secret')}
                onChange={({ currentTarget }) => change({ secret: currentTarget.value })}
              />
            )}
            <NativeSelect
              label="Response"
              data={[
                { value: 'at_once', label: 'At once, when the run is queued' },
                { value: 'with_result', label: 'With the result, within 25 seconds' },
              ]}
              value={draft.respond}
              onChange={({ currentTarget: { value } }) =>
                change({ respond: value === 'with_result' ? value : 'at_once' })
              }
            />
          </>
        )}
        <Textarea
          label="Input"
          description={
            kind === 'event'
              ? 'The input of the run as JSON. Texts read the event: {{event.flow_id}}.'
              : 'The input of the run as JSON. Texts read the request: {{body.text}}, {{headers.name}}, {{query.name}}.'
          }
          autosize
          minRows={4}
          maxRows={16}
          spellCheck={false}
          value={text}
          error={input.problem ?? submission.problemOf('input')}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Form>
    </SideDrawer>
  )
}

function newDraft(flow: WholeFlow): TriggerDraft {
  return {
    kind: 'webhook',
    label: '',
    sender: 'standard_webhooks',
    header: '',
    secret: '',
    events: 'flow.execution.completed',
    respond: 'at_once',
    input: sampleInput(flow, 'webhook'),
  }
}

/** A template for each required input of the workflow. */
function sampleInput(
  { required_inputs: names }: WholeFlow,
  kind: TriggerDraft['kind'],
): Record<string, string> {
  const source = kind === 'event' ? 'event' : 'body'
  return Object.fromEntries(names.map((name) => [name, `{{${source}.${name}}}`]))
}
