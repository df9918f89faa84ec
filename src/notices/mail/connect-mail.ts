import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createTransport, type Transporter } from 'nodemailer'
import type { MailServer } from './mail-server.ts'

/** A connection to the mail server, for one mail. */
export interface MailConnection extends Disposable {
  readonly transport: Transporter
}

const connectTimeoutMs = 10_000
/** Of silence, whatever is under way. */
const silenceMs = 20_000
/** An answer of a mail server is a line or a few. */
const mostAnswerBytes = 65_536

/**
 * The socket is ours, so that it ends with the signal, which a mail on its way would not notice otherwise. A password is never sent
 * over an unencrypted connection that leaves this machine.
 */
export async function connectMail(server: MailServer, signal: AbortSignal): Promise<MailConnection> {
  const { host, port, secure, login } = server
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
      connectionTimeout: silenceMs,
      greetingTimeout: silenceMs,
      socketTimeout: silenceMs,
      maxResponseSize: mostAnswerBytes,
      // What a mail says must never become what it attaches.
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
  // Whoever waits hears of it by its own way.
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

/** Whether a connection that begins in the clear must not stay so. */
export function needsEncryption(
  { secure, login }: Pick<MailServer, 'secure' | 'login'>,
  remoteAddress: string | undefined,
): boolean {
  const isLoopback = remoteAddress !== undefined && /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress)
  return !secure && login !== undefined && !isLoopback
}
