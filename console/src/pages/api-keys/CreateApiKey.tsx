import { NativeSelect, Radio, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { scopesQuery } from '../../api/access-queries.ts'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import type { ApiKey } from '../../api/responses.ts'
import { ChoiceList } from '../../parts/ChoiceList.tsx'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { describeMinute } from '../../time/describe-time.ts'
import { expiryOf, lifetimes } from './lifetimes.ts'

export type CreatedApiKey = ApiKey & { readonly key: string }

interface CreateApiKeyProps {
  readonly onClose: () => void
  readonly onCreated: (key: CreatedApiKey) => Promise<void>
}

/** Asks for what a new key is called, what it may do and how long it lives. */
export default function CreateApiKey({ onClose, onCreated }: CreateApiKeyProps) {
  const api = useApi()
  const { data: known } = useQuery(scopesQuery(api))
  const [name, setName] = useState('')
  const [reach, setReach] = useState('all')
  const [scopes, setScopes] = useState<string[]>([])
  const [lifetime, setLifetime] = useState('90 days')
  const [lastDay, setLastDay] = useState('')
  const [openedAt] = useState(() => new Date())
  const expiresAt = expiryOf(lifetime, lastDay, openedAt)

  const submission = useSubmission({
    fields: ['name', 'scopes', 'expires_at'],
    send: ({ client }) =>
      bodyOf(
        client.POST('/api/v1/api-keys', {
          body: {
            name: name.trim(),
            ...(reach === 'all' ? {} : { scopes }),
            ...(expiresAt === null ? {} : { expires_at: expiresAt }),
          },
        }),
      ),
    onDone: onCreated,
  })
  const { problemOf } = submission
  const lifetimeProblem = problemOf('expires_at')

  return (
    <SideDrawer title="Create API key" onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Create key"
        failureSentence="The key was not created."
        onCancel={onClose}
      >
        <TextInput
          data-autofocus
          label="Name"
          description="The script or service that uses the key."
          placeholder="Nightly report"
          value={name}
          onChange={(change) => setName(change.currentTarget.value)}
          error={problemOf('name')}
        />
        <Radio.Group label="Permissions" value={reach} onChange={setReach}>
          <Radio value="all" size="xs" mt={6} label="All your permissions" />
          <Radio value="some" size="xs" mt={8} label="Selected scopes" />
        </Radio.Group>
        {reach === 'some' ? (
          <ChoiceList
            label="Scopes"
            choices={known?.data}
            chosen={scopes}
            onChange={setScopes}
            error={problemOf('scopes')}
          />
        ) : null}
        <NativeSelect
          label="Expires"
          description={
            expiresAt === null
              ? 'Valid until it is revoked.'
              : lifetime === 'date' && lastDay === ''
                ? 'Choose the last valid day.'
                : `Valid until ${describeMinute(new Date(expiresAt))}.`
          }
          data={[...lifetimes]}
          value={lifetime}
          onChange={(change) => setLifetime(change.currentTarget.value)}
          error={lifetime === 'date' ? undefined : lifetimeProblem}
        />
        {lifetime === 'date' ? (
          <TextInput
            type="date"
            label="Last day"
            value={lastDay}
            onChange={(change) => setLastDay(change.currentTarget.value)}
            error={lifetimeProblem}
          />
        ) : null}
      </Form>
    </SideDrawer>
  )
}
