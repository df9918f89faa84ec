import { Button, Radio, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { oauthClientQuery, scopesQuery } from '../../api/access-queries.ts'
import { bodyOf, done } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { ApiFailure } from '../../api/api-failure.ts'
import type { OauthClient, ScopeName } from '../../api/responses.ts'
import { ChoiceLabel } from '../../parts/ChoiceLabel.tsx'
import { ChoiceList } from '../../parts/ChoiceList.tsx'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { Copyable } from '../../parts/Copyable.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { DetailBox } from '../../parts/DetailBox.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { describeLineProblem } from '../../parts/describe-problem.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { LastUse, RelativeTime } from '../../time/RelativeTime.tsx'
import type { NewClient } from './ClientCredentials.tsx'
import { clientKinds, kindOf, linesOf, usesRedirects } from './client-kinds.ts'

interface ClientDrawerProps {
  readonly clientId: string
  readonly listed: OauthClient | undefined
  readonly onChanged: () => Promise<void>
  readonly onNewSecret: (client: NewClient) => Promise<void>
  readonly onClose: () => void
}

/** One OAuth client: its settings, scopes and secret, and deleting it. */
export default function ClientDrawer(props: ClientDrawerProps) {
  const { clientId, listed, onChanged, onNewSecret, onClose } = props
  // A deleted client is not refetched: it is no longer listed, and the drawer is about to close.
  const [openedWith] = useState(listed)
  const isUnknown = listed === undefined && openedWith === undefined
  const {
    data: found,
    error,
    refetch,
  } = useQuery({ ...oauthClientQuery(useApi(), clientId), enabled: isUnknown })
  const [covered, setCovered] = useState(false)
  const client = listed ?? found ?? openedWith
  return (
    <SideDrawer
      title={client?.name ?? 'OAuth client'}
      onClose={onClose}
      returnTo={() => findRow(clientId)}
      covered={covered}
      holdsInput
    >
      {error === null || client !== undefined ? null : isMissing(error) ? (
        <p>No client of yours has this ID.</p>
      ) : (
        <FailureNotice what="The client could not be loaded." error={error} onRetry={() => void refetch()} />
      )}
      {client === undefined ? null : (
        <>
          <DetailBox
            details={[
              { name: 'Client ID', value: <Copyable text={client.client_id} what="client ID" /> },
              { name: 'Type', value: kindOf(client) },
              { name: 'Grants', value: client.grant_types.join(', ') },
              { name: 'Owner', value: client.username },
              { name: 'Registered', value: <RelativeTime at={client.created_at} /> },
              { name: 'Last used', value: <LastUse at={client.last_used_at} /> },
            ]}
          />
          <EditClient client={client} onChanged={onChanged} />
          <ClientAccess
            client={client}
            onCovered={setCovered}
            onNewSecret={onNewSecret}
            onDeleted={async () => {
              await onChanged()
              onClose()
            }}
          />
        </>
      )}
    </SideDrawer>
  )
}

/** Whether the client does not exist. The server answers 400 to an id in a wrong format. */
function isMissing(error: Error): boolean {
  return error instanceof ApiFailure && (error.status === 404 || error.status === 400)
}

/** The settings of a client that can be changed. */
function EditClient({ client, onChanged }: { client: OauthClient; onChanged: () => Promise<void> }) {
  const [name, setName] = useState(client.name)
  const [addresses, setAddresses] = useState(client.redirect_uris.join('\n'))
  const [scopes, setScopes] = useState(client.scopes)
  const submission = useSubmission({
    fields: ['name', 'redirect_uris', 'scopes'],
    send: (api) =>
      bodyOf(
        api.client.PATCH('/api/v1/oauth-clients/{client_id}', {
          params: { path: { client_id: client.client_id } },
          body: {
            name: name.trim(),
            scopes,
            ...(usesRedirects(client) ? { redirect_uris: linesOf(addresses) } : {}),
          },
        }),
      ),
    async onDone(saved) {
      await onChanged()
      await notify({ title: `“${saved.name}” is saved`, message: 'The change applies immediately.' })
    },
  })
  const { problemOf } = submission
  return (
    <DrawerSection title="Settings">
      <Form submission={submission} submitLabel="Save" failureSentence="Nothing was changed.">
        <TextInput
          label="Name"
          value={name}
          onChange={(change) => setName(change.currentTarget.value)}
          error={problemOf('name')}
        />
        {usesRedirects(client) ? (
          <Textarea
            label="Redirect URIs"
            description="One per line."
            autosize
            minRows={2}
            value={addresses}
            onChange={(change) => setAddresses(change.currentTarget.value)}
            error={problemOf('redirect_uris', describeLineProblem)}
          />
        ) : null}
        <ScopeChoice chosen={scopes} onChange={setScopes} error={problemOf('scopes')} />
      </Form>
    </DrawerSection>
  )
}

interface ClientAccessProps {
  readonly client: OauthClient
  /** Called when a confirmation dialog opens in front of the drawer, and when it closes. */
  readonly onCovered: (covered: boolean) => void
  readonly onNewSecret: (client: NewClient) => Promise<void>
  readonly onDeleted: () => Promise<void>
}

/** Replaces a lost or leaked secret, and deletes the client. */
function ClientAccess({ client, onCovered, onNewSecret, onDeleted }: ClientAccessProps) {
  const [asking, setAsking] = useState<'secret' | 'delete'>()
  const ask = (question: 'secret' | 'delete' | undefined) => {
    setAsking(question)
    onCovered(question !== undefined)
  }
  const params = { path: { client_id: client.client_id } }
  return (
    <DrawerSection
      title="Access"
      about={
        client.public
          ? 'This client is public and has no secret.'
          : 'Replace the secret when it is lost or may have leaked.'
      }
      ways={
        <>
          {client.public ? null : (
            <Button size="sm" variant="default" onClick={() => ask('secret')}>
              Replace secret…
            </Button>
          )}
          <DangerButton kind="ask" onClick={() => ask('delete')}>
            Delete…
          </DangerButton>
        </>
      }
    >
      {asking === 'secret' ? (
        <ConfirmDialog
          title={`Replace the secret of “${client.name}”?`}
          confirmLabel="Replace secret"
          failureSentence="The secret was not replaced."
          send={(api) => bodyOf(api.client.POST('/api/v1/oauth-clients/{client_id}/secret', { params }))}
          onDone={async (renewed) => {
            await onNewSecret({ ...client, client_secret: renewed.client_secret })
          }}
          onClose={() => ask(undefined)}
        >
          <p>The old secret stops working immediately: the application fails until it uses the new one.</p>
        </ConfirmDialog>
      ) : null}
      {asking === 'delete' ? (
        <ConfirmDialog
          title={`Delete “${client.name}”?`}
          confirmLabel="Delete client"
          failureSentence="The client was not deleted."
          send={(api) => done(api.client.DELETE('/api/v1/oauth-clients/{client_id}', { params }))}
          onDone={onDeleted}
          onClose={() => ask(undefined)}
        >
          <p>
            The application can no longer sign users in, and all its tokens are rejected. Connected users are
            disconnected. This cannot be undone.
          </p>
        </ConfirmDialog>
      ) : null}
    </DrawerSection>
  )
}

interface CreateClientProps {
  readonly onClose: () => void
  readonly onCreated: (client: NewClient) => Promise<void>
}

/** The form of a new client. */
export function CreateClient({ onClose, onCreated }: CreateClientProps) {
  const [name, setName] = useState('')
  const [kindName, setKindName] = useState('web')
  const [addresses, setAddresses] = useState('')
  const [scopes, setScopes] = useState<ScopeName[]>([])
  const kind = clientKinds.find(({ value }) => value === kindName)
  const redirects = kind?.grantTypes.includes('authorization_code') === true

  const submission = useSubmission({
    fields: ['name', 'grant_types', 'redirect_uris', 'scopes'],
    send: ({ client }) =>
      bodyOf(
        client.POST('/api/v1/oauth-clients', {
          body: {
            name: name.trim(),
            redirect_uris: redirects ? linesOf(addresses) : [],
            scopes,
            grant_types: [...(kind?.grantTypes ?? [])],
            public: kind?.isPublic === true,
          },
        }),
      ),
    onDone: onCreated,
  })
  const { problemOf } = submission

  return (
    <SideDrawer title="Register OAuth client" onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Register"
        failureSentence="The client was not registered."
        onCancel={onClose}
      >
        <TextInput
          data-autofocus
          label="Name"
          description="Shown to users on the consent screen."
          placeholder="Score library"
          value={name}
          onChange={(change) => setName(change.currentTarget.value)}
          error={problemOf('name')}
        />
        <Radio.Group
          label="Application type"
          value={kindName}
          onChange={setKindName}
          error={problemOf('grant_types')}
        >
          {clientKinds.map(({ value, title, about }) => (
            <Radio
              key={value}
              value={value}
              size="xs"
              mt={8}
              label={<ChoiceLabel title={title} about={about} />}
            />
          ))}
        </Radio.Group>
        {redirects ? (
          <Textarea
            label="Redirect URIs"
            description="Where users return after sign-in, one per line. They must match exactly."
            placeholder="https://scores.example/callback"
            autosize
            minRows={2}
            value={addresses}
            onChange={(change) => setAddresses(change.currentTarget.value)}
            error={problemOf('redirect_uris', describeLineProblem)}
          />
        ) : null}
        <ScopeChoice chosen={scopes} onChange={setScopes} error={problemOf('scopes')} />
      </Form>
    </SideDrawer>
  )
}

interface ScopeChoiceProps {
  readonly chosen: readonly ScopeName[]
  readonly onChange: (scopes: ScopeName[]) => void
  readonly error: string | undefined
}

/** The choice of the scopes a client may request. */
function ScopeChoice({ chosen, onChange, error }: ScopeChoiceProps) {
  const { data: known } = useQuery(scopesQuery(useApi()))
  return (
    <ChoiceList
      label="Scopes"
      choices={known?.data}
      chosen={chosen}
      // The options are the scopes listed by the server, so every value is one of them.
      onChange={(names) => onChange(names as ScopeName[])}
      error={error}
    />
  )
}
