import { Button, TextInput } from '@mantine/core'
import IconAlertTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertTriangleFilled.mjs'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
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
import styles from './ConnectionDrawer.module.css'
import { ConnectionFields, connectionFields } from './ConnectionFields.tsx'
import { deleteEntry, type Entry, type EntryPart, entryQuery } from './connection-calls.ts'
import { bodyOfDraft, draftOf } from './connection-draft.ts'
import { describeHosts, kindTitles, momentOf, testUrlOf, withoutHosts } from './connection-words.ts'

interface ConnectionDrawerProps {
  readonly part: EntryPart
  readonly name: string
  readonly listed: Entry | undefined
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

/** One secret or connection: use, test, settings, and deleting it. */
export default function ConnectionDrawer({ part, name, listed, onChanged, onClose }: ConnectionDrawerProps) {
  const [covered, setCovered] = useState(false)
  const { data, error, refetch } = useQuery(entryQuery(useApi(), { part, name }))
  const entry = data ?? listed
  return (
    <SideDrawer title={name} onClose={onClose} returnTo={() => findRow(name)} covered={covered} holdsInput>
      {error === null || entry !== undefined ? null : (
        <FailureNotice
          what={`The ${part} could not be loaded.`}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {entry === undefined ? null : (
        <>
          <EntryDetails part={part} entry={entry} />
          {entry.allowed_hosts.length === 0 ? (
            <p className={styles['warning']}>
              <IconAlertTriangleFilled size={16} aria-hidden />
              {withoutHosts}
            </p>
          ) : null}
          <UsedBy flows={data?.used_by} />
          {part === 'connection' ? <TestConnection entry={entry} /> : null}
          {entry.own ? (
            <>
              <EditConnection
                key={entry.revision}
                part={part}
                entry={entry}
                onChanged={async () => void (await Promise.all([refetch(), onChanged()]))}
              />
              <DeleteConnection
                part={part}
                name={name}
                onCovered={setCovered}
                onDeleted={async () => {
                  await onChanged()
                  onClose()
                }}
              />
            </>
          ) : null}
        </>
      )}
    </SideDrawer>
  )
}

function EntryDetails({ part, entry }: { part: EntryPart; entry: Entry }) {
  return (
    <DetailBox
      details={[
        ...(part === 'secret'
          ? [{ name: 'In a flow', value: <Copyable text={`{{secrets.${entry.name}}}`} what="placeholder" /> }]
          : [{ name: 'Kind', value: kindTitles[entry.kind ?? 'bearer'] }]),
        { name: 'Hosts', value: describeHosts(entry.allowed_hosts) },
        {
          name: 'Shared',
          value: entry.shared ? (entry.own ? 'with all accounts' : 'by another account') : 'no',
        },
        { name: 'Changed', value: <RelativeTime at={momentOf(entry.updated_at)} /> },
        {
          name: 'Last used',
          value: entry.used_at === null ? 'never' : <RelativeTime at={momentOf(entry.used_at)} />,
        },
      ]}
    />
  )
}

interface UsedByProps {
  readonly flows: readonly { readonly flow_id: string; readonly label: string }[] | undefined
}

function UsedBy({ flows }: UsedByProps) {
  if (flows === undefined) return null
  return (
    <DrawerSection title="Used by" about={flows.length === 0 ? 'No flow names it.' : undefined}>
      {flows.length === 0 ? null : (
        <ul className={styles['flows']}>
          {flows.map(({ flow_id: flow, label }) => (
            <li key={flow}>
              <Link to="/flows/$flow" params={{ flow }}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </DrawerSection>
  )
}

/** Sends one request with the credentials. */
function TestConnection({ entry }: { entry: Entry }) {
  const api = useApi()
  const [url, setUrl] = useState('')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () =>
      bodyOf(
        api.client.POST('/ai-workflows/api/connections/{name}/test', {
          params: { path: { name: entry.name } },
          body: url.trim() === '' ? {} : { url: url.trim() },
        }),
      ),
  })
  return (
    <DrawerSection
      title="Test"
      about="Sends one GET request with the credentials; for OAuth, a token is requested first."
      ways={
        <Button size="sm" variant="default" aria-disabled={isPending} onClick={() => isPending || mutate()}>
          {isPending ? 'Testing…' : 'Test connection'}
        </Button>
      }
    >
      <TextInput
        label="URL"
        description="An address of an allowed host."
        placeholder={testUrlOf(entry.allowed_hosts)}
        inputMode="url"
        spellCheck={false}
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <div role="status">
        {data === undefined || isPending ? null : (
          <Status
            tone={data.success ? 'good' : 'bad'}
            word={data.problem ?? `The host responded with status ${data.status}.`}
          />
        )}
      </div>
      {error === null ? null : (
        <FailureNotice what="The connection was not tested." error={error} onRetry={() => mutate()} />
      )}
    </DrawerSection>
  )
}

interface EditConnectionProps {
  readonly part: EntryPart
  readonly entry: Entry
  readonly onChanged: () => Promise<void>
}

function EditConnection({ part, entry, onChanged }: EditConnectionProps) {
  const [draft, setDraft] = useState(() => draftOf(entry))
  const submission = useSubmission({
    fields: connectionFields,
    async send({ client }) {
      const params = { path: { name: entry.name } }
      const body = bodyOfDraft(draft) as never
      return part === 'secret'
        ? await bodyOf(client.PUT('/ai-workflows/api/secrets/{name}', { params, body }))
        : await bodyOf(client.PUT('/ai-workflows/api/connections/{name}', { params, body }))
    },
    async onDone() {
      await onChanged()
      await notify({ title: `The ${part} is saved`, message: 'The next request uses it.' })
    },
  })
  return (
    <DrawerSection title="Settings">
      <Form submission={submission} submitLabel="Save" failureSentence="Nothing was changed.">
        <ConnectionFields draft={draft} onChange={setDraft} problemOf={submission.problemOf} />
      </Form>
    </DrawerSection>
  )
}

interface DeleteConnectionProps {
  readonly part: EntryPart
  readonly name: string
  /** Called when the confirmation opens in front of the drawer, and when it closes. */
  readonly onCovered: (covered: boolean) => void
  readonly onDeleted: () => Promise<void>
}

function DeleteConnection({ part, name, onCovered, onDeleted }: DeleteConnectionProps) {
  const [isAsking, setIsAsking] = useState(false)
  const ask = (asking: boolean) => {
    setIsAsking(asking)
    onCovered(asking)
  }
  return (
    <DrawerSection
      title="Delete"
      about="Steps that name it fail from then on."
      ways={
        <DangerButton kind="ask" onClick={() => ask(true)}>
          Delete…
        </DangerButton>
      }
    >
      {isAsking ? (
        <ConfirmDialog
          title={`Delete ${name}?`}
          confirmLabel={`Delete ${part}`}
          failureSentence={`The ${part} was not deleted.`}
          send={(api) => deleteEntry(api, part, name)}
          onDone={onDeleted}
          onClose={() => ask(false)}
        >
          <p>Steps that name it fail from then on. The stored value cannot be restored.</p>
        </ConfirmDialog>
      ) : null}
    </DrawerSection>
  )
}
