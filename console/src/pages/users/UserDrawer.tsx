import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Api, bodyOf, done } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { ApiFailure } from '../../api/api-failure.ts'
import { userQuery } from '../../api/people-queries.ts'
import { profileQuery } from '../../api/queries.ts'
import type { User } from '../../api/responses.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { Copyable } from '../../parts/Copyable.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { DetailBox } from '../../parts/DetailBox.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Status } from '../../parts/Status.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { LastUse, RelativeTime } from '../../time/RelativeTime.tsx'
import { givenRoles } from './given-roles.ts'
import type { NewCredentials } from './NewPassword.tsx'
import { PasswordField } from './PasswordField.tsx'
import { RoleChoice } from './RoleChoice.tsx'
import { tierOf, tiers } from './tiers.ts'

interface UserDrawerProps {
  readonly id: string
  readonly listed: User | undefined
  readonly onChanged: () => Promise<void>
  readonly onPassword: (credentials: NewCredentials) => void
  readonly onClose: () => void
}

/** One account: profile, roles, and the actions to disable and delete it. */
export default function UserDrawer({ id, listed, onChanged, onPassword, onClose }: UserDrawerProps) {
  const api = useApi()
  const { data: me } = useQuery(profileQuery(api))
  // A deleted account is not refetched: it is no longer listed, and the drawer is about to close.
  const [openedWith] = useState(listed)
  const isUnknown = listed === undefined && openedWith === undefined
  const { data: found, error, refetch } = useQuery({ ...userQuery(api, id), enabled: isUnknown })
  const [covered, setCovered] = useState(false)
  const user = listed ?? found ?? openedWith
  const isSelf = me !== undefined && me.id === user?.id
  return (
    <SideDrawer
      title={user?.username ?? 'User'}
      onClose={onClose}
      returnTo={() => findRow(id)}
      covered={covered}
      holdsInput
    >
      {error === null || user !== undefined ? null : isMissing(error) ? (
        <p>No account has this ID.</p>
      ) : (
        <FailureNotice what="The account could not be loaded." error={error} onRetry={() => void refetch()} />
      )}
      {user === undefined ? null : (
        <>
          <UserDetails user={user} />
          <EditUser user={user} onChanged={onChanged} />
          {/* Users change their own password in the profile, which requires the current one. */}
          {isSelf ? null : (
            <SetPassword
              user={user}
              onSet={(credentials) => {
                onClose()
                onPassword(credentials)
              }}
            />
          )}
          <UserAccess
            user={user}
            isSelf={isSelf}
            onCovered={setCovered}
            onChanged={onChanged}
            onDeleted={onClose}
          />
        </>
      )}
    </SideDrawer>
  )
}

/** Whether the account does not exist. The server answers 400 to an id in a wrong format. */
function isMissing(error: Error): boolean {
  return error instanceof ApiFailure && (error.status === 404 || error.status === 400)
}

interface SetPasswordProps {
  readonly user: User
  readonly onSet: (credentials: NewCredentials) => void
}

/** Resets a lost or leaked password. */
function SetPassword({ user, onSet }: SetPasswordProps) {
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
      about="Signs the account out everywhere and disconnects its applications. API keys keep working."
    >
      <Form
        submission={submission}
        submitLabel="Set password"
        failureSentence="The password was not changed."
      >
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

/** The read-only fields of an account, and the link to its audit log. */
function UserDetails({ user: { id, disabled, disabled_at, created_at, last_login_at } }: { user: User }) {
  return (
    <DetailBox
      details={[
        {
          name: 'State',
          value: disabled ? (
            <>
              <Status tone="warn" word="Disabled" />
              {disabled_at === null ? null : <RelativeTime at={disabled_at} />}
            </>
          ) : (
            <Status tone="good" word="Active" />
          ),
        },
        { name: 'Account ID', value: <Copyable text={id} what="account ID" /> },
        { name: 'Created', value: <RelativeTime at={created_at} /> },
        { name: 'Last sign-in', value: <LastUse at={last_login_at} /> },
        {
          name: 'History',
          value: (
            <Link to="/audit" search={{ account: id }}>
              View audit log
            </Link>
          ),
        },
      ]}
    />
  )
}

/** The form of an account: names, email, roles and tier. */
function EditUser({ user, onChanged }: { user: User; onChanged: () => Promise<void> }) {
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
      await notify({ title: `${saved.username} is saved`, message: 'The change applies immediately.' })
    },
  })
  const { problemOf } = submission

  return (
    <DrawerSection title="Account">
      <Form submission={submission} submitLabel="Save" failureSentence="Nothing was changed.">
        <TextInput
          label="Username"
          description="Used to sign in."
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
          description="Sets the request limits and the budget of the account."
          data={[...tiers]}
          value={tier}
          onChange={(change) => setTier(change.currentTarget.value)}
          error={problemOf('tier')}
        />
      </Form>
    </DrawerSection>
  )
}

interface UserAccessProps {
  readonly user: User
  readonly isSelf: boolean
  /** Called when a confirmation dialog opens in front of the drawer, and when it closes. */
  readonly onCovered: (covered: boolean) => void
  readonly onChanged: () => Promise<void>
  readonly onDeleted: () => void
}

/** Disables, enables or deletes an account. */
function UserAccess({ user, isSelf, onCovered, onChanged, onDeleted }: UserAccessProps) {
  const api = useApi()
  const [asking, setAsking] = useState<'disable' | 'delete'>()
  const ask = (question: 'disable' | 'delete' | undefined) => {
    setAsking(question)
    onCovered(question !== undefined)
  }
  const params = { path: { id: user.id } }
  const setDisabled = (through: Api, disabled: boolean) =>
    bodyOf(through.client.PATCH('/api/v1/users/{id}', { params, body: { disabled } }))
  const enabling = useMutation({ mutationFn: () => setDisabled(api, false), onSuccess: onChanged })

  return (
    <DrawerSection
      title="Access"
      about={
        isSelf
          ? 'This is your own account: another administrator has to disable or delete it.'
          : user.disabled
            ? 'This account is disabled: sign-in, API keys and tokens are rejected.'
            : 'Disabling rejects every sign-in, API key and token of the account until it is enabled again.'
      }
      ways={
        isSelf ? undefined : (
          <>
            {user.disabled ? (
              <Button size="sm" variant="default" onClick={() => enabling.mutate()}>
                Enable
              </Button>
            ) : (
              <Button size="sm" variant="default" onClick={() => ask('disable')}>
                Disable…
              </Button>
            )}
            <DangerButton kind="ask" onClick={() => ask('delete')}>
              Delete…
            </DangerButton>
          </>
        )
      }
    >
      {enabling.error === null ? null : (
        <FailureNotice
          what="The account is still disabled."
          error={enabling.error}
          onRetry={() => enabling.mutate()}
        />
      )}
      {asking === 'disable' ? (
        <ConfirmDialog
          title={`Disable ${user.username}?`}
          confirmLabel="Disable account"
          failureSentence="The account was not disabled."
          send={(it) => setDisabled(it, true)}
          onDone={onChanged}
          onClose={() => ask(undefined)}
        >
          <p>
            {user.username} is signed out everywhere, and every API key and token of the account is rejected.
            Nothing is deleted: you can enable the account again.
          </p>
        </ConfirmDialog>
      ) : null}
      {asking === 'delete' ? (
        <ConfirmDialog
          title={`Delete ${user.username}?`}
          confirmLabel="Delete account"
          failureSentence="The account was not deleted."
          send={({ client }) => done(client.DELETE('/api/v1/users/{id}', { params }))}
          onDone={async () => {
            await onChanged()
            onDeleted()
          }}
          onClose={() => ask(undefined)}
        >
          <p>
            Deletes the account with its sessions, API keys and OAuth clients. Programs that use them stop
            working. This cannot be undone.
          </p>
        </ConfirmDialog>
      ) : null}
    </DrawerSection>
  )
}
