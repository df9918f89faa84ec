import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { oauthClientQuery } from '../../api/access-queries.ts'
import { useApi } from '../../api/api-context.ts'
import { ApiFailure } from '../../api/api-failure.ts'
import type { OauthClient } from '../../api/bodies.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { FactsBox } from '../../parts/FactsBox.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { LastUse } from '../../parts/LastUse.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { ClientAccess } from './ClientAccess.tsx'
import type { NewClient } from './ClientCredentials.tsx'
import { kindOf } from './client-kinds.ts'
import { EditClient } from './EditClient.tsx'

interface ClientDrawerProps {
  readonly clientId: string
  readonly listed: OauthClient | undefined
  readonly onChanged: () => Promise<void>
  readonly onNewSecret: (client: NewClient) => Promise<void>
  readonly onClose: () => void
}

/** One client: what it is, what it may ask for, its secret, and deleting it. */
export default function ClientDrawer(props: ClientDrawerProps) {
  const { clientId, listed, onChanged, onNewSecret, onClose } = props
  // Once deleted it is no longer listed, and the drawer is about to close: nothing is asked for again.
  const [openedWith] = useState(listed)
  const isUnknown = listed === undefined && openedWith === undefined
  const {
    data: found,
    error,
    refetch,
  } = useQuery({ ...oauthClientQuery(useApi(), clientId), enabled: isUnknown })
  const [covered, setCovered] = useState(false)
  const client = listed ?? found ?? openedWith
  return (
    <SideDrawer
      title={client?.name ?? 'OAuth client'}
      onClose={onClose}
      returnTo={() => findRow(clientId)}
      covered={covered}
      holdsInput
    >
      {error === null || client !== undefined ? null : isMissing(error) ? (
        <p>There is no client with this id, or it is not yours.</p>
      ) : (
        <FailureNotice what="The client could not be read." error={error} onRetry={() => void refetch()} />
      )}
      {client === undefined ? null : (
        <>
          <FactsBox
            facts={[
              { name: 'Client id', value: <Copyable text={client.client_id} what="client id" /> },
              { name: 'Kind', value: kindOf(client) },
              { name: 'Grants', value: client.grant_types.join(', ') },
              { name: 'Owner', value: client.username },
              { name: 'Registered', value: <RelativeTime at={client.created_at} /> },
              { name: 'Last used', value: <LastUse at={client.last_used_at} /> },
            ]}
          />
          <EditClient client={client} onChanged={onChanged} />
          <ClientAccess
            client={client}
            onCovered={setCovered}
            onNewSecret={onNewSecret}
            onDeleted={async () => {
              await onChanged()
              onClose()
            }}
          />
        </>
      )}
    </SideDrawer>
  )
}

/** Whether the address names a client that is not there; one that is no id at all is none either. */
function isMissing(error: Error): boolean {
  return error instanceof ApiFailure && (error.status === 404 || error.status === 400)
}
