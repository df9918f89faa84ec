import { Copyable } from '../../../parts/Copyable.tsx'
import { DetailBox } from '../../../parts/DetailBox.tsx'
import { JsonView } from '../../../parts/JsonView.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { findRow } from '../../../parts/use-row-focus.ts'
import { describeMoment } from '../../../time/describe-time.ts'
import { describeKind, describeWhom, type LiveEvent } from './live-words.ts'

/** All fields of one live event. */
export default function LiveDrawer({ event, onClose }: { event: LiveEvent; onClose: () => void }) {
  const { id, kind, at, data } = event
  return (
    <SideDrawer
      title={`${describeKind(event).title}: ${describeWhom(event)}`}
      onClose={onClose}
      returnTo={() => findRow(id)}
    >
      <DetailBox
        details={[
          { name: 'Event', value: <Copyable text={kind} what="event type" /> },
          { name: 'Time', value: describeMoment(new Date(at)) },
          { name: 'ID', value: <Copyable text={id} what="event ID" /> },
        ]}
      />
      <JsonView value={data} what="event data" />
    </SideDrawer>
  )
}
