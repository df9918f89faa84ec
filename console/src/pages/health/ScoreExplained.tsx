import { Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { describeService, describeServiceState } from './health-words.ts'
import styles from './ScoreExplained.module.css'
import { type ScorePart, scoreParts } from './score-parts.ts'
import type { Health } from './status-bodies.ts'

const columns: ReadonlyArray<Column<ScorePart>> = [
  { title: 'Service', cell: ({ name }) => describeService(name) },
  { title: 'State', cell: ({ status }) => <Status {...describeServiceState(status)} /> },
  { title: 'Weight', numeric: true, cell: ({ weight }) => weight },
  { title: 'Points', numeric: true, cell: ({ points, most }) => `${oneDigit(points)} of ${oneDigit(most)}` },
]

/** How the score came about, for who wants to know. */
export function ScoreExplained({ health }: { health: Health | undefined }) {
  return (
    <Surface>
      <details className={styles['details']}>
        <summary>How the score comes about</summary>
        <p>
          Each service that is set up counts by its weight: whole when it is online, half when it is degraded,
          not at all when it is offline. Healthy is 90 or more with nothing offline; critical is less than 50,
          or a database that is offline.
        </p>
        <Table
          label="How the score comes about"
          columns={columns}
          rows={health === undefined ? undefined : scoreParts(health.services)}
          rowKey={({ name }) => name}
        />
      </details>
    </Surface>
  )
}

function oneDigit(value: number): string {
  return value.toLocaleString(undefined, { maximumFractionDigits: 1 })
}
