import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { PermissionChoice } from './PermissionChoice.tsx'
import { roleNameOf } from './role-name.ts'

interface CreateRoleProps {
  readonly onClose: () => void
  readonly onCreated: () => Promise<void>
}

/** Asks for what a new role is called and what it allows. */
export default function CreateRole({ onClose, onCreated }: CreateRoleProps) {
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
