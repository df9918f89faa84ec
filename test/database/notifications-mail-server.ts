import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { eventually } from '../support/eventually.ts'

interface ReceivedMail {
  /** From the envelope. */
  readonly from: string
  readonly to: readonly string[]
  readonly user: unknown
  /** By lower-case name, with folded lines joined. */
  readonly headers: ReadonlyMap<string, string>
  /** The count, including duplicates. */
  readonly headerLines: readonly string[]
  readonly raw: string
  /** Decoded. */
  readonly text: string
}

/** The response of the server to a recipient or a mail instead of 250; `hang`: none. */
type Reaction = { readonly code: number; readonly text?: string } | 'hang' | undefined

export interface MailServer extends AsyncDisposable {
  readonly port: number
  readonly url: string
  readonly mails: ReceivedMail[]
  /** The number of connections so far. */
  readonly connections: number
  /** From now on. */
  reactToRecipient(reaction: (address: string) => Reaction): void
  reactToMail(reaction: (mail: Pick<ReceivedMail, 'headers'>) => Reaction): void
  reactToSender(reaction: () => Reaction): void
  reactToConnection(reaction: () => Reaction): void
  untilMails(count: number): Promise<void>
  /** Closes the port and every connection. */
  close(): Promise<void>
}

const takeIt = (): Reaction => undefined

/** A local mail server. By default it accepts everything and offers no encryption. */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  let connections = 0
  let toConnection: () => Reaction = takeIt
  let toSender: () => Reaction = takeIt
  let toRecipient: (address: string) => Reaction = takeIt
  let toMail: (mail: Pick<ReceivedMail, 'headers'>) => Reaction = takeIt
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    disableReverseLookup: true,
    closeTimeout: 1,
    ...options,
    onConnect(_session, callback) {
      connections += 1
      answer(toConnection(), callback)
    },
    onMailFrom: (_address, _session, callback) => answer(toSender(), callback),
    onRcptTo: ({ address }, _session, callback) => answer(toRecipient(address), callback),
    onData(stream, { envelope, user }, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const mail = readMail(Buffer.concat(chunks).toString())
        const reaction = toMail(mail)
        if (reaction === undefined) {
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
          mails.push({ ...mail, from, to: envelope.rcptTo.map(({ address }) => address), user })
        }
        answer(reaction, callback)
      })
    },
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const { port: taken } = server.server.address() as AddressInfo
  let closing: Promise<void> | undefined
  const close = () => (closing ??= new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    port: taken,
    url: `smtp://127.0.0.1:${taken}`,
    mails,
    get connections() {
      return connections
    },
    reactToRecipient: (reaction) => void (toRecipient = reaction),
    reactToMail: (reaction) => void (toMail = reaction),
    reactToSender: (reaction) => void (toSender = reaction),
    reactToConnection: (reaction) => void (toConnection = reaction),
    async untilMails(count) {
      await eventually(() => mails.length >= count)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function answer(reaction: Reaction, callback: (error?: Error | null) => void): void {
  if (reaction === 'hang') return
  if (reaction === undefined) return callback()
  const { code, text = 'so it is' } = reaction
  callback(Object.assign(new Error(text), { responseCode: code }))
}

function readMail(raw: string): Pick<ReceivedMail, 'headers' | 'headerLines' | 'raw' | 'text'> {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const headerLines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = new Map(
    headerLines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: ?/, '')]),
  )
  return {
    headers,
    headerLines,
    raw,
    text: decode(rest.join('\r\n\r\n'), headers.get('content-transfer-encoding')),
  }
}

function decode(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body.replaceAll('\r\n', '\n')
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n')
}
