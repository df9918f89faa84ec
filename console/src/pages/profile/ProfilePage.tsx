import type { ReactNode } from 'react'
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
import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './ProfilePage.module.css'

/** The signed-in account as the platform knows it. */
export function ProfilePage() {
  const { data: profile, failure, refetch } = useAnswer(profileQuery(useApi()))
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
    <Page title="Profile">
      <Section title="Account">
        <Facts facts={factsOf(profile)} />
      </Section>
      <Section title="Permissions" note={profile?.permissions.length}>
        <Permissions permissions={profile?.permissions} />
      </Section>
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
    fact('Display name', ({ display_name }) => display_name ?? <Unset />),
    fact('Email', ({ email }) => email ?? <Unset />),
    fact('Account id', ({ id }) => <Copyable text={id} what="account id" />),
    fact('Roles', ({ roles }) => (roles.length === 0 ? <Unset /> : roles.join(', '))),
    fact('Tier', ({ tier }) => tier),
    fact('Member since', ({ created_at }) => <RelativeTime at={created_at} />),
    fact('Last sign-in', ({ last_login_at }) =>
      last_login_at === null ? 'never' : <RelativeTime at={last_login_at} />,
    ),
  ]
}

function Unset() {
  return <span className={styles['quiet']}>not set</span>
}

function Permissions({ permissions }: { permissions: readonly string[] | undefined }) {
  if (permissions?.length === 0)
    return <p className={styles['none']}>This account has no permissions of its own.</p>
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
