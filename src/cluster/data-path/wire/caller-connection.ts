import type { Socket } from 'node:net'
import type { Deadlines, Timed } from '../../requests/deadlines.ts'
import { endOfHead } from '../../requests/wire/fields.ts'
import { CallerExchange, type ExchangeConnection } from './caller-exchange.ts'
import { maxRequestHeadBytes, type RequestHead, readRequestHead } from './request-head.ts'
import type { WriteBuffers } from './write-buffers.ts'

/** The owner of all connections. */
export interface ConnectionOwner {
  readonly deadlines: Deadlines
  readonly limits: ConnectionLimits
  /** How long a kept connection may be idle, as it is announced. */
  readonly keepSeconds: number
  /** The current time in the format of HTTP. */
  readonly date: () => string
  readonly writeBuffers: WriteBuffers
  /** Whether connections are kept after their next response. */
  isKeeping(): boolean
  /** How to serve a request; undefined for a caller who is not known, and when Node's server has to read it. */
  admit(head: RequestHead): ((exchange: CallerExchange) => void) | undefined
  /** Authenticates the caller. Resolves when `admit` may know it; undefined when Node's server has to read the request. */
  authenticate(head: RequestHead, address: string): Promise<void> | undefined
  /** Node's server reads on from here. */
  handOver(socket: Socket): void
  /** A request did not arrive whole: Node's server refuses it. */
  refuse(socket: Socket, code: 'ERR_HTTP_REQUEST_TIMEOUT' | 'HPE_INVALID_EOF_STATE'): void
  onGone(connection: CallerConnection): void
}

interface ConnectionLimits {
  /** Until the first request begins. */
  readonly firstRequestMs: number
  /** Between a response and the next request. */
  readonly idleMs: number
  /** From the head of a request to the end of its body. */
  readonly requestMs: number
  /** Without the caller reading anything of a response. */
  readonly maxUnreadMs: number
}

/** More bytes of the next requests than this wait in the socket. */
const maxPendingBytes = 64 * 1024

/**
 * A connection of a caller whose requests our own parser reads, one at a time.
 *
 * | state          | on                                               | next                                            |
 * |----------------|--------------------------------------------------|-------------------------------------------------|
 * | idle           | a whole head of the accepted form, caller cached | serving                                         |
 * | idle           | the same, with a key or token that is not cached | authenticating                                  |
 * | idle           | any other bytes                                  | handed over, with these bytes, to Node's server |
 * | idle           | time is up                                       | gone                                            |
 * | authenticating | the caller may use models                        | serving                                         |
 * | authenticating | refused, or not known in time                    | handed over, for the refusal                    |
 * | serving        | response complete and body read                  | idle; gone, if it was the last                  |
 * | serving        | the body does not arrive, or not in time         | gone: Node's 400 or 408                         |
 * | serving        | the caller does not read in time                 | gone                                            |
 * | any            | the caller closes it, or half of it; an error    | gone                                            |
 *
 * Bytes after a request wait for its response. A handed over connection never comes back.
 */
export class CallerConnection implements Timed, ExchangeConnection {
  dueTick = 0
  index = -1
  readonly #socket: Socket
  readonly #owner: ConnectionOwner
  #exchange: CallerExchange | undefined
  /** Bytes that were received and not read. */
  #pending: Buffer | undefined
  #bodyLeft = 0
  #isReading = false
  /** The caller of the pending request is being authenticated. */
  #isAuthenticating = false
  /** The caller of the pending request was authenticated, or refused. */
  #hasAuthenticated = false
  #isLast = false

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.#socket = socket
    this.#owner = owner
    owner.deadlines.start(this, owner.limits.firstRequestMs)
    socket
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('error', this.#onError)
      .on('close', this.#onClose)
  }

  /** No request is in progress. */
  get isIdle(): boolean {
    return this.#exchange === undefined && this.#bodyLeft === 0 && !this.#isAuthenticating
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress
  }

  get keepSeconds(): number | undefined {
    return this.#owner.isKeeping() ? this.#owner.keepSeconds : undefined
  }

  get date(): string {
    return this.#owner.date()
  }

  write(text: string): boolean {
    this.#socket.write(text, 'latin1')
    return this.#isWritten()
  }

  writeBytes(before: string, bytes: Buffer, after: string): boolean {
    const buffer = this.#owner.writeBuffers.take(before.length + bytes.length + after.length)
    let length = buffer.write(before, 'latin1')
    length += bytes.copy(buffer, length)
    length += buffer.write(after, length, 'latin1')
    this.#socket.write(buffer.subarray(0, length))
    return this.#isWritten(buffer)
  }

  /** The system takes what it can at once; bytes that are left mean that the caller does not read them. */
  #isWritten(buffer?: Buffer): boolean {
    const socket = this.#socket
    if (socket.writableLength === 0) {
      if (buffer !== undefined) this.#owner.writeBuffers.giveBack(buffer)
      return true
    }
    this.#restart(this.#owner.limits.maxUnreadMs)
    socket.write('', (error) => {
      if (error) return
      if (buffer !== undefined) this.#owner.writeBuffers.giveBack(buffer)
      this.#drained()
    })
    return false
  }

  ended(isKept: boolean): void {
    this.#isLast = !isKept
    if (this.#socket.writableLength === 0) this.#complete()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  timeIsUp(): void {
    if (this.#isWaitingForBody) this.#refuse('ERR_HTTP_REQUEST_TIMEOUT')
    else this.#socket.destroy()
  }

  readonly #onData = (bytes: Buffer): void => {
    this.#pending = this.#pending === undefined ? bytes : Buffer.concat([this.#pending, bytes])
    this.#read()
    if ((this.#pending?.length ?? 0) > maxPendingBytes) this.#socket.pause()
  }

  /** As with Node's server, the connection ends with its caller's half. */
  readonly #onEnd = (): void => {
    if (this.#isWaitingForBody) this.#refuse('HPE_INVALID_EOF_STATE')
    else this.#socket.end()
  }

  /** `close` follows. */
  readonly #onError = (): void => {}

  readonly #onClose = (): void => {
    const exchange = this.#exchange
    this.#leave()
    exchange?.closed(false)
  }

  /** Serves requests until bytes are missing, or a response. A response can end before the call that asked for it does. */
  #read(): void {
    if (this.#isReading) return
    this.#isReading = true
    while (this.#pending !== undefined && this.#readNext(this.#pending));
    this.#isReading = false
    if (this.#pending === undefined && this.#socket.isPaused()) this.#socket.resume()
  }

  /** Returns whether it has used bytes. */
  #readNext(bytes: Buffer): boolean {
    if (this.#bodyLeft > 0) {
      this.#readBody(bytes)
      return true
    }
    if (this.#exchange !== undefined || this.#isAuthenticating) return false
    this.#pending = undefined
    if (!this.#isLast) this.#readHead(bytes)
    return true
  }

  #readHead(bytes: Buffer): void {
    const text = bytes.toString('latin1', 0, maxRequestHeadBytes)
    const end = text.indexOf(endOfHead)
    const head = end === -1 ? undefined : readRequestHead(text.slice(0, end))
    const serve = head && this.#owner.admit(head)
    if (head === undefined || serve === undefined) {
      if (head === undefined || !this.#authenticate(head, bytes)) this.#handOver(bytes)
      return
    }
    this.#hasAuthenticated = false
    const exchange = new CallerExchange(head, this)
    this.#exchange = exchange
    this.#bodyLeft = head.length
    this.#keepPending(bytes, end + endOfHead.length)
    this.#restart(this.#owner.limits.requestMs)
    serve(exchange)
    if (head.length === 0) this.#endBody()
  }

  /** Authenticates the caller, and reads the request again then. Returns false if that is not possible, or was done. */
  #authenticate(head: RequestHead, bytes: Buffer): boolean {
    const authenticated = this.#hasAuthenticated
      ? undefined
      : this.#owner.authenticate(head, this.remoteAddress ?? '')
    if (authenticated === undefined) return false
    this.#isAuthenticating = true
    this.#pending = bytes
    this.#restart(this.#owner.limits.requestMs)
    void this.#readAfter(authenticated)
    return true
  }

  async #readAfter(authenticated: Promise<void>): Promise<void> {
    await authenticated
    this.#isAuthenticating = false
    this.#hasAuthenticated = true
    this.#read()
  }

  #readBody(bytes: Buffer): void {
    const length = Math.min(this.#bodyLeft, bytes.length)
    this.#keepPending(bytes, length)
    this.#bodyLeft -= length
    this.#exchange?.received(length === bytes.length ? bytes : bytes.subarray(0, length))
    if (this.#bodyLeft === 0) this.#endBody()
  }

  #keepPending(bytes: Buffer, from: number): void {
    this.#pending = from === bytes.length ? undefined : bytes.subarray(from)
  }

  /** The node may take its time; without an exchange, the response was sent before the body had arrived. */
  #endBody(): void {
    this.#restart(this.#exchange === undefined ? this.#owner.limits.idleMs : Number.POSITIVE_INFINITY)
    this.#exchange?.receivedAll()
  }

  get #isWaitingForBody(): boolean {
    return this.#bodyLeft > 0 && this.#exchange?.isBegun === false
  }

  #refuse(code: Parameters<ConnectionOwner['refuse']>[1]): void {
    const exchange = this.#exchange
    this.#leave()
    exchange?.closed(false)
    this.#owner.refuse(this.#socket, code)
  }

  /** The caller has read what was written. */
  #drained(): void {
    const exchange = this.#exchange
    if (exchange === undefined || this.#socket.writableLength > 0) return
    if (this.#bodyLeft === 0) this.#restart(Number.POSITIVE_INFINITY)
    if (exchange.isEnded) this.#complete()
    else exchange.drained()
  }

  #complete(): void {
    const exchange = this.#exchange
    this.#exchange = undefined
    exchange?.closed(true)
    if (this.#isLast) {
      this.#socket.destroySoon()
      return
    }
    if (this.#bodyLeft === 0) this.#restart(this.#owner.limits.idleMs)
    this.#read()
  }

  /** The listeners go first: the bytes are for Node's server. */
  #handOver(bytes: Buffer): void {
    const socket = this.#socket
    socket
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('error', this.#onError)
      .off('close', this.#onClose)
    this.#leave()
    socket.unshift(bytes)
    this.#owner.handOver(socket)
  }

  #leave(): void {
    this.#exchange = undefined
    this.#pending = undefined
    this.#owner.deadlines.stop(this)
    this.#owner.onGone(this)
  }

  #restart(limitMs: number): void {
    this.#owner.deadlines.restart(this, limitMs)
  }
}
