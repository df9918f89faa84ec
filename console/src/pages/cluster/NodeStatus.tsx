import { Status } from '../../parts/Status.tsx'
import type { NodeRecord } from './cluster-query.ts'
import styles from './NodeStatus.module.css'
import { describeNodeState, describeReason } from './node-words.ts'

type StatusDetails = Pick<NodeRecord, 'status' | 'active_connections' | 'last_error' | 'last_check'>

/** The state of a node, and its reason. */
export function NodeStatus({ node }: { node: StatusDetails }) {
  const reason = describeReason(node)
  return (
    <span className={styles['reasoned']}>
      <Status {...describeNodeState(node.status, node.last_check !== null)} />
      {reason === undefined ? null : <span className={styles['reason']}>{reason}</span>}
    </span>
  )
}
