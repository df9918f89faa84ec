import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import type { ApiKey } from '../../api/responses.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { describeMinute } from '../../time/describe-time.ts'
import { expiryOf, KeyExpiry } from './KeyExpiry.tsx'
import { KeyLimitsFields, limitFields } from './KeyLimitsFields.tsx'
import { draftOf, limitsOf } from './key-limits.ts'

interface EditApiKeyProps {
  readonly apiKey: ApiKey
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

/** The form of a key's name, expiry and limits. */
export function EditApiKey({ apiKey, onChanged, onClose }: EditApiKeyProps) {
  const { id, expires_at: expiresAt } = apiKey
  const [name, setName] = useState(apiKey.name)
  const [lifetime, setLifetime] = useState('unchanged')
  const [lastDay, setLastDay] = useState('')
  const [openedAt] = useState(() => new Date())
  const [limits, setLimits] = useState(() => draftOf(apiKey.limits))

  const submission = useSubmission({
    fields: ['name', 'expires_at', ...limitFields],
    send: ({ client }) =>
      bodyOf(
        client.PATCH('/api/v1/api-keys/{id}', {
          params: { path: { id } },
          body: {
            name: name.trim(),
            ...(lifetime === 'unchanged' ? {} : { expires_at: expiryOf(lifetime, lastDay, openedAt) }),
            limits: limitsOf(limits),
          },
        }),
      ),
    async onDone(saved) {
      await onChanged()
      onClose()
      await notify({ title: `“${saved.name}” is saved`, message: 'The change applies immediately.' })
    },
  })
  const { problemOf } = submission

  return (
    <SideDrawer title={`Edit “${apiKey.name}”`} onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Save"
        failureSentence="Nothing was changed."
        onCancel={onClose}
      >
        <TextInput
          data-autofocus
          label="Name"
          value={name}
          onChange={(change) => setName(change.currentTarget.value)}
          error={problemOf('name')}
        />
        <KeyExpiry
          lifetime={lifetime}
          lastDay={lastDay}
          openedAt={openedAt}
          unchanged={expiresAt === null ? 'Never' : describeMinute(new Date(expiresAt))}
          onLifetime={setLifetime}
          onLastDay={setLastDay}
          error={problemOf('expires_at')}
        />
        <KeyLimitsFields draft={limits} onChange={setLimits} problemOf={problemOf} />
      </Form>
    </SideDrawer>
  )
}
