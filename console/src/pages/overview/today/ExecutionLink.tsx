import { Link } from '@tanstack/react-router'
import type { ExecutionEntry } from '../../executions/execution-queries.ts'
import styles from './today.module.css'

/** An execution by its flow and the end of its id, leading to all about it. */
export function ExecutionLink({
  execution,
}: {
  execution: Pick<ExecutionEntry, 'execution_id' | 'flow_label'>
}) {
  const { execution_id: id, flow_label: label } = execution
  return (
    <span>
      <Link to="/executions/$execution" params={{ execution: id }}>
        {label}
      </Link>
      <span className={styles['id']}>{id.slice(-12)}</span>
    </span>
  )
}
