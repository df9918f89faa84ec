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
    title: 'Points at',
    cell: ({ selector }) =>
      selector === '' ? (
        <span className={styles['none']}>–</span>
      ) : (
        <code className={styles['code']}>{selector}</code>
      ),
  },
  { title: 'Stands', room: 104, cell: ({ location }) => locationWords[location] },
  {
    title: 'On',
    minor: true,
    cell: ({ route }) => (route === null ? 'All its pages' : <code className={styles['code']}>{route}</code>),
  },
]

/** What the tour says, in its order. */
export function StepTable({ tour: { id, tips } }: { tour: Pick<Tour, 'id' | 'tips'> }) {
  if (tips.length === 0) {
    return (
      <EmptyState
        sentence="The tour has no step yet. In the builder, point at something and say what it is for."
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
