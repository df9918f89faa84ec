import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf, done } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { permissionsQuery } from '../../api/people-queries.ts'
import type { Role } from '../../api/responses.ts'
import { ChoiceList } from '../../parts/ChoiceList.tsx'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'

interface RoleDrawerProps {
  readonly name: string
  readonly role: Role | undefined
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

/** One role: its permissions, and deleting it. */
export default function RoleDrawer({ name, role: listed, onChanged, onClose }: RoleDrawerProps) {
  // A deleted role is no longer listed, and the drawer is about to close.
  const [openedWith] = useState(listed)
  const role = listed ?? openedWith
  const [covered, setCovered] = useState(false)
  return (
    <SideDrawer
      title={role?.label ?? 'Role'}
      onClose={onClose}
      returnTo={() => findRow(name)}
      covered={covered}
      holdsInput
    >
      {role === undefined ? (
        <p>No role is named “{name}”.</p>
      ) : (
        <>
          <EditRole role={role} onChanged={onChanged} />
          {role.built_in ? null : (
            <DeleteRole role={role} onCovered={setCovered} onChanged={onChanged} onDeleted={onClose} />
          )}
        </>
      )}
    </SideDrawer>
  )
}

interface DeleteRoleProps {
  readonly role: Role
  readonly onCovered: (covered: boolean) => void
  readonly onChanged: () => Promise<void>
  readonly onDeleted: () => void
}

function DeleteRole({ role: { name, label, users }, onCovered, onChanged, onDeleted }: DeleteRoleProps) {
  const [isAsking, setAsking] = useState(false)
  const ask = (asking: boolean) => {
    setAsking(asking)
    onCovered(asking)
  }
  return (
    <DrawerSection
      title="Delete"
      about="Accounts keep their other roles."
      ways={
        <DangerButton kind="ask" onClick={() => ask(true)}>
          Delete role…
        </DangerButton>
      }
    >
      {isAsking ? (
        <ConfirmDialog
          title={`Delete the role “${label}”?`}
          confirmLabel="Delete role"
          failureSentence="The role was not deleted."
          send={({ client }) => done(client.DELETE('/api/v1/roles/{name}', { params: { path: { name } } }))}
          onDone={async () => {
            await onChanged()
            onDeleted()
          }}
          onClose={() => ask(false)}
        >
          <p>
            {users === 0
              ? 'No account has this role.'
              : users === 1
                ? '1 account has this role and loses its permissions.'
                : `${users} accounts have this role and lose its permissions.`}{' '}
            This cannot be undone.
          </p>
        </ConfirmDialog>
      ) : null}
    </DrawerSection>
  )
}

/** The label and permissions of a role. The administrator role cannot be changed. */
function EditRole({ role, onChanged }: { role: Role; onChanged: () => Promise<void> }) {
  const { name, all_permissions: allowsEverything } = role
  const [label, setLabel] = useState(role.label)
  const [permissions, setPermissions] = useState<string[]>(role.permissions)

  const submission = useSubmission({
    fields: ['label', 'permissions'],
    send: ({ client }) =>
      bodyOf(
        client.PATCH('/api/v1/roles/{name}', {
          params: { path: { name } },
          body: { label: label.trim(), ...(allowsEverything ? {} : { permissions }) },
        }),
      ),
    async onDone(saved) {
      await onChanged()
      await notify({
        title: `“${saved.label}” is saved`,
        message: 'Applies immediately to all accounts with this role.',
      })
    },
  })
  const { problemOf } = submission

  return (
    <DrawerSection
      title="Settings"
      about={
        allowsEverything
          ? 'Has all permissions, including those of later releases. This cannot be changed.'
          : `ID: ${name}`
      }
    >
      <Form submission={submission} submitLabel="Save" failureSentence="Nothing was changed.">
        <TextInput
          label="Label"
          value={label}
          onChange={(change) => setLabel(change.currentTarget.value)}
          error={problemOf('label')}
        />
        {allowsEverything ? null : (
          <PermissionChoice chosen={permissions} onChange={setPermissions} error={problemOf('permissions')} />
        )}
      </Form>
    </DrawerSection>
  )
}

interface CreateRoleProps {
  readonly onClose: () => void
  readonly onCreated: () => Promise<void>
}

/** The form of a new role: label, name and permissions. */
export function CreateRole({ onClose, onCreated }: CreateRoleProps) {
  const [label, setLabel] = useState('')
  const [typedName, setTypedName] = useState<string>()
  const [permissions, setPermissions] = useState<string[]>([])
  // The name follows the label until the user edits it.
  const name = typedName ?? roleNameOf(label)

  const submission = useSubmission({
    fields: ['label', 'name', 'permissions'],
    send: ({ client }) =>
      bodyOf(client.POST('/api/v1/roles', { body: { name, label: label.trim(), permissions } })),
    onDone: onCreated,
  })
  const { problemOf } = submission

  return (
    <SideDrawer title="Create role" onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Create role"
        failureSentence="The role was not created."
        onCancel={onClose}
      >
        <TextInput
          data-autofocus
          label="Label"
          description="Display name."
          placeholder="Night shift"
          value={label}
          onChange={(change) => setLabel(change.currentTarget.value)}
          error={problemOf('label')}
        />
        <TextInput
          label="Name"
          description="Permanent ID: lower-case letters, digits and _, starting with a letter."
          placeholder="night_shift"
          value={name}
          onChange={(change) => setTypedName(change.currentTarget.value)}
          error={problemOf('name')}
        />
        <PermissionChoice chosen={permissions} onChange={setPermissions} error={problemOf('permissions')} />
      </Form>
    </SideDrawer>
  )
}

const longest = 64

/** Derives the machine name of a label: `Night shift` becomes `night_shift`. */
export function roleNameOf(label: string): string {
  return label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, longest)
    .replace(/_+$/, '')
}

interface PermissionChoiceProps {
  readonly chosen: readonly string[]
  readonly onChange: (permissions: string[]) => void
  readonly error: string | undefined
}

/** The choice of permissions. */
function PermissionChoice({ chosen, onChange, error }: PermissionChoiceProps) {
  const { data: known } = useQuery(permissionsQuery(useApi()))
  return (
    <ChoiceList label="Permissions" choices={known?.data} chosen={chosen} onChange={onChange} error={error} />
  )
}
