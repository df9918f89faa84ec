import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import type { NewCredentials } from './NewPassword.tsx'
import { PasswordField } from './PasswordField.tsx'
import { RoleChoice } from './RoleChoice.tsx'
import { tierOf, tiers } from './tiers.ts'

interface CreateUserProps {
  readonly onClose: () => void
  readonly onCreated: (credentials: NewCredentials) => Promise<void>
}

/** The form of a new account. */
export default function CreateUser({ onClose, onCreated }: CreateUserProps) {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [email, setEmail] = useState('')
  const [roles, setRoles] = useState<string[]>([])
  const [tier, setTier] = useState('')

  const submission = useSubmission({
    fields: ['username', 'password', 'email', 'roles', 'tier'],
    send: ({ client }) =>
      bodyOf(
        client.POST('/api/v1/users', {
          body: {
            username: username.trim(),
            password,
            roles,
            ...(email.trim() === '' ? {} : { email: email.trim() }),
            ...(tier === '' ? {} : { tier: tierOf(tier) }),
          },
        }),
      ),
    onDone: (user) => onCreated({ username: user.username, password }),
  })
  const { problemOf } = submission

  return (
    <SideDrawer title="Add user" onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Add user"
        failureSentence="The user was not added."
        onCancel={onClose}
      >
        <TextInput
          data-autofocus
          label="Username"
          description="Used to sign in."
          autoComplete="off"
          value={username}
          onChange={(change) => setUsername(change.currentTarget.value)}
          error={problemOf('username')}
        />
        <PasswordField
          label="Password"
          value={password}
          onChange={setPassword}
          error={problemOf('password')}
        />
        <TextInput
          type="email"
          label="Email (optional)"
          autoComplete="off"
          value={email}
          onChange={(change) => setEmail(change.currentTarget.value)}
          error={problemOf('email')}
        />
        <RoleChoice chosen={roles} onChange={setRoles} error={problemOf('roles')} />
        <NativeSelect
          label="Tier"
          description="Sets the request limits and the budget of the account."
          data={[{ value: '', label: 'Default for the roles' }, ...tiers]}
          value={tier}
          onChange={(change) => setTier(change.currentTarget.value)}
          error={problemOf('tier')}
        />
      </Form>
    </SideDrawer>
  )
}
