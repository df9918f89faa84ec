import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import type { Profile } from '../../api/bodies.ts'
import { profileQuery } from '../../api/queries.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { type Fact, Facts } from '../../parts/Facts.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { notify } from '../../shell/notify.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { Authorizations } from './Authorizations.tsx'
import { Permissions } from './Permissions.tsx'
import styles from './ProfilePage.module.css'
import { Sessions } from './Sessions.tsx'

const EditProfile = lazy(() => import('./EditProfile.tsx'))
const ChangePassword = lazy(() => import('./ChangePassword.tsx'))

/** The signed-in account: who it is, where it is signed in, what acts for it. */
export function ProfilePage() {
  const api = useApi()
  const { data: profile, failure, refetch } = useAnswer(profileQuery(api))
  const cache = useQueryClient()
  const [dialog, setDialog] = useState<'profile' | 'password'>()
  const close = () => setDialog(undefined)
  if (profile === undefined && failure !== null) {
    return (
      <Page title="Profile">
        <FailureNotice
          what="Your profile could not be read."
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
        <Facts facts={factsOf(profile)} />
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

function factsOf(profile: Profile | undefined): Fact[] {
  const fact = (name: string, value: (known: Profile) => ReactNode): Fact => ({
    name,
    value: profile === undefined ? <Skeleton width={120} /> : value(profile),
  })
  return [
    fact('Username', ({ username }) => username),
    fact('Display name', ({ display_name }) => display_name),
    fact('Email', ({ email }) => email ?? <span className={styles['quiet']}>not set</span>),
    fact('Account id', ({ id }) => <Copyable text={id} what="account id" />),
    fact('Roles', ({ roles }) => roles.join(', ')),
    fact('Tier', ({ tier }) => tier),
    fact('Member since', ({ created_at }) => <RelativeTime at={created_at} />),
    fact('Last sign-in', ({ last_login_at }) =>
      last_login_at === null ? 'never' : <RelativeTime at={last_login_at} />,
    ),
  ]
}
