import type { ChildProcess } from 'node:child_process'

/** A message of `node:cluster` between the supervisor and a process. */
interface ClusterMessage {
  readonly cmd?: unknown
  readonly act?: unknown
  readonly seq?: unknown
  readonly ack?: unknown
}

const clusterCommand = 'NODE_CLUSTER'

/**
 * Gives connections that a process had not accepted when it ended to the other processes.
 *
 * `node:cluster` hands a connection to a process and waits for its confirmation. When the process ends before that, Node neither closes
 * the connection nor gives it to another process, and its client waits for a response forever. A process that closes would have confirmed
 * that it does not accept the connection; here the supervisor does it in its place, once all messages of the process were read.
 */
export function redistributeUnaccepted(child: ChildProcess): void {
  const unconfirmed = new Set<unknown>()
  let isDisconnected = false
  const send = child.send.bind(child) as (...parameters: readonly unknown[]) => boolean
  child.send = (...parameters: readonly unknown[]) => {
    const { cmd, act, seq } = (parameters[0] ?? {}) as ClusterMessage
    if (cmd === clusterCommand && act === 'newconn') unconfirmed.add(seq)
    return send(...parameters)
  }
  child.on('internalMessage', ({ cmd, ack }: ClusterMessage) => {
    if (cmd === clusterCommand && ack !== undefined) unconfirmed.delete(ack)
  })
  child.once('disconnect', () => {
    isDisconnected = true
  })
  child.once('close', () => {
    if (unconfirmed.size === 0) return
    // Node leaves this event out while a connection is being handed over. It makes `node:cluster` forget the process.
    if (!isDisconnected) child.emit('disconnect')
    for (const ack of unconfirmed)
      child.emit('internalMessage', { cmd: clusterCommand, ack, accepted: false })
  })
}
