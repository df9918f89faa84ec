import { Link } from '@tanstack/react-router'
import { describeDollars } from '../../parts/describe-amount.ts'
import { Status } from '../../parts/Status.tsx'
import type { Column } from '../../parts/Table.tsx'
import { describeDuration } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './execution-cells.module.css'
import type { HideableColumn } from './execution-columns.ts'
import type { ExecutionEntry } from './execution-queries.ts'
import { listedStateWords, triggerWords } from './execution-words.ts'

/** The name of the workflow as the link to the execution, and the end of its id. */
export function ExecutionName({
  entry: { flow_label: label, execution_id: id, items },
  ...link
}: {
  entry: ExecutionEntry
  tabIndex?: number
}) {
  return (
    <span>
      <Link to="/executions/$execution" params={{ execution: id }} {...link}>
        {label}
      </Link>
      <span className={styles['id']}>
        {id.slice(-12)}
        {items === 0 ? '' : ` · ${items} items`}
      </span>
    </span>
  )
}

/** What a list shows of an execution, besides its name. */
export const executionColumns: ReadonlyArray<
  Column<ExecutionEntry> & { readonly id: HideableColumn | 'state' }
> = [
  {
    id: 'state',
    title: 'State',
    minWidth: 144,
    placeholderWidth: 80,
    value: ({ state }) => listedStateWords[state].word,
    cell: ({ state, error_message: error, error_code: code }) => (
      <span className={styles['state']}>
        <Status {...listedStateWords[state]} title={error ?? listedStateWords[state].title} />
        {error === null ? null : (
          <span className={styles['error']} title={`${code}: ${error}`}>
            {error.split('\n', 1)[0]?.slice(0, 120)}
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'version',
    title: 'Version',
    numeric: true,
    minor: true,
    placeholderWidth: 24,
    cell: ({ flow_version: version }) => version,
  },
  {
    id: 'trigger',
    title: 'Trigger',
    minor: true,
    placeholderWidth: 56,
    cell: ({ trigger }) => triggerWords[trigger] ?? trigger,
  },
  {
    id: 'account',
    title: 'Account',
    minor: true,
    placeholderWidth: 64,
    cell: ({ account_name: name, account_id: id }) => name ?? `Deleted (${id.slice(-6)})`,
  },
  {
    id: 'duration',
    title: 'Duration',
    numeric: true,
    placeholderWidth: 48,
    value: ({ duration }) => duration,
    cell: ({ duration }) => (duration === null ? '–' : describeDuration(duration)),
  },
  {
    id: 'cost',
    title: 'Cost',
    numeric: true,
    placeholderWidth: 40,
    value: ({ total_cost: dollars }) => dollars,
    cell: ({ total_cost: dollars, unpriced }) => (
      <span title={unpriced ? 'A model without a known price was used.' : undefined}>
        {`${describeDollars(Math.round(dollars * 1e6))}${unpriced ? ' +' : ''}`}
      </span>
    ),
  },
  {
    id: 'tokens',
    title: 'Tokens',
    numeric: true,
    minor: true,
    placeholderWidth: 40,
    cell: ({ tokens }) => (tokens === null ? '–' : tokens.toLocaleString()),
  },
  {
    id: 'created',
    title: 'Created',
    numeric: true,
    placeholderWidth: 56,
    value: ({ created_at: at }) => at,
    cell: ({ created_at: at }) => <RelativeTime at={new Date(at * 1000).toISOString()} />,
  },
]
