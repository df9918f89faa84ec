import { useMemo } from 'react'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { UptimeBars } from '../../parts/UptimeBars.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import type { Service, ServiceHistory } from './health-queries.ts'
import type { HealthRange } from './health-search.ts'
import { describeService, describeServiceState } from './health-words.ts'
import { barsOf, describePercentile, describeUptime, wholeOf } from './history-words.ts'
import styles from './ServiceTable.module.css'

interface Row extends Service {
  /** Undefined while loading. */
  readonly history: ServiceHistory | undefined
}

interface ServiceTableProps {
  readonly services: readonly Service[] | undefined
  readonly history: readonly ServiceHistory[] | undefined
  readonly range: HealthRange
  readonly openName: string | undefined
  readonly onOpen: (name: string) => void
}

/** All services: state, since when, response time and history. */
export function ServiceTable({ services, history, range, openName, onOpen }: ServiceTableProps) {
  const columns = useMemo(() => columnsOf(range), [range])
  const rows = services?.map((service) => ({
    ...service,
    history: history?.find(({ name }) => name === service.name),
  }))
  return (
    <div className={styles['services']}>
      <Table
        label="Services"
        hasFilter={false}
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
        placeholderRows={9}
        onOpen={({ name }) => onOpen(name)}
        isOpen={({ name }) => name === openName}
      />
    </div>
  )
}

/** An empty cell, hidden on narrow screens where each row is a list. */
const none = <span data-none>–</span>

/** The history of a service; undefined while it loads or before its first check. */
function seenOf({ history }: Row): ServiceHistory | undefined {
  return history === undefined || history.checks === 0 ? undefined : history
}

function showSeen(row: Row, describe: (seen: ServiceHistory) => string) {
  const seen = seenOf(row)
  return seen === undefined ? none : describe(seen)
}

function columnsOf(range: HealthRange): ReadonlyArray<Column<Row>> {
  return [
    {
      title: 'Service',
      value: ({ name }) => describeService(name),
      placeholderWidth: 160,
      // The cell always has two lines, so that a status text does not change the row height.
      cell: ({ name, statusText }) => (
        <span className={styles['service']}>
          {describeService(name)}
          <span className={styles['text']} title={statusText}>
            {statusText}
          </span>
        </span>
      ),
    },
    {
      title: 'State',
      value: ({ status }) => describeServiceState(status).word,
      minWidth: 96,
      cell: ({ status }) => <Status {...describeServiceState(status)} />,
    },
    {
      title: 'Since',
      value: ({ since }) => since,
      minWidth: 72,
      minor: true,
      cell: ({ since }) => <RelativeTime at={since} />,
    },
    percentile('p50', ({ p50_ms }) => p50_ms),
    percentile('p95', ({ p95_ms }) => p95_ms),
    {
      title: 'Uptime',
      value: ({ history }) => history?.uptime ?? null,
      numeric: true,
      minWidth: 64,
      placeholderWidth: 48,
      cell: (row) => showSeen(row, describeUptime),
    },
    {
      title: wholeOf(range),
      minWidth: 176,
      placeholderWidth: 160,
      cell: ({ name, history }) => (
        <span className={styles['bars']}>
          {history === undefined ? null : (
            <UptimeBars label={`${describeService(name)}, ${wholeOf(range)}`} bars={barsOf(history, range)} />
          )}
        </span>
      ),
    },
  ]
}

function percentile(title: string, valueOf: (history: ServiceHistory) => number | null): Column<Row> {
  return {
    title,
    value: ({ history }) => (history === undefined ? null : valueOf(history)),
    numeric: true,
    minWidth: 56,
    minor: true,
    placeholderWidth: 40,
    cell: (row) => showSeen(row, (seen) => describePercentile(valueOf(seen))),
  }
}
