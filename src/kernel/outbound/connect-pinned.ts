import { connect as connectTcp, isIPv6, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'
import { parseAddress } from './address.ts'
import { outboundFailure } from './errors.ts'
import type { PinnedTarget } from './pin-target.ts'

export interface ConnectOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Certificates to trust, in PEM, instead of those Node.js trusts. */
  readonly certificates?: readonly string[]
}

// A little patience per address, so that one that is silent does not use up the time of the others.
const attemptTimeoutMs = 1000

/** Makes a connector that connects once, to the addresses that were checked, whatever the name says by now. */
export function connectPinned(target: PinnedTarget, options: ConnectOptions): buildConnector.connector {
  let used = false
  return (_target, callback) => {
    // The client would connect again when the first connection ends early; that is for the caller to decide.
    if (used) {
      callback(outboundFailure('outbound_connection_lost'), null)
      return
    }
    used = true
    awaitConnection(startSocket(target, options), target, options, callback)
  }
}

function startSocket(target: PinnedTarget, { certificates }: ConnectOptions): Socket {
  const tcp = {
    host: target.host,
    port: target.port,
    lookup: answerWith(target.addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
    noDelay: true,
  }
  if (target.url.protocol === 'http:') return connectTcp(tcp)
  return connectTls({
    ...tcp,
    ALPNProtocols: ['http/1.1'],
    ...(target.address === undefined && { servername: target.host }),
    ...(certificates !== undefined && { ca: [...certificates] }),
  })
}

function awaitConnection(
  socket: Socket,
  target: PinnedTarget,
  { timeoutMs, signal }: ConnectOptions,
  callback: buildConnector.Callback,
): void {
  let connected = false
  const timer = setTimeout(() => {
    fail(outboundFailure('outbound_timeout', { message: 'The host did not accept a connection in time.' }))
  }, timeoutMs)
  const settle = (): void => {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
    socket.off('error', explain)
  }
  const fail = (error: Error): void => {
    settle()
    socket.destroy()
    callback(error, null)
  }
  // The reason itself is told to the caller by the deadline; it may be anything, also nothing.
  const cancel = (): void => fail(new Error('given up while connecting'))
  const explain = (cause: unknown): void =>
    fail(outboundFailure(connected ? 'outbound_insecure' : 'outbound_unreachable', { cause }))

  signal.addEventListener('abort', cancel, { once: true })
  // Stays for good: a socket that was given up may still report how it ended.
  socket.on('error', () => {})
  socket.on('error', explain)
  socket.once('connect', () => {
    connected = true
    if (!isPinned(socket, target))
      fail(new Error(`connected to ${socket.remoteAddress}, which was not checked`))
  })
  socket.once(target.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
    if (socket.destroyed) return
    settle()
    callback(null, socket)
  })
}

/** Answers the look-up of the socket with what was checked, so that no second look-up can differ from the first. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_host, options, callback) => {
    const [first] = answers
    if (options.all === true) callback(null, answers)
    else callback(null, first?.address ?? '', first?.family ?? 4)
  }
}

/** The last word: what the socket is connected to has to be what was checked. */
function isPinned(socket: Socket, target: PinnedTarget): boolean {
  const remote = parseAddress(socket.remoteAddress ?? '')?.toString()
  return remote !== undefined && target.addresses.includes(remote)
}
