import type { Logger } from '#kernel/telemetry'
import type { NodeChange } from './nodes/change-feed.ts'
import type { NodeStatus } from './nodes/node-record.ts'

/** Tells the log when a node goes into another state, or goes. */
export function logNodeChange(change: NodeChange, log: Logger): void {
  const { id, url, status, last_error: reason } = change.node
  if (change.kind === 'removed') {
    log.info({ node: id, url }, 'model node is gone')
  } else if (status !== change.before?.status) {
    const level = levelOf(change.before?.status, status)
    log[level]({ node: id, url, ...(reason !== null && { reason }) }, `model node is ${status}`)
  }
}

/** A node that is down goes to and fro between unhealthy and probing; that it went down has been said by then. */
function levelOf(from: NodeStatus | undefined, to: NodeStatus): 'info' | 'warn' | 'debug' {
  if (to === 'healthy') return 'info'
  return to === 'unhealthy' && from !== 'probing' ? 'warn' : 'debug'
}
