import type { Socket } from 'node:net'
import type { Deadlines, Timed } from '../deadlines.ts'
import { openSocket, type SocketAddress } from './open-socket.ts'

/** The current user of a connection. */
export interface ConnectionUser {
  /** The bytes are valid during the call. */
  received(bytes: Buffer): void
  /** The connection is closed, the last callback. Undefined when the node closed it properly. */
  closed(error: Error | undefined): void
}

interface ConnectionOptions {
  readonly address: SocketAddress
  readonly deadlines: Deadlines
  /** Called once, before the user's callback. */
  readonly onGone: (connection: NodeConnection) => void
  readonly connectMs?: number | undefined
}

const defaultConnectMs = 5000
/** Up to this size it is cheaper to write head and body as one string. */
const maxTextBytes = 8192

/**
 * A connection to a node, for one request at a time.
 *
 * | state   | on                                       | next                                             |
 * |---------|------------------------------------------|--------------------------------------------------|
 * | opening | connected                                | working                                          |
 * | opening | not connected in time                    | gone: `closed`                                   |
 * | working | the node closes it, an error             | gone: `closed`                                   |
 * | working | `keep`                                   | kept                                             |
 * | kept    | `send`                                   | working                                          |
 * | kept    | any byte, the node closes it, time is up | gone                                             |
 * | any     | `destroy`                                | gone, without a callback                         |
 * | any     | `cutOff`                                 | gone: `closed`                                   |
 */
export class NodeConnection implements Timed {
  dueTick = 0
  index = -1
  /** It was used before, so the node may have closed it unnoticed. */
  wasKept = false
  readonly #options: ConnectionOptions
  readonly #socket: Socket
  #user: ConnectionUser | undefined
  #isOpening = true
  #isGone = false

  constructor(options: ConnectionOptions) {
    const { address, deadlines, connectMs = defaultConnectMs } = options
    this.#options = options
    deadlines.start(this, connectMs)
    this.#socket = openSocket(address, {
      received: (bytes) => this.#received(bytes),
      connected: () => {
        this.#isOpening = false
        deadlines.stop(this)
      },
    })
    this.#socket.on('error', (error) => this.#gone(error))
    this.#socket.on('end', () => this.#gone(undefined))
    this.#socket.on('close', () => this.#gone(undefined))
  }

  /** All data has been written to the socket. */
  get isDrained(): boolean {
    return this.#socket.writableLength === 0
  }

  send(user: ConnectionUser, head: string, body: Buffer): void {
    const socket = this.#socket
    this.#user = user
    if (this.wasKept) this.#options.deadlines.stop(this)
    if (body.length <= maxTextBytes) {
      // Latin 1 keeps every byte.
      socket.write(head + body.toString('latin1'), 'latin1')
      return
    }
    socket.cork()
    socket.write(head, 'latin1')
    socket.write(body)
    socket.uncork()
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** The response is complete; the connection can be reused. */
  keep(forMs: number): void {
    this.#user = undefined
    this.wasKept = true
    // A close by the node is noticed only while reading.
    if (this.#socket.isPaused()) this.#socket.resume()
    this.#options.deadlines.start(this, forMs)
  }

  destroy(): void {
    this.#user = undefined
    this.#gone(undefined)
  }

  /** Destroys the connection and notifies its user. */
  cutOff(): void {
    this.#gone(undefined)
  }

  timeIsUp(): void {
    if (this.#isOpening) this.#gone(Object.assign(new Error('not connected in time'), { code: 'ETIMEDOUT' }))
    else this.destroy()
  }

  #received(bytes: Buffer): void {
    if (this.#user === undefined) this.destroy()
    else this.#user.received(bytes)
  }

  #gone(error: Error | undefined): void {
    if (this.#isGone) return
    this.#isGone = true
    const user = this.#user
    this.#user = undefined
    this.#options.deadlines.stop(this)
    this.#socket.destroy()
    this.#options.onGone(this)
    user?.closed(error)
  }
}
