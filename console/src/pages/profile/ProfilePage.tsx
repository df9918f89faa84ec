import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { profileQuery } from '../../api/queries.ts'
import type { Profile } from '../../api/responses.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { type Detail, DetailList } from '../../parts/DetailList.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { notify } from '../../shell/notify.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { Authorizations } from './Authorizations.tsx'
import styles from './ProfilePage.module.css'
import { Sessions } from './Sessions.tsx'

const EditProfile = lazy(() => import('./EditProfile.tsx'))
const ChangePassword = lazy(() => import('./ChangePassword.tsx'))

/** The signed-in account: who it is, where it is signed in, what acts for it. */
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
          <Button size="sm" variant="default" onClick={() => setDialog('profile')}>
            Edit profile
          </Button>
          <Button size="sm" variant="default" onClick={() => setDialog('password')}>
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
