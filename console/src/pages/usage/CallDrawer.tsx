import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { DetailBox } from '../../parts/DetailBox.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { originDetails, outcomeDetails, usageDetails } from './call-details.tsx'
import { type Call, callQuery } from './usage-queries.ts'

interface CallDrawerProps {
  readonly id: string
  /** The account filter of the page. */
  readonly account: string | undefined
  readonly onClose: () => void
}

/** All fields of one call. */
export default function CallDrawer({ id, account, onClose }: CallDrawerProps) {
  const { data: call, error, refetch } = useQuery(callQuery(useApi(), id, account))
  return (
    <SideDrawer
      title={call ? `Call of ${call.model}` : 'Call'}
      onClose={onClose}
      returnTo={() => findRow(id)}
    >
      {error === null ? null : (
        <FailureNotice what="The call could not be loaded." error={error} onRetry={() => void refetch()} />
      )}
      {call === null ? (
        <p>
          No call has the ID <code>{id}</code>. Single calls are deleted after a while.
        </p>
      ) : null}
      {call ? <Details call={call} /> : null}
    </SideDrawer>
  )
}

function Details({ call }: { call: Call }) {
  return (
    <>
      <DetailBox details={[...outcomeDetails(call), ...usageDetails(call), ...originDetails(call)]} />
      <p>
        <Link to="/usage/calls/$call" params={{ call: call.id }}>
          Show prompt, answer and route
        </Link>
      </p>
      <p>
        <Link to="/playground" search={{ model: call.requested_model }}>
          Open {call.requested_model} in the playground
        </Link>
      </p>
    </>
  )
}
