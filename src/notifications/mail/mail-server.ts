/** The SMTP server that accepts outgoing mail. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise STARTTLS when the server offers it. */
  readonly secure: boolean
  /** Undefined for a server without authentication. */
  readonly login: { readonly user: string; readonly password: string } | undefined
}

export interface Sender {
  readonly name: string
  readonly address: string
}

const example = 'such as smtp://user:password@mail.example.com:587'

/** Reads `smtp://user:password@host:port`. The error messages do not repeat the URL, because it contains the password. */
export function readMailServer(text: string): MailServer {
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  if (hostname === '') throw new Error(`needs a host, ${example}`)
  if (!/^\/?$/.test(pathname) || search !== '' || hash !== '') {
    throw new Error(`must end with the host or the port, ${example}`)
  }
  if ((username === '') !== (password === '')) throw new Error(`needs both a user and a password, or neither`)
  const secure = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    login: username === '' ? undefined : { user: decode(username), password: decode(password) },
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('has a % in its user or password that is not percent-encoded; write it as %25')
  }
}

/** Reads `Name <address>` or the address alone. */
export function readSender(text: string): Sender {
  const { name = '', address = text.trim() } =
    /^(?<name>[^<>\p{Cc}]*)<(?<address>[^<>]*)>$/u.exec(text.trim())?.groups ?? {}
  if (!isAddress(address)) {
    throw new Error(`must be an address such as Tutti <tutti@example.com>, not "${text}"`)
  }
  return { name: name.replaceAll('"', '').trim(), address }
}

const maxAddressLength = 320

/** One address and nothing else: no list, no name, no comment, no line break. */
export function isAddress(text: string): boolean {
  return (
    text.length <= maxAddressLength && /^[^\s\p{Cc}<>()[\]\\,;:"@]+@[^\s\p{Cc}<>()[\]\\,;:"@]+$/u.test(text)
  )
}
