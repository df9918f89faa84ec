import { useMay } from '../../api/use-may.ts'
import { LongTable } from '../../parts/LongTable.tsx'
import type { Sort } from '../../parts/table-sort.ts'
import { ExecutionName, executionColumns } from './execution-cells.tsx'
import type { ExecutionEntry } from './execution-queries.ts'
import { executionSorts } from './execution-search.ts'

interface ExecutionTableProps {
  readonly label?: string
  /** Undefined while the executions are loading. */
  readonly executions: readonly ExecutionEntry[] | undefined
  readonly hidden?: readonly string[]
  readonly sort: Sort | undefined
  readonly onSort: (sort: Sort | undefined) => void
  readonly selection?: {
    readonly chosen: ReadonlySet<string>
    readonly onChange: (ids: ReadonlySet<string>) => void
  }
  readonly hasMore: boolean
}

const noColumns: readonly string[] = []

/** The server sorts: it reads the rows as far as they are shown. */
const columns = executionColumns.map((column) => ({
  ...column,
  value: undefined,
  sortsOnServer: executionSorts.some((sort) => sort === column.id),
}))

function renderName(entry: ExecutionEntry, link: { readonly tabIndex: number }) {
  return <ExecutionName entry={entry} {...link} />
}

/** The table of executions, each a link to its page. Only managers see those of other accounts. */
export function ExecutionTable(props: ExecutionTableProps) {
  const { label = 'Executions', executions, hidden = noColumns, selection, hasMore } = props
  const seesOthers = useMay('manage workflows')
  return (
    <LongTable
      label={label}
      title="Workflow"
      columns={columns.filter(({ id }) => !hidden.includes(id) && (id !== 'account' || seesOthers))}
      rows={executions}
      rowKey={({ execution_id: id }) => id}
      nameOf={({ flow_label: name, execution_id: id }) => `${name} ${id}`}
      lead={renderName}
      sort={props.sort}
      onSort={props.onSort}
      {...(selection === undefined ? {} : { selection })}
      hasMore={hasMore}
    />
  )
}
