import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeMilliseconds } from '../cluster/node-words.ts'
import { ProbeButton } from './ProbeButton.tsx'
import styles from './ProviderTable.module.css'
import type { Provider } from './provider-bodies.ts'
import { describeKey, describeProvider, providerStates } from './provider-words.ts'

const columns: ReadonlyArray<Column<Provider>> = [
  { title: 'Provider', placeholderWidth: 80, cell: ({ name }) => describeProvider(name) },
  {
    title: 'State',
    room: 120,
    cell: ({ state, problem }) => (
      <span className={styles['state']}>
        <Status {...providerStates[state]} />
        {problem === null ? null : <span className={styles['problem']}>{problem}</span>}
      </span>
    ),
  },
  { title: 'Key', room: 96, placeholderWidth: 120, cell: describeKey },
  {
    title: 'Models',
    numeric: true,
    placeholderWidth: 24,
    cell: ({ models }) => models.toLocaleString(),
  },
  {
    title: 'Answered in',
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ response_ms }) => (response_ms === null ? '–' : describeMilliseconds(Math.round(response_ms))),
  },
  {
    title: 'Checked',
    numeric: true,
    minor: true,
    placeholderWidth: 56,
    cell: ({ checked_at }) => <RelativeTime at={checked_at} />,
  },
  {
    title: 'Check now',
    numeric: true,
    quiet: true,
    placeholderWidth: 64,
    cell: (provider) => <ProbeButton provider={provider} size="compact-xs" />,
  },
]

interface ProviderTableProps {
  readonly providers: readonly Provider[] | undefined
  readonly openName: string | undefined
  readonly onOpen: (name: string) => void
}

/** Who provides models. A row opens how one is set up. */
export function ProviderTable({ providers, openName, onOpen }: ProviderTableProps) {
  return (
    <Table
      label="Providers"
      columns={columns}
      rows={providers}
      rowKey={({ name }) => name}
      placeholderRows={4}
      onOpen={({ name }) => onOpen(name)}
      isOpen={({ name }) => name === openName}
    />
  )
}
