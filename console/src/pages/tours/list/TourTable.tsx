import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { Status } from '../../../parts/Status.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { PublishButton } from './PublishButton.tsx'
import styles from './TourTable.module.css'
import type { Tour, TourNumbers } from './tour-calls.ts'
import type { useMay } from './use-may.ts'

interface TourTableProps {
  readonly tours: readonly Tour[] | undefined
  readonly numbers: ReadonlyMap<string, TourNumbers> | undefined
  readonly may: ReturnType<typeof useMay>
  readonly isNarrowed: boolean
  readonly onShowAll: () => void
  readonly onCreate: () => void
  readonly onChanged: () => Promise<void>
}

/** Tours, each a link to all about it. */
export function TourTable({
  tours,
  numbers,
  may,
  isNarrowed,
  onShowAll,
  onCreate,
  onChanged,
}: TourTableProps) {
  if (tours?.length === 0) return <NoTours {...{ isNarrowed, mayCreate: may.create, onShowAll, onCreate }} />
  return (
    <Table
      label="Tours"
      columns={columnsFor(numbers, may, onChanged)}
      rows={tours}
      rowKey={({ id }) => id}
      placeholderRows={4}
    />
  )
}

function columnsFor(
  numbers: TourTableProps['numbers'],
  may: TourTableProps['may'],
  onChanged: () => Promise<void>,
): ReadonlyArray<Column<Tour>> {
  const none = <span className={styles['none']}>–</span>
  const seen: ReadonlyArray<Column<Tour>> = [
    {
      title: 'Views (30 days)',
      numeric: true,
      minor: true,
      placeholderWidth: 32,
      cell: ({ id }) => numbers?.get(id)?.views.toLocaleString() ?? (numbers === undefined ? null : none),
    },
    {
      title: 'Completed',
      numeric: true,
      placeholderWidth: 40,
      cell: ({ id }) => {
        const rate = numbers?.get(id)?.completion_rate
        if (rate === undefined || rate === null) return numbers === undefined ? null : none
        return <span title="Share of starts">{`${Math.round(rate)} %`}</span>
      },
    },
  ]
  return [
    {
      title: 'Tour',
      placeholderWidth: 160,
      cell: ({ id, label }) => (
        <span className={styles['tour']}>
          <Link to="/admin/structure/recipe-onboarding/tours/$tour" params={{ tour: id }}>
            {label}
          </Link>
          <span className={styles['id']}>{id}</span>
        </span>
      ),
    },
    {
      title: 'State',
      minWidth: 104,
      placeholderWidth: 72,
      cell: ({ status }) =>
        status ? <Status tone="good" word="Published" /> : <Status tone="idle" word="Draft" />,
    },
    { title: 'Steps', numeric: true, placeholderWidth: 24, cell: ({ tips }) => tips.length },
    ...(may.seeAnalytics ? seen : []),
    {
      title: 'Changed',
      numeric: true,
      minor: true,
      placeholderWidth: 56,
      cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
    },
    ...(may.edit
      ? [
          {
            title: 'Actions',
            quiet: true,
            numeric: true,
            placeholderWidth: 56,
            cell: (tour: Tour) => <PublishButton tour={tour} size="row" onChanged={onChanged} />,
          },
        ]
      : []),
  ]
}

interface NoToursProps {
  readonly isNarrowed: boolean
  readonly mayCreate: boolean
  readonly onShowAll: () => void
  readonly onCreate: () => void
}

function NoTours({ isNarrowed, mayCreate, onShowAll, onCreate }: NoToursProps) {
  const link = <Link to="/admin/structure/recipe-onboarding/tours/templates">View templates</Link>
  if (isNarrowed) {
    return (
      <EmptyState
        sentence="No tours match."
        action={
          <Button size="compact-sm" variant="default" onClick={onShowAll}>
            Show all tours
          </Button>
        }
        link={link}
      />
    )
  }
  return (
    <EmptyState
      sentence="No tours yet. A tour explains a page step by step."
      action={
        mayCreate ? (
          <Button size="compact-sm" variant="default" onClick={onCreate}>
            Create the first tour
          </Button>
        ) : null
      }
      link={link}
    />
  )
}
