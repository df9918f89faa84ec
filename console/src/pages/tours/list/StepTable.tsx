import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { apiReferencePath } from '../../../shell/pages.ts'
import { AdvanceSelect } from './AdvanceSelect.tsx'
import styles from './StepTable.module.css'
import { type Tour, toursPath } from './tour-calls.ts'
import { advanceWords, locationWords, wordsOf } from './tour-words.ts'

type Tip = Tour['tips'][number]

const columnsOf = (id: string, mayEdit: boolean): ReadonlyArray<Column<Tip>> => [
  {
    title: 'Step',
    value: ({ weight }) => weight,
    cell: ({ weight, label, body }) => (
      <span className={styles['step']}>
        <span>
          {weight}. {label}
        </span>
        <span className={styles['words']}>{wordsOf(body)}</span>
      </span>
    ),
  },
  {
    title: 'Element',
    value: ({ selector }) => selector || null,
    cell: ({ selector }) =>
      selector === '' ? (
        <span className={styles['none']}>–</span>
      ) : (
        <code className={styles['code']}>{selector}</code>
      ),
  },
  {
    title: 'Placement',
    value: ({ location }) => locationWords[location],
    minWidth: 104,
    cell: ({ location }) => locationWords[location],
  },
  {
    title: 'Continues with',
    value: ({ advance }) => advanceWords[advance],
    minWidth: 180,
    minor: true,
    cell: (tip) =>
      mayEdit && tip.selector !== '' ? <AdvanceSelect tour={id} tip={tip} /> : advanceWords[tip.advance],
  },
  {
    title: 'Page',
    value: ({ route }) => route,
    minor: true,
    cell: ({ route }) =>
      route === null ? 'All tour pages' : <code className={styles['code']}>{route}</code>,
  },
]

interface StepTableProps {
  readonly tour: Pick<Tour, 'id' | 'tips'>
  readonly mayEdit: boolean
}

/** The steps of the tour, in their order. */
export function StepTable({ tour: { id, tips }, mayEdit }: StepTableProps) {
  const columns = useMemo(() => columnsOf(id, mayEdit), [id, mayEdit])
  if (tips.length === 0) {
    return (
      <EmptyState
        sentence="This tour has no steps yet. Add them in the builder."
        action={
          <Button
            size="compact-sm"
            variant="default"
            component="a"
            href={`${toursPath}/${encodeURIComponent(id)}/builder`}
          >
            Open builder
          </Button>
        }
        link={<a href={apiReferencePath}>Add steps through the API</a>}
      />
    )
  }
  return <Table label="Steps" columns={columns} rows={tips} rowKey={(tip) => tip.id} />
}
