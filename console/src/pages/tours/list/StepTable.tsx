import { Button } from '@mantine/core'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { apiReferencePath } from '../../../shell/pages.ts'
import styles from './StepTable.module.css'
import { type Tour, toursPath } from './tour-calls.ts'
import { locationWords, wordsOf } from './tour-words.ts'

type Tip = Tour['tips'][number]

const columns: ReadonlyArray<Column<Tip>> = [
  {
    title: 'Step',
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
    cell: ({ selector }) =>
      selector === '' ? (
        <span className={styles['none']}>–</span>
      ) : (
        <code className={styles['code']}>{selector}</code>
      ),
  },
  { title: 'Placement', minWidth: 104, cell: ({ location }) => locationWords[location] },
  {
    title: 'Page',
    minor: true,
    cell: ({ route }) =>
      route === null ? 'All tour pages' : <code className={styles['code']}>{route}</code>,
  },
]

/** The steps of the tour, in their order. */
export function StepTable({ tour: { id, tips } }: { tour: Pick<Tour, 'id' | 'tips'> }) {
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
