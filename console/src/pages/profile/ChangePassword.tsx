import '../../theme/mantine-form.css'
import { PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { done } from '../../api/api.ts'
import { ApiFailure } from '../../api/api-failure.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'

interface ChangePasswordProps {
  readonly onClose: () => void
  readonly onChanged: () => Promise<void>
}

/** Another password, for who knows the old one. */
export default function ChangePassword({ onClose, onChanged }: ChangePasswordProps) {
  const [current, setCurrent] = useState('')
  const [wanted, setWanted] = useState('')
  const [repeated, setRepeated] = useState('')
  const submission = useSubmission({
    fields: ['current_password', 'new_password', 'repeated'],
    send: async ({ client }) => {
      if (wanted !== repeated) throw differs()
      await done(
        client.POST('/api/v1/user/password', {
          body: { current_password: current, new_password: wanted },
        }),
      )
    },
    onDone: onChanged,
  })
  const { problemOf } = submission
  return (
    <SideDrawer title="Change password" onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Change password"
        failureSentence="The password was not changed."
        onCancel={onClose}
      >
        <PasswordInput
          data-autofocus
          label="Current password"
          autoComplete="current-password"
          value={current}
          onChange={(change) => setCurrent(change.currentTarget.value)}
          error={problemOf('current_password')}
          visibilityToggleButtonProps={toggle('current password')}
        />
        <PasswordInput
          label="New password"
          description="At least 8 characters. You stay signed in here and are signed out everywhere else."
          autoComplete="new-password"
          value={wanted}
          onChange={(change) => setWanted(change.currentTarget.value)}
          error={problemOf('new_password')}
          visibilityToggleButtonProps={toggle('new password')}
        />
        <PasswordInput
          label="Repeat new password"
          autoComplete="new-password"
          value={repeated}
          onChange={(change) => setRepeated(change.currentTarget.value)}
          error={problemOf('repeated')}
          visibilityToggleButtonProps={toggle('repeated password')}
        />
      </Form>
    </SideDrawer>
  )
}

/** By keyboard, too: who types blindly wants to look. */
function toggle(what: string) {
  return { 'aria-label': `Show or hide the ${what}`, tabIndex: 0 }
}

/** A slip the platform cannot notice: it is told the new password once. */
function differs(): ApiFailure {
  const message = 'does not match the new password'
  return new ApiFailure({ status: 0, code: 'differs', message, problems: [{ path: 'repeated', message }] })
}
