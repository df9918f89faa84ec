import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'

/** The listen address of a node. */
export interface SocketAddress {
  readonly isSecure: boolean
  /** A host name, or an IP address without brackets. */
  readonly host: string
  readonly port: number
}

interface SocketEvents {
  /** The bytes are valid during the call: the buffer is reused for the next read. */
  readonly received: (bytes: Buffer) => void
  readonly connected: () => void
}

/** One buffer for the reads of all connections: each is consumed before the next. */
const readBuffer = Buffer.allocUnsafeSlow(16 * 1024)
const keepAliveInitialDelay = 60_000

/** The listen address in a URL. */
export function addressOf({ protocol, hostname, port }: URL): SocketAddress {
  const isSecure = protocol === 'https:'
  return {
    isSecure,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
  }
}

export function openSocket(address: SocketAddress, events: SocketEvents): Socket {
  const socket = address.isSecure ? openSecurely(address, events) : openPlain(address, events)
  return socket.setNoDelay(true).setKeepAlive(true, keepAliveInitialDelay)
}

/** A buffer of its own for each read would be freed late: streams to slow callers filled more than a hundred MiB with such garbage. */
function openPlain({ host, port }: SocketAddress, { received, connected }: SocketEvents): Socket {
  const callback = (count: number): boolean => {
    received(readBuffer.subarray(0, count))
    return true
  }
  return connectPlain({ host, port, onread: { buffer: readBuffer, callback } }, connected)
}

function openSecurely({ host, port }: SocketAddress, { received, connected }: SocketEvents): Socket {
  const name = isIP(host) === 0 ? { servername: host } : {}
  const socket = connectSecurely({ host, port, ...name, ALPNProtocols: ['http/1.1'] }, connected)
  return socket.on('data', received)
}
