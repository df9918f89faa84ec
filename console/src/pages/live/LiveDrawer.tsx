import { Copyable } from '../../parts/Copyable.tsx'
import { FactsBox } from '../../parts/FactsBox.tsx'
import { JsonView } from '../../parts/JsonView.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { describeMoment } from '../../time/describe-time.ts'
import { describeKind, describeWhom, type LiveEvent } from './live-words.ts'

/** One thing that happened, whole. */
export default function LiveDrawer({ event, onClose }: { event: LiveEvent; onClose: () => void }) {
  const { id, kind, at, data } = event
  return (
    <SideDrawer
      title={`${describeKind(event).title}: ${describeWhom(event)}`}
      onClose={onClose}
      returnTo={() => findRow(id)}
    >
      <FactsBox
        facts={[
          { name: 'Event', value: <Copyable text={kind} what="kind of event" /> },
          { name: 'Happened', value: describeMoment(new Date(at)) },
          { name: 'Id', value: <Copyable text={id} what="event id" /> },
        ]}
      />
      <JsonView value={data} what="event data" />
    </SideDrawer>
  )
}
