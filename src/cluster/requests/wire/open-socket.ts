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
  /** The receiver owns the bytes: the buffer is not reused. */
  readonly received: (bytes: Buffer) => void
  readonly connected: () => void
}

const readBytes = 16 * 1024
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

/** Reuses one read buffer, which is far cheaper than a stream with a new buffer for each read. */
function openPlain({ host, port }: SocketAddress, { received, connected }: SocketEvents): Socket {
  const buffer = Buffer.allocUnsafeSlow(readBytes)
  const callback = (count: number): boolean => {
    const bytes = Buffer.allocUnsafe(count)
    buffer.copy(bytes, 0, 0, count)
    received(bytes)
    return true
  }
  return connectPlain({ host, port, onread: { buffer, callback } }, connected)
}

function openSecurely({ host, port }: SocketAddress, { received, connected }: SocketEvents): Socket {
  const name = isIP(host) === 0 ? { servername: host } : {}
  const socket = connectSecurely({ host, port, ...name, ALPNProtocols: ['http/1.1'] }, connected)
  return socket.on('data', received)
}
