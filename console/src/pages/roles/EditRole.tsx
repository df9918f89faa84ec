import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import type { Role } from '../../api/bodies.ts'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { Form } from '../../parts/Form.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { PermissionChoice } from './PermissionChoice.tsx'

/** What a role is called and what it allows. One that allows everything stays that way. */
export function EditRole({ role, onChanged }: { role: Role; onChanged: () => Promise<void> }) {
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
        message: 'It holds at once for everyone who has the role.',
      })
    },
  })
  const { problemOf } = submission

  return (
    <DrawerSection
      title="What it is"
      about={
        allowsEverything
          ? 'Allows everything, with what later releases add; that cannot be narrowed.'
          : `Programs know it as ${name}.`
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
