import { Radio, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { scopesQuery } from '../../api/access-queries.ts'
import { bodyOf, done } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import type { ApiKey } from '../../api/responses.ts'
import { ChoiceList } from '../../parts/ChoiceList.tsx'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { Form } from '../../parts/Form.tsx'
import { OneTimeSecret } from '../../parts/OneTimeSecret.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { expiryOf, KeyExpiry } from './KeyExpiry.tsx'
import { KeyLimitsFields, limitFields } from './KeyLimitsFields.tsx'
import { limitsOf, noLimits } from './key-limits.ts'

export type CreatedApiKey = ApiKey & { readonly key: string }

interface CreateApiKeyProps {
  readonly onClose: () => void
  readonly onCreated: (key: CreatedApiKey) => Promise<void>
}

/** The form of a new API key: name, permissions, lifetime and limits. */
export function CreateApiKey({ onClose, onCreated }: CreateApiKeyProps) {
  const api = useApi()
  const { data: known } = useQuery(scopesQuery(api))
  const [name, setName] = useState('')
  const [reach, setReach] = useState('all')
  const [scopes, setScopes] = useState<string[]>([])
  const [lifetime, setLifetime] = useState('90 days')
  const [lastDay, setLastDay] = useState('')
  const [openedAt] = useState(() => new Date())
  const [draft, setDraft] = useState(noLimits)
  const expiresAt = expiryOf(lifetime, lastDay, openedAt)
  const limits = limitsOf(draft)

  const submission = useSubmission({
    fields: ['name', 'scopes', 'expires_at', ...limitFields],
    send: ({ client }) =>
      bodyOf(
        client.POST('/api/v1/api-keys', {
          body: {
            name: name.trim(),
            ...(reach === 'all' ? {} : { scopes }),
            ...(expiresAt === null ? {} : { expires_at: expiresAt }),
            ...(limits === null ? {} : { limits }),
          },
        }),
      ),
    onDone: onCreated,
  })
  const { problemOf } = submission

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
        <KeyExpiry
          lifetime={lifetime}
          lastDay={lastDay}
          openedAt={openedAt}
          onLifetime={setLifetime}
          onLastDay={setLastDay}
          error={problemOf('expires_at')}
        />
        <KeyLimitsFields draft={draft} onChange={setDraft} problemOf={problemOf} />
      </Form>
    </SideDrawer>
  )
}

interface RevokeApiKeyProps {
  readonly apiKey: ApiKey
  readonly onRevoked: () => Promise<void>
  readonly onClose: () => void
}

/** Confirms the revocation of a key, which cannot be undone. */
export function RevokeApiKey({ apiKey, onRevoked, onClose }: RevokeApiKeyProps) {
  const { id, name, prefix, username, last_used_at } = apiKey
  return (
    <ConfirmDialog
      title={`Revoke “${name}”?`}
      confirmLabel="Revoke key"
      failureSentence="The key was not revoked."
      send={({ client }) => done(client.DELETE('/api/v1/api-keys/{id}', { params: { path: { id } } }))}
      onDone={onRevoked}
      onClose={onClose}
    >
      <p>
        Requests with the key <code>{prefix}…</code> are rejected from now on. This cannot be undone.
      </p>
      <p>
        It belongs to {username}, and{' '}
        {last_used_at === null ? (
          'has never been used.'
        ) : (
          <>
            was last used <RelativeTime at={last_used_at} />.
          </>
        )}
      </p>
    </ConfirmDialog>
  )
}

/** Shows a new key. Its text cannot be read again later. */
export function NewApiKey({ created, onDone }: { created: CreatedApiKey; onDone: () => void }) {
  return (
    <OneTimeSecret
      title={`“${created.name}” is created`}
      warning="Copy the key now: it is shown only once. The server stores only a hash."
      secrets={[{ name: 'API key', value: created.key }]}
      example={`curl ${window.location.origin}/api/v1/user/profile \\\n  -H "X-API-Key: ${created.key}"`}
      doneLabel="I have saved the key"
      onDone={onDone}
    />
  )
}
