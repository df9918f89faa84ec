import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import type { User } from '../../api/bodies.ts'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { Form } from '../../parts/Form.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import type { NewCredentials } from './NewPassword.tsx'
import { PasswordField } from './PasswordField.tsx'

interface SetPasswordProps {
  readonly user: User
  readonly onSet: (credentials: NewCredentials) => void
}

/** Another password for somebody who lost theirs, or whose password others know. */
export function SetPassword({ user, onSet }: SetPasswordProps) {
  const [password, setPassword] = useState('')
  const submission = useSubmission({
    fields: ['password'],
    send: ({ client }) =>
      bodyOf(client.PATCH('/api/v1/users/{id}', { params: { path: { id: user.id } }, body: { password } })),
    onDone: () => onSet({ username: user.username, password }),
  })
  return (
    <DrawerSection
      title="New password"
      about="Signs the account out everywhere and disconnects its applications. Its API keys go on working."
    >
      <Form submission={submission} submitLabel="Set password" failureSentence="The password is as it was.">
        <PasswordField
          label="Password"
          value={password}
          onChange={setPassword}
          error={submission.problemOf('password')}
        />
      </Form>
    </DrawerSection>
  )
}
