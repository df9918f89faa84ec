import { Link } from '@tanstack/react-router'
import type { User } from '../../api/bodies.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { FactsBox } from '../../parts/FactsBox.tsx'
import { LastUse } from '../../parts/LastUse.tsx'
import { Status } from '../../parts/Status.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'

/** What cannot be edited, and the way to what the account did. */
export function UserFacts({
  user: { id, disabled, disabled_at, created_at, last_login_at },
}: {
  user: User
}) {
  return (
    <FactsBox
      facts={[
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
        { name: 'Account id', value: <Copyable text={id} what="account id" /> },
        { name: 'Created', value: <RelativeTime at={created_at} /> },
        { name: 'Last sign-in', value: <LastUse at={last_login_at} /> },
        {
          name: 'History',
          value: (
            <Link to="/audit" search={{ account: id }}>
              In the audit log
            </Link>
          ),
        },
      ]}
    />
  )
}
