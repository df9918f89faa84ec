import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import type { Profile } from '../../api/responses.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'

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
