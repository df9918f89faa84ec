import { Button } from '@mantine/core'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import { AccountName } from './AccountName.tsx'
import { describeCallCost, describeOutcome } from './call-words.ts'
import type { Call } from './usage-bodies.ts'

const countOf = (tokens: number | null) => (tokens === null ? '–' : tokens.toLocaleString())
const timeOf = (ms: number | null) => (ms === null ? '–' : describeMilliseconds(ms))

const model: Column<Call> = { title: 'Model', placeholderWidth: 120, cell: (call) => call.model }

const account: Column<Call> = {
  title: 'Account',
  room: 72,
  placeholderWidth: 72,
  cell: (call) => <AccountName id={call.account} />,
}

const about: ReadonlyArray<Column<Call>> = [
  {
    title: 'Outcome',
    room: 96,
    cell: ({ outcome, cache_hit }) => (
      <Status {...describeOutcome(outcome)} {...(cache_hit ? { word: 'From memory' } : {})} />
    ),
  },
  {
    title: 'In',
    numeric: true,
    placeholderWidth: 32,
    cell: ({ input_tokens }) => countOf(input_tokens),
  },
  {
    title: 'Out',
    numeric: true,
    placeholderWidth: 32,
    cell: ({ output_tokens }) => countOf(output_tokens),
  },
  {
    title: 'First token',
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ first_token_ms }) => timeOf(first_token_ms),
  },
  {
    title: 'Took',
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ latency_ms }) => timeOf(latency_ms),
  },
  { title: 'Cost', numeric: true, placeholderWidth: 56, cell: describeCallCost },
  {
    title: 'When',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ started_at }) => <RelativeTime at={started_at} />,
  },
]

const ownColumns = [model, ...about]
const allColumns = [model, account, ...about]

interface CallTableProps {
  readonly calls: readonly Call[] | undefined
  readonly openId: string | undefined
  /** Of all accounts, so that each call says whose it is. */
  readonly ofAll: boolean
  readonly isFiltered: boolean
  readonly onOpen: (call: Call) => void
  readonly onClear: () => void
}

/** Single calls. A row opens all there is to know about one. */
export function CallTable({ calls, openId, ofAll, isFiltered, onOpen, onClear }: CallTableProps) {
  if (calls?.length === 0) {
    return (
      <EmptyState
        sentence={
          isFiltered
            ? 'No call in these days is like that.'
            : 'There is no single call of these days; calls are kept for a while, and their sums for good.'
        }
        action={
          isFiltered ? (
            <Button size="compact-sm" variant="default" onClick={onClear}>
              Show all calls
            </Button>
          ) : null
        }
        link={<a href={apiReferencePath}>Read calls through the API</a>}
      />
    )
  }
  return (
    <Table
      label="Calls"
      columns={ofAll ? allColumns : ownColumns}
      rows={calls}
      rowKey={({ id }) => id}
      placeholderRows={6}
      onOpen={onOpen}
      isOpen={({ id }) => id === openId}
    />
  )
}
