import { Button } from '@mantine/core'
import { Fragment } from 'react'
import { describeDollars } from '../../parts/describe-amount.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { describeDuration } from '../../time/describe-time.ts'
import type { Trace } from '../executions/execution-queries.ts'
import { stateWords } from '../executions/execution-words.ts'
import styles from './ScopeList.module.css'

type Scope = Trace['scopes'][number]

interface ScopeListProps {
  /** The trace within a container. */
  readonly trace: Trace
  readonly page: number
  readonly onPage: (page: number) => void
  readonly onOpen: (scope: string) => void
}

/** The scopes of a container, for example the items of a loop: failed ones first. */
export function ScopeList({ trace, page, onPage, onOpen }: ScopeListProps) {
  const { within, scopes, scopes_total: total } = trace
  if (scopes.length === 0)
    return (
      <Surface>
        <EmptyState
          sentence={total === 0 ? 'There was nothing to repeat.' : 'No step in it has ended yet.'}
          action={
            <Button size="compact-sm" variant="default" onClick={() => onPage(1)}>
              Show the first ones
            </Button>
          }
          link={<a href={apiReferencePath}>Read about containers</a>}
        />
      </Surface>
    )
  return (
    <div className={styles['list']}>
      <Surface>
        <Table
          label="Items"
          columns={columns}
          rows={scopes}
          total={total}
          rowKey={({ index }) => index}
          onOpen={({ index }) => onOpen(`${within}/${index}`)}
        />
      </Surface>
      <Pager
        order="in the order of the list"
        label="Pages of items"
        page={page}
        total={total}
        onPage={onPage}
      />
    </div>
  )
}

const columns: ReadonlyArray<Column<Scope>> = [
  { title: 'Item', value: ({ index }) => index, cell: ({ index }) => `Item ${index + 1}` },
  {
    title: 'State',
    value: ({ state }) => stateWords[state].word,
    cell: ({ state }) => <Status {...stateWords[state]} />,
  },
  {
    title: 'Value',
    value: ({ label }) => label || null,
    minWidth: 120,
    minor: true,
    cell: ({ label }) => label || '–',
  },
  {
    title: 'Error',
    value: ({ error }) => error?.message ?? null,
    minWidth: 120,
    cell: ({ error }) => error?.message ?? '–',
  },
  {
    title: 'Duration',
    value: ({ started_at: from, finished_at: to }) => (from === null || to === null ? null : to - from),
    numeric: true,
    cell: ({ started_at: from, finished_at: to }) =>
      from === null || to === null ? '–' : describeDuration(to - from),
  },
  {
    title: 'Cost',
    value: ({ cost }) => cost,
    numeric: true,
    minor: true,
    cell: ({ cost, unpriced }) =>
      unpriced && cost === 0 ? 'Price unknown' : describeDollars(Math.round(cost * 1e6)),
  },
]

interface BreadcrumbProps {
  readonly trace: Trace
  /** The container or the scope that is open. */
  readonly within: string
  readonly onOpen: (part: string | undefined) => void
}

/** The way from the workflow to the open scope. */
export function Breadcrumb({ trace, within, onOpen }: BreadcrumbProps) {
  const parts = within.split('/')
  const way = parts.map((part, index) => ({
    path: parts.slice(0, index + 1).join('/'),
    word:
      index % 2 === 1
        ? `Item ${Number(part) + 1}`
        : (trace.steps.find(({ step_id }) => step_id === part)?.label ?? part),
  }))
  return (
    <nav aria-label="Open part" className={styles['way']}>
      <button type="button" onClick={() => onOpen(undefined)}>
        All steps
      </button>
      {way.map(({ path, word }) => (
        <Fragment key={path}>
          <span aria-hidden>›</span>
          {path === within ? (
            <span aria-current="page">{word}</span>
          ) : (
            <button type="button" onClick={() => onOpen(path)}>
              {word}
            </button>
          )}
        </Fragment>
      ))}
    </nav>
  )
}
