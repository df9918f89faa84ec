import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Transporter } from 'nodemailer'
import type { Channels } from '../channels.ts'
import type { MailServer } from './mail-server.ts'

/** A connection to the mail server, for one mail. */
export interface MailConnection extends Disposable {
  readonly transport: Transporter
}

const connectTimeoutMs = 10_000
/** The longest silence of the server in any phase. */
const idleTimeoutMs = 20_000
/** A response of a mail server is a few lines. */
const maxResponseBytes = 65_536

/**
 * Opens the socket itself, because nodemailer takes no abort signal: aborting destroys the socket, which ends a mail in progress. A
 * password is never sent over an unencrypted connection that leaves this machine.
 */
export async function connectMail(server: MailServer, signal: AbortSignal): Promise<MailConnection> {
  const { host, port, secure, login } = server
  // Loaded by the first mail: most starts send none.
  const { createTransport } = await import('nodemailer')
  const socket = await openSocket(server, signal)
  const close = () => socket.destroy()
  signal.addEventListener('abort', close)
  return {
    transport: createTransport({
      host,
      port,
      secure,
      connection: socket,
      requireTLS: needsEncryption(server, socket.remoteAddress),
      ...(login !== undefined && { auth: { user: login.user, pass: login.password } }),
      connectionTimeout: idleTimeoutMs,
      greetingTimeout: idleTimeoutMs,
      socketTimeout: idleTimeoutMs,
      maxResponseSize: maxResponseBytes,
      // The content of a mail must never name a file or a URL to attach.
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
    [Symbol.dispose]() {
      signal.removeEventListener('abort', close)
      close()
    },
  }
}

async function openSocket({ host, port }: MailServer, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port })
  // The pending operation rejects with the error; without a listener it would end the process.
  socket.on('error', () => {})
  try {
    await once(socket, 'connect', {
      signal: AbortSignal.any([signal, AbortSignal.timeout(connectTimeoutMs)]),
    })
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Whether a connection that starts unencrypted must be upgraded before the password is sent. */
export function needsEncryption(
  { secure, login }: Pick<MailServer, 'secure' | 'login'>,
  remoteAddress: string | undefined,
): boolean {
  const isLoopback = remoteAddress !== undefined && /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress)
  return !secure && login !== undefined && !isLoopback
}

const timeoutMs = 10_000

/** Signs in to the mail server without sending a mail. Resolves to the problem, or undefined when there is none; never throws. */
export async function findMailProblem({
  server,
}: NonNullable<Channels['mail']>): Promise<string | undefined> {
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    using connection = await connectMail(server, deadline)
    await connection.transport.verify()
    return undefined
  } catch (error) {
    if (deadline.aborted) return `no response within ${timeoutMs / 1000} s`
    return error instanceof Error ? error.message : String(error)
  }
}
