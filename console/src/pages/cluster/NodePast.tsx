import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { Status } from '../../parts/Status.tsx'
import type { NodeHistory } from './cluster-bodies.ts'
import { HistoryBars, HistoryLine } from './HistoryChart.tsx'
import { sumUp } from './node-words.ts'

/** The last ten minutes of a node: what it was asked, and how soon it began to answer. */
export function NodePast({ history }: { history: NodeHistory | undefined }) {
  if (history === undefined) return null
  const { requests, failures } = sumUp(history)
  const answered = history.first_byte_ms.some((ms) => ms !== null)
  return (
    <DrawerSection title="Last ten minutes">
      <HistoryBars
        title="Requests"
        values={history.requests}
        total={requests === 1 ? '1 request' : `${requests.toLocaleString()} requests`}
      />
      {failures === 0 ? null : <Status tone="warn" word={`${failures.toLocaleString()} failed`} />}
      {answered ? <HistoryLine title="First byte" values={history.first_byte_ms} /> : null}
      <HistoryLine title="Probe" values={history.probe_ms} quiet />
    </DrawerSection>
  )
}
