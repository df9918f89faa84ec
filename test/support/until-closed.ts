import type { Socket } from 'node:net'

/** Resolves when a connection has ended. A reset is an end like any other, although it is reported as an error first. */
export function untilClosed(socket: Socket): Promise<void> {
  if (socket.destroyed) return Promise.resolve()
  socket.on('error', () => {})
  return new Promise((resolve) => {
    socket.once('close', () => resolve())
  })
}
