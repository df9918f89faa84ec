import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { ApiFailure } from '../../api/api-failure.ts'
import type { User } from '../../api/bodies.ts'
import { userQuery } from '../../api/people-queries.ts'
import { profileQuery } from '../../api/queries.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { EditUser } from './EditUser.tsx'
import type { NewCredentials } from './NewPassword.tsx'
import { SetPassword } from './SetPassword.tsx'
import { UserAccess } from './UserAccess.tsx'
import { UserFacts } from './UserFacts.tsx'

interface UserDrawerProps {
  readonly id: string
  readonly listed: User | undefined
  readonly onChanged: () => Promise<void>
  readonly onPassword: (credentials: NewCredentials) => void
  readonly onClose: () => void
}

/** One account: what it is, what it may do, and the ways to shut it out. */
export default function UserDrawer({ id, listed, onChanged, onPassword, onClose }: UserDrawerProps) {
  const api = useApi()
  const { data: me } = useQuery(profileQuery(api))
  // Once deleted it is no longer listed, and the drawer is about to close: nothing is asked for again.
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
        <p>There is no account with this id.</p>
      ) : (
        <FailureNotice what="The account could not be read." error={error} onRetry={() => void refetch()} />
      )}
      {user === undefined ? null : (
        <>
          <UserFacts user={user} />
          <EditUser user={user} onChanged={onChanged} />
          {/* One's own is changed in the profile, by who knows the old one. */}
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

/** Whether the address names an account that is not there; one that is no id at all is none either. */
function isMissing(error: Error): boolean {
  return error instanceof ApiFailure && (error.status === 404 || error.status === 400)
}
