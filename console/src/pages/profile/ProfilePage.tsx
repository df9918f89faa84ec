import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { authorizationsQuery, sessionsQuery } from '../../api/access-queries.ts'
import { done } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { profileQuery } from '../../api/queries.ts'
import type { Authorization, Profile, Session } from '../../api/responses.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { Copyable } from '../../parts/Copyable.tsx'
import { type Detail, DetailList } from '../../parts/DetailList.tsx'
import { describeUserAgent } from '../../parts/describe-user-agent.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { RowAction } from '../../parts/RowAction.tsx'
import { Section } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { notify } from '../../shell/notify.ts'
import { apiReferencePath } from '../../shell/pages.ts'
import { LastUse, RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './ProfilePage.module.css'

const EditProfile = lazyPart(() => import('./EditProfile.tsx'))
const ChangePassword = lazyPart(() =>
  import('./EditProfile.tsx').then(({ ChangePassword: it }) => ({ default: it })),
)

/** The signed-in account: profile, sessions, and authorised applications. */
export function ProfilePage() {
  const api = useApi()
  const { data: profile, failure, refetch } = useApiQuery(profileQuery(api))
  const cache = useQueryClient()
  const [dialog, setDialog] = useState<'profile' | 'password'>()
  const close = () => setDialog(undefined)
  if (profile === undefined && failure !== null) {
    return (
      <Page title="Profile">
        <FailureNotice
          what="Your profile could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      </Page>
    )
  }
  return (
    <Page
      title="Profile"
      aside={
        <>
          <Button size="compact-sm" variant="default" onClick={() => setDialog('profile')}>
            Edit profile
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setDialog('password')}>
            Change password
          </Button>
        </>
      }
    >
      <Section title="Account">
        <DetailList details={detailsOf(profile)} />
      </Section>
      <Sessions />
      <Authorizations />
      <Section title="Permissions" note={profile?.permissions.length}>
        <Permissions permissions={profile?.permissions} />
      </Section>
      <Suspense>
        {dialog === 'profile' && profile !== undefined ? (
          <EditProfile
            profile={profile}
            onClose={close}
            onSaved={(saved) => {
              cache.setQueryData(profileQuery(api).queryKey, saved)
              close()
            }}
          />
        ) : null}
        {dialog === 'password' ? (
          <ChangePassword
            onClose={close}
            onChanged={async () => {
              await cache.invalidateQueries({ queryKey: ['sessions'] })
              close()
              await notify({
                title: 'Your password is changed',
                message: 'You are signed out everywhere else.',
              })
            }}
          />
        ) : null}
      </Suspense>
    </Page>
  )
}

function detailsOf(profile: Profile | undefined): Detail[] {
  const fact = (name: string, value: (known: Profile) => ReactNode): Detail => ({
    name,
    value: profile === undefined ? <Skeleton width={120} /> : value(profile),
  })
  return [
    fact('Username', ({ username }) => username),
    fact('Display name', ({ display_name }) => display_name),
    fact('Email', ({ email }) => email ?? <span className={styles['quiet']}>not set</span>),
    fact('Account ID', ({ id }) => <Copyable text={id} what="account ID" />),
    fact('Roles', ({ roles }) => roles.join(', ')),
    fact('Tier', ({ tier }) => tier),
    fact('Member since', ({ created_at }) => <RelativeTime at={created_at} />),
    fact('Last sign-in', ({ last_login_at }) =>
      last_login_at === null ? 'never' : <RelativeTime at={last_login_at} />,
    ),
  ]
}

/** The permissions of all roles of the account. */
function Permissions({ permissions }: { permissions: readonly string[] | undefined }) {
  if (permissions?.length === 0) return <p className={styles['none']}>This account has no permissions.</p>
  return (
    <ul className={styles['permissions']} aria-busy={permissions === undefined}>
      {permissions === undefined
        ? [140, 96, 120, 160, 112, 132].map((width) => (
            <li key={width}>
              <Skeleton width={width} />
            </li>
          ))
        : permissions
            .toSorted((one, other) => one.localeCompare(other))
            .map((name) => <li key={name}>{name}</li>)}
    </ul>
  )
}

const authorizationColumns: ReadonlyArray<Column<Authorization>> = [
  {
    title: 'Application',
    value: ({ client_name: name }) => name,
    placeholderWidth: 120,
    cell: ({ client_name }) => client_name,
  },
  {
    title: 'Scopes',
    value: ({ scopes }) => scopes.join(', '),
    placeholderWidth: 140,
    cell: ({ scopes }) => scopes.join(', ') || 'Profile',
  },
  {
    title: 'Connected',
    value: ({ created_at: at }) => at,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
  {
    title: 'Last used',
    value: ({ last_used_at: at }) => at,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ last_used_at }) => <LastUse at={last_used_at} />,
  },
]

function endAuthorizationColumn(onEnd: (authorization: Authorization) => void): Column<Authorization> {
  return {
    title: 'Disconnect',
    numeric: true,
    quiet: true,
    placeholderWidth: 72,
    cell: (authorization) => (
      <RowAction label="Disconnect" name={authorization.client_name} onClick={() => onEnd(authorization)} />
    ),
  }
}

/** The applications the user has authorised. */
function Authorizations() {
  const api = useApi()
  const cache = useQueryClient()
  const { data: authorizations, failure, refetch } = useApiQuery(authorizationsQuery(api))
  const [ending, setEnding] = useState<Authorization>()
  const columns = useMemo(() => [...authorizationColumns, endAuthorizationColumn(setEnding)], [])

  return (
    <Section title="Connected applications" note={authorizations?.length || undefined}>
      {authorizations === undefined && failure !== null ? (
        <FailureNotice
          what="Your connected applications could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : authorizations === undefined || authorizations.length === 0 ? (
        // Most users have authorised no application: its space is reserved while loading, so that no content jumps.
        <div
          className={styles['empty'] ?? ''}
          data-kept={authorizations === undefined}
          aria-busy={authorizations === undefined}
        >
          <EmptyState
            sentence="No connected applications. Applications appear here when you authorise them; you can disconnect them at any time."
            action={
              <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
                Check again
              </Button>
            }
            link={<a href={apiReferencePath}>About OAuth clients</a>}
          />
        </div>
      ) : (
        <Table
          label="Connected applications"
          name="applications"
          columns={columns}
          rows={authorizations}
          rowKey={({ id }) => id}
        />
      )}
      {ending === undefined ? null : (
        <ConfirmDialog
          title={`Disconnect ${ending.client_name}?`}
          confirmLabel="Disconnect"
          failureSentence="The application is still connected."
          send={({ client }) =>
            done(client.DELETE('/api/v1/authorizations/{id}', { params: { path: { id: ending.id } } }))
          }
          onDone={async () => {
            await cache.invalidateQueries({ queryKey: ['authorizations'] })
          }}
          onClose={() => setEnding(undefined)}
        >
          <p>
            The application loses access immediately: its tokens are rejected. You can authorise it again
            later.
          </p>
        </ConfirmDialog>
      )}
    </Section>
  )
}

const sessionColumns: ReadonlyArray<Column<Session>> = [
  {
    title: 'Device',
    value: ({ user_agent: agent }) => describeUserAgent(agent),
    placeholderWidth: 120,
    cell: ({ user_agent }) => <span title={user_agent ?? ''}>{describeUserAgent(user_agent)}</span>,
  },
  {
    title: 'Type',
    value: describeSession,
    minor: true,
    minWidth: 72,
    placeholderWidth: 64,
    cell: describeSession,
  },
  { title: 'IP address', value: ({ ip }) => ip, minWidth: 80, placeholderWidth: 72, cell: ({ ip }) => ip },
  {
    title: 'Signed in',
    value: ({ created_at: at }) => at,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
  {
    title: 'Last seen',
    value: ({ last_seen_at: at }) => at,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ last_seen_at }) => <RelativeTime at={last_seen_at} />,
  },
  {
    title: 'Expires',
    value: ({ expires_at: at }) => at,
    numeric: true,
    minor: true,
    placeholderWidth: 48,
    cell: ({ expires_at }) => <RelativeTime at={expires_at} />,
  },
]

function describeSession({ kind }: Session): string {
  return kind === 'browser' ? 'Browser' : 'Program (token)'
}

function endSessionColumn(onEnd: (session: Session) => void): Column<Session> {
  return {
    title: 'Sign out',
    numeric: true,
    quiet: true,
    placeholderWidth: 64,
    cell: (session) =>
      session.current ? (
        <Status tone="good" word="This session" />
      ) : (
        <RowAction
          label="Sign out"
          name={describeUserAgent(session.user_agent)}
          onClick={() => onEnd(session)}
        />
      ),
  }
}

/** The sessions of the account, with sign-out. */
function Sessions() {
  const api = useApi()
  const cache = useQueryClient()
  const { data: sessions, failure, refetch } = useApiQuery(sessionsQuery(api))
  const [ending, setEnding] = useState<Session | 'others'>()
  const others = sessions?.filter(({ current }) => !current).length ?? 0
  const refresh = () => cache.invalidateQueries({ queryKey: ['sessions'] })
  const columns = useMemo(() => [...sessionColumns, endSessionColumn(setEnding)], [])

  return (
    <Section
      title="Sessions"
      note={sessions?.length}
      aside={
        others === 0 ? undefined : (
          <Button size="compact-sm" variant="default" onClick={() => setEnding('others')}>
            Sign out all other sessions
          </Button>
        )
      }
    >
      {sessions === undefined && failure !== null ? (
        <FailureNotice
          what="Your sessions could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <Table
          label="Sessions"
          name="sessions"
          columns={columns}
          rows={sessions}
          rowKey={({ id }) => id}
          placeholderRows={1}
        />
      )}
      {ending === 'others' ? (
        <ConfirmDialog
          title="Sign out all other sessions?"
          confirmLabel="Sign out all other sessions"
          failureSentence="The other sessions were not signed out."
          send={({ client }) => done(client.DELETE('/api/v1/sessions'))}
          onDone={refresh}
          onClose={() => setEnding(undefined)}
        >
          <p>
            {others === 1 ? 'One other session has' : `${others} other sessions have`} to sign in again. This
            session stays signed in, and API keys keep working.
          </p>
        </ConfirmDialog>
      ) : null}
      {ending === undefined || ending === 'others' ? null : (
        <ConfirmDialog
          title={`Sign out ${describeUserAgent(ending.user_agent)}?`}
          confirmLabel="Sign out"
          failureSentence="The session was not signed out."
          send={({ client }) =>
            done(client.DELETE('/api/v1/sessions/{id}', { params: { path: { id: ending.id } } }))
          }
          onDone={refresh}
          onClose={() => setEnding(undefined)}
        >
          <p>
            The session signed in from {ending.ip} <RelativeTime at={ending.created_at} />
            and has to sign in again.
          </p>
        </ConfirmDialog>
      )}
    </Section>
  )
}
