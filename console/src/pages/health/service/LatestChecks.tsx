import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { Status } from '../../../parts/Status.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import type { ServiceHistory } from '../health-queries.ts'
import type { HealthRange } from '../health-search.ts'
import { describeServiceState } from '../health-words.ts'
import { describePercentile, nameBar } from '../history-words.ts'
import styles from './ServicePast.module.css'

type Bar = ServiceHistory['bars'][number]

/** Enough to see how it goes. */
const most = 6

/** The latest periods with checks, newest first. */
export function LatestChecks({
  history,
  range,
}: {
  history: ServiceHistory | undefined
  range: HealthRange
}) {
  const bars = history?.bars.filter(({ checks }) => checks > 0).slice(-most) ?? []
  if (bars.length === 0) return null
  return (
    <DrawerSection title="Latest checks">
      <div className={styles['chart']}>
        <Table
          label="Latest checks"
          columns={columnsOf(range)}
          rows={bars.toReversed()}
          rowKey={({ at }) => at}
        />
      </div>
    </DrawerSection>
  )
}

function columnsOf(range: HealthRange): ReadonlyArray<Column<Bar>> {
  return [
    { title: 'Time', cell: ({ at }) => nameBar(at, range) },
    { title: 'State', cell: ({ state }) => <Status {...describeServiceState(state)} /> },
    { title: 'Checks', numeric: true, cell: describeCounts },
    { title: 'Average', numeric: true, cell: ({ average_ms }) => describePercentile(average_ms) },
  ]
}

function describeCounts({ checks, online }: Bar): string {
  return online === checks ? checks.toLocaleString() : `${online} of ${checks} online`
}
