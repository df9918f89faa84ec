import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import type { User } from '../../api/bodies.ts'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { Form } from '../../parts/Form.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { givenRoles } from './given-roles.ts'
import { RoleChoice } from './RoleChoice.tsx'
import { tierOf, tiers } from './tiers.ts'

/** What an account is called, and what it may do and use. */
export function EditUser({ user, onChanged }: { user: User; onChanged: () => Promise<void> }) {
  const [username, setUsername] = useState(user.username)
  const [displayName, setDisplayName] = useState(user.display_name)
  const [email, setEmail] = useState(user.email ?? '')
  const [roles, setRoles] = useState(givenRoles(user.roles))
  const [tier, setTier] = useState(user.tier)

  const submission = useSubmission({
    fields: ['username', 'display_name', 'email', 'roles', 'tier'],
    send: ({ client }) =>
      bodyOf(
        client.PATCH('/api/v1/users/{id}', {
          params: { path: { id: user.id } },
          body: {
            username: username.trim(),
            display_name: displayName.trim() === '' ? username.trim() : displayName.trim(),
            email: email.trim() === '' ? null : email.trim(),
            roles,
            tier: tierOf(tier),
          },
        }),
      ),
    async onDone(saved) {
      setDisplayName(saved.display_name)
      await onChanged()
      await notify({ title: `${saved.username} is saved`, message: 'The change holds from now on.' })
    },
  })
  const { problemOf } = submission

  return (
    <DrawerSection title="Account">
      <Form submission={submission} submitLabel="Save" failureSentence="Nothing was changed.">
        <TextInput
          label="Username"
          description="What they sign in with."
          autoComplete="off"
          value={username}
          onChange={(change) => setUsername(change.currentTarget.value)}
          error={problemOf('username')}
        />
        <TextInput
          label="Display name"
          value={displayName}
          onChange={(change) => setDisplayName(change.currentTarget.value)}
          error={problemOf('display_name')}
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
          description="How many requests and how much money the account may use."
          data={[...tiers]}
          value={tier}
          onChange={(change) => setTier(change.currentTarget.value)}
          error={problemOf('tier')}
        />
      </Form>
    </DrawerSection>
  )
}
