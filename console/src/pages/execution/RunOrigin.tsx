import { Link } from '@tanstack/react-router'
import type { Trace } from '../executions/execution-bodies.ts'

/** Drafts that were tried are called so: no flow of this id can be saved, and none has a page. */
const draftPrefix = 'draft:'

/** What ran: the way to its flow, unless it was a try of a draft. */
export function RunOrigin({ trace: { flow_id: flow, flow_version: version } }: { trace: Trace }) {
  if (flow.startsWith(draftPrefix)) return 'A try of a draft'
  return (
    <>
      Version {version} of{' '}
      <Link to="/flows/$flow" params={{ flow }} search={{ version }}>
        {flow}
      </Link>
    </>
  )
}
