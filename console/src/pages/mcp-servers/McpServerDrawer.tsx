import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { Copyable } from '../../parts/Copyable.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { DetailBox } from '../../parts/DetailBox.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Status } from '../../parts/Status.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import styles from './McpServerDrawer.module.css'
import { McpServerFields, serverFields } from './McpServerFields.tsx'
import type { McpServer } from './mcp-server-calls.ts'
import { draftOf, emptyDraft, isReachedAnew, transportOf } from './mcp-server-draft.ts'
import { describeTools, describeTransport, serverStates } from './mcp-server-words.ts'
import { ProbeServer } from './ProbeServer.tsx'

interface McpServerDrawerProps {
  readonly server: McpServer | undefined
  readonly allowsPrograms: boolean
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

/** One MCP server: state, tools, transport, and removing it. */
export default function McpServerDrawer(props: McpServerDrawerProps) {
  const { server: listed, allowsPrograms, onChanged, onClose } = props
  // A removed server is no longer listed, and the drawer is about to close.
  const [openedWith] = useState(listed)
  const [covered, setCovered] = useState(false)
  const server = listed ?? openedWith
  return (
    <SideDrawer
      title={server?.name ?? 'MCP server'}
      onClose={onClose}
      returnTo={() => (server === undefined ? null : findRow(server.id))}
      covered={covered}
      holdsInput
    >
      {server === undefined ? (
        <p>No MCP server has this ID.</p>
      ) : (
        <>
          <ServerDetails server={server} />
          <DrawerSection
            title="State"
            about={server.last_error ?? 'The check reads the server’s name and its tools. No tool is called.'}
            ways={<ProbeServer server={server} size="sm" />}
          />
          <McpServerTools server={server} />
          <EditMcpServer
            key={server.updated_at}
            server={server}
            allowsPrograms={allowsPrograms}
            onChanged={onChanged}
          />
          <WatchServer
            server={server}
            onCovered={setCovered}
            onChanged={onChanged}
            onRemoved={async () => {
              await onChanged()
              onClose()
            }}
          />
        </>
      )}
    </SideDrawer>
  )
}

function ServerDetails({ server }: { server: McpServer }) {
  const { state, response_time: ms, last_check: checked, last_seen: seen, server: about } = server
  return (
    <DetailBox
      details={[
        { name: 'State', value: <Status {...serverStates[state]} /> },
        {
          name: server.transport.type === 'http' ? 'Address' : 'Program',
          value: <Copyable text={describeTransport(server)} what="address or command" />,
        },
        { name: 'Server name', value: about === null ? 'unknown' : `${about.name} ${about.version}` },
        { name: 'Protocol', value: about === null ? 'unknown' : about.protocol_version },
        { name: 'Duration', value: ms === null ? '–' : describeMilliseconds(Math.round(ms)) },
        { name: 'Checked', value: checked === null ? 'never' : <RelativeTime at={checked} /> },
        { name: 'Last response', value: seen === null ? 'never' : <RelativeTime at={seen} /> },
      ]}
    />
  )
}

/** The tools a server listed at its last check. */
function McpServerTools({ server }: { server: McpServer }) {
  const { server: about, tools, tools_total: total } = server
  const missing = total - tools.length
  return (
    <DrawerSection
      title="Tools"
      about={about === null ? 'No tools reported yet.' : `${describeTools(server)}, as of the last response.`}
    >
      {tools.length === 0 ? null : (
        <ul className={styles['tools']}>
          {tools.map(({ name, description }) => (
            <li key={name}>
              <code>{name}</code>
              {description === null ? null : <span className={styles['about']}>{description}</span>}
            </li>
          ))}
          {missing > 0 ? <li className={styles['about']}>and {missing.toLocaleString()} more</li> : null}
        </ul>
      )}
    </DrawerSection>
  )
}

interface EditMcpServerProps {
  readonly server: McpServer
  readonly allowsPrograms: boolean
  readonly onChanged: () => Promise<void>
}

/** The form of the server's name and transport. A changed transport is checked immediately. */
function EditMcpServer({ server, allowsPrograms, onChanged }: EditMcpServerProps) {
  const [draft, setDraft] = useState(() => draftOf(server))
  const isAnew = isReachedAnew(draft, server)
  const submission = useSubmission({
    fields: serverFields,
    send: ({ client }) =>
      bodyOf(
        client.PATCH('/admin/mcp/servers/{id}', {
          params: { path: { id: server.id } },
          body: { name: draft.name.trim(), ...(isAnew ? { transport: transportOf(draft) } : {}) },
        }),
      ),
    async onDone(saved) {
      setDraft(draftOf(saved))
      await onChanged()
      await notify({
        title: 'The server is saved',
        message: isAnew ? 'It is checked within seconds.' : 'The change applies immediately.',
      })
    },
  })
  return (
    <DrawerSection title="Settings">
      <Form submission={submission} submitLabel="Save" failureSentence="Nothing was changed.">
        <McpServerFields
          draft={draft}
          allowsPrograms={allowsPrograms}
          onChange={setDraft}
          problemOf={submission.problemOf}
        />
      </Form>
    </DrawerSection>
  )
}

interface WatchServerProps {
  readonly server: McpServer
  /** Called when a confirmation dialog opens in front of the drawer, and when it closes. */
  readonly onCovered: (covered: boolean) => void
  readonly onChanged: () => Promise<void>
  readonly onRemoved: () => Promise<void>
}

/** Turns the checks of a server on or off, and removes the server. */
function WatchServer({ server, onCovered, onChanged, onRemoved }: WatchServerProps) {
  const api = useApi()
  const [isAsking, setIsAsking] = useState(false)
  const params = { path: { id: server.id } }
  const ask = (asking: boolean) => {
    setIsAsking(asking)
    onCovered(asking)
  }
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      bodyOf(api.client.PATCH('/admin/mcp/servers/{id}', { params, body: { enabled: !server.enabled } })),
    onSuccess: onChanged,
  })
  return (
    <DrawerSection
      title="Monitoring"
      about={
        server.enabled
          ? 'The server is checked regularly and counts in the platform’s health.'
          : 'The server is not checked and does not count in the platform’s health.'
      }
      ways={
        <>
          <Button size="sm" variant="default" aria-disabled={isPending} onClick={() => isPending || mutate()}>
            {server.enabled ? 'Disable' : 'Enable'}
          </Button>
          <DangerButton kind="ask" onClick={() => ask(true)}>
            Remove…
          </DangerButton>
        </>
      }
    >
      {error === null ? null : (
        <FailureNotice what="Nothing was changed." error={error} onRetry={() => mutate()} />
      )}
      {isAsking ? (
        <ConfirmDialog
          title={`Remove ${server.name}?`}
          confirmLabel="Remove server"
          failureSentence="The server was not removed."
          send={({ client }) => bodyOf(client.DELETE('/admin/mcp/servers/{id}', { params }))}
          onDone={onRemoved}
          onClose={() => ask(false)}
        >
          <p>
            {server.name} is no longer checked, and its stored settings and secrets are deleted. The server
            itself is not affected. This cannot be undone.
          </p>
        </ConfirmDialog>
      ) : null}
    </DrawerSection>
  )
}

interface AddMcpServerProps {
  readonly allowsPrograms: boolean
  readonly onClose: () => void
  readonly onAdded: (id: string) => Promise<void>
}

/** The form that adds a server and checks it immediately. */
export function AddMcpServer({ allowsPrograms, onClose, onAdded }: AddMcpServerProps) {
  const [draft, setDraft] = useState(emptyDraft)
  const submission = useSubmission({
    fields: serverFields,
    send: async ({ client }) => {
      const body = { name: draft.name.trim(), transport: transportOf(draft), enabled: true }
      const { id } = await bodyOf(client.POST('/admin/mcp/servers', { body }))
      // A failed check is shown in the list; the server was added anyway.
      await bodyOf(client.POST('/admin/mcp/servers/{id}/probe', { params: { path: { id } } })).catch(() => {})
      return id
    },
    onDone: onAdded,
  })
  return (
    <SideDrawer title="Add server" onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Add server"
        failureSentence="The server was not added."
        onCancel={onClose}
      >
        <McpServerFields
          isNew
          draft={draft}
          allowsPrograms={allowsPrograms}
          onChange={setDraft}
          problemOf={submission.problemOf}
        />
      </Form>
    </SideDrawer>
  )
}
