import { SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import type { WholeFlow } from '../flows/flow-bodies.ts'

/** A flow at a glance. */
export function FlowSummary({ flow }: { flow: WholeFlow }) {
  const isCurrent = flow.revision === flow.current_revision
  return (
    <SummaryStrip
      isLoading={false}
      cells={[
        {
          name: 'Version',
          value: flow.version,
          note: isCurrent
            ? `revision ${flow.revision}, the current one`
            : `revision ${flow.revision} of ${flow.current_revision}`,
        },
        { name: 'Steps', value: flow.steps, note: flow.built_in ? 'comes with the platform' : 'made here' },
        {
          name: 'Needs',
          value: flow.required_inputs.length === 0 ? 'nothing special' : flow.required_inputs.join(', '),
          note: 'in the context of an execution',
        },
        {
          name: 'Saved',
          value: <RelativeTime at={new Date(flow.saved_at * 1000).toISOString()} />,
          note: flow.approval_required ? 'each run needs approval' : 'runs need no approval',
        },
      ]}
    />
  )
}
