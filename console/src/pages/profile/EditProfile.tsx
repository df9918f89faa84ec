import { PasswordInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf, done } from '../../api/api.ts'
import type { Profile } from '../../api/responses.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import '../../theme/mantine-form.css'
import { ApiFailure } from '../../api/api-failure.ts'

interface EditProfileProps {
  readonly profile: Profile
  readonly onClose: () => void
  readonly onSaved: (profile: Profile) => void
}

/** The form of the user's own profile. */
export default function EditProfile({ profile, onClose, onSaved }: EditProfileProps) {
  const [displayName, setDisplayName] = useState(profile.display_name)
  const [email, setEmail] = useState(profile.email ?? '')
  const submission = useSubmission({
    fields: ['display_name', 'email'],
    send: ({ client }) =>
      bodyOf(
        client.PATCH('/api/v1/user/profile', {
          body: {
            display_name: displayName.trim() === '' ? profile.username : displayName.trim(),
            email: email.trim() === '' ? null : email.trim(),
          },
        }),
      ),
    onDone: onSaved,
  })
  const { problemOf } = submission
  return (
    <SideDrawer title="Edit profile" onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Save"
        failureSentence="The profile was not changed."
        onCancel={onClose}
      >
        <TextInput
          data-autofocus
          label="Display name"
          description="Shown to other users. Defaults to your username."
          autoComplete="name"
          value={displayName}
          onChange={(change) => setDisplayName(change.currentTarget.value)}
          error={problemOf('display_name')}
        />
        <TextInput
          type="email"
          label="Email (optional)"
          autoComplete="email"
          value={email}
          onChange={(change) => setEmail(change.currentTarget.value)}
          error={problemOf('email')}
        />
      </Form>
    </SideDrawer>
  )
}

interface ChangePasswordProps {
  readonly onClose: () => void
  readonly onChanged: () => Promise<void>
}

/** The form to change the password, which requires the current one. */
export function ChangePassword({ onClose, onChanged }: ChangePasswordProps) {
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

/** The toggle is reachable by keyboard, too: keyboard users also want to check a hidden password. */
function toggle(what: string) {
  return { 'aria-label': `Show or hide the ${what}`, tabIndex: 0 }
}

/** The repeated password differs. The server cannot detect this, as it receives the new password once. */
function differs(): ApiFailure {
  const message = 'does not match the new password'
  return new ApiFailure({ status: 0, code: 'differs', message, problems: [{ path: 'repeated', message }] })
}
