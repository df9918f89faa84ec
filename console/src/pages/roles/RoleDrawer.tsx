import { useState } from 'react'
import { done } from '../../api/api.ts'
import type { Role } from '../../api/bodies.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { EditRole } from './EditRole.tsx'

interface RoleDrawerProps {
  readonly name: string
  readonly role: Role | undefined
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

/** One role: what it allows, and deleting it. */
export default function RoleDrawer({ name, role: listed, onChanged, onClose }: RoleDrawerProps) {
  // Once deleted it is no longer listed, and the drawer is about to close.
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
        <p>There is no role “{name}”.</p>
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
              ? 'No account has it.'
              : users === 1
                ? '1 account has it, and may no longer do what only this role allows.'
                : `${users} accounts have it, and may no longer do what only this role allows.`}{' '}
            This cannot be undone.
          </p>
        </ConfirmDialog>
      ) : null}
    </DrawerSection>
  )
}
