import { userInfo } from 'node:os'
import type { ConnectionTarget, HostAddress, SessionAttributes, TlsMode } from './connection-target.ts'

/** What both kinds of connection get, whatever their address says. */
const defaults = { port: 5432, applicationName: 'tutti' } as const

const form = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE'
const encodeHint =
  'In user, password and database, write special characters percent-encoded, such as %40 for @, %2F for / and %23 for #'

/** An @ anywhere else is part of a password that is not encoded, which an error must not print. */
const pattern = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^@/?#]*))?(?:\?([^@#]*))?$/

const maxLength = 8192
const maxHosts = 16

/**
 * Reads a connection URI as libpq does: several hosts, Unix sockets and parameters. Throws an Error whose message completes the
 * sentence "VARIABLE …" and never contains the password.
 */
export function parseConnectionUrl(variable: string, text: string): ConnectionTarget {
  const match = text.length > maxLength ? null : pattern.exec(text)
  if (match === null) throw new Error(`must be an address like ${form}. ${encodeHint}`)
  const [, credentials = '', hostList = '', path = '', query = ''] = match
  const parameters = readParameters(query)
  const take = (name: ParameterName) => parameters.get(name)
  const { user, password } = readCredentials(credentials)
  const hosts = readHosts(take('host') ?? hostList, take('port'))
  const chosenUser = take('user') ?? user ?? systemUser()
  const onSocket = hosts.every(({ host }) => host.startsWith('/'))
  return {
    variable,
    hosts,
    user: chosenUser,
    database: take('dbname') ?? (path === '' ? chosenUser : decode(path)),
    password: take('password') ?? password,
    passwordFile: undefined,
    tls: onSocket ? withoutTls : readTls(take),
    connectTimeoutMs: readConnectTimeout(take('connect_timeout')),
    applicationName: take('application_name') ?? defaults.applicationName,
    options: readOptions(take('options')),
    sessionAttributes: readSessionAttributes(take('target_session_attrs'), hosts.length),
  }
}

const parameterNames = [
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'target_session_attrs',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'connect_timeout',
  'application_name',
  'options',
] as const
type ParameterName = (typeof parameterNames)[number]

function readParameters(query: string): ReadonlyMap<ParameterName, string> {
  const parameters = new Map<ParameterName, string>()
  for (const item of query.split('&')) {
    if (item === '') continue
    const [rawName = '', ...rest] = item.split('=')
    const name = decode(rawName)
    const known = parameterNames.find((it) => it === name)
    if (known === undefined) {
      throw new Error(
        `has the parameter "${name}", which is not supported. Use: ${parameterNames.join(', ')}`,
      )
    }
    if (parameters.has(known)) throw new Error(`has the parameter "${known}" twice`)
    const value = decode(rest.join('='))
    // An empty parameter is an absent one, as in libpq.
    if (value !== '') parameters.set(known, value)
  }
  return parameters
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error(`has a % that does not begin a percent-encoded character. ${encodeHint}`)
  }
}

function readCredentials(text: string): { user: string | undefined; password: string | undefined } {
  const colon = text.indexOf(':')
  const user = decode(colon < 0 ? text : text.slice(0, colon))
  const password = colon < 0 ? '' : decode(text.slice(colon + 1))
  return { user: user === '' ? undefined : user, password: password === '' ? undefined : password }
}

function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    throw new Error(`must name a user, as in ${form}`)
  }
}

const hostPattern = /^(?:\[([0-9a-fA-F:.%]+)\]|([^:[\]]*))(?::(\d*))?$/

/** `a:1,b:2`, or hosts and ports as two lists, of which one port counts for all hosts. */
function readHosts(hostList: string, portList: string | undefined): readonly HostAddress[] {
  const items = hostList.split(',')
  const ports = portList?.split(',') ?? []
  if (items.length > maxHosts) throw new Error(`has ${items.length} hosts; at most ${maxHosts} are allowed`)
  if (ports.length > 1 && ports.length !== items.length) {
    throw new Error(
      `has ${ports.length} ports for ${items.length} hosts; give one port, or one for each host`,
    )
  }
  return items.map((item, index) => {
    // The path of a socket may contain a colon.
    const isSocket = item.startsWith('/')
    const match = isSocket ? ['', undefined, item, ''] : hostPattern.exec(item)
    if (match === null) {
      throw new Error(
        `has a host that cannot be read. Write HOST:PORT, or [ADDRESS]:PORT for IPv6. ${encodeHint}`,
      )
    }
    const [, bracketed, plain = '', ownPort] = match
    const host = bracketed ?? decode(plain)
    const port = [ownPort, ports[index] ?? ports[0]].find((it) => it !== undefined && it !== '')
    return { host: host === '' ? 'localhost' : host, port: readPort(port) }
  })
}

function readPort(text: string | undefined): number {
  if (text === undefined) return defaults.port
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) {
    throw new Error(`has the port "${text}"; a port is a number from 1 to 65535`)
  }
  return port
}

const tlsModes: readonly TlsMode[] = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

const withoutTls: ConnectionTarget['tls'] = {
  mode: 'disable',
  rootCertificate: undefined,
  certificate: undefined,
  key: undefined,
}

function readTls(take: (name: ParameterName) => string | undefined): ConnectionTarget['tls'] {
  const rootCertificate = take('sslrootcert')
  const text = take('sslmode') ?? (rootCertificate === 'system' ? 'verify-full' : 'prefer')
  const mode = tlsModes.find((it) => it === text)
  if (mode === undefined) throw new Error(`has sslmode=${text}; it must be one of ${tlsModes.join(', ')}`)
  if (mode === 'verify-ca' && rootCertificate === undefined) {
    throw new Error('has sslmode=verify-ca, which needs sslrootcert=FILE with the certificate of your CA')
  }
  if (rootCertificate === 'system' && mode !== 'verify-full') {
    throw new Error(
      'has sslrootcert=system, which needs sslmode=verify-full: anybody can get a certificate of a public CA',
    )
  }
  const [certificate, key] = [take('sslcert'), take('sslkey')]
  if ((certificate === undefined) !== (key === undefined)) {
    throw new Error('must have both sslcert and sslkey for a client certificate, or neither')
  }
  return { mode, rootCertificate, certificate, key }
}

const maxConnectTimeoutSeconds = 600

/** libpq takes 0 for no limit; here every wait has one, so 0 means the default. */
function readConnectTimeout(text: string | undefined): number | undefined {
  if (text === undefined || text === '0') return undefined
  const seconds = Number(text)
  if (!/^\d+$/.test(text) || seconds > maxConnectTimeoutSeconds) {
    throw new Error(
      `has connect_timeout=${text}; it must be a whole number of seconds, at most ${maxConnectTimeoutSeconds}`,
    )
  }
  return seconds * 1000
}

const supportedAttributes: readonly SessionAttributes[] = ['any', 'read-write', 'primary']
const readingAttributes: ReadonlySet<string> = new Set(['read-only', 'standby', 'prefer-standby'])

function readSessionAttributes(text: string | undefined, hosts: number): SessionAttributes {
  // Unlike libpq, which takes any host: on a standby nothing works.
  if (text === undefined) return hosts > 1 ? 'read-write' : 'any'
  const found = supportedAttributes.find((it) => it === text)
  if (found !== undefined) return found
  const reason = readingAttributes.has(text)
    ? `Tutti writes on every connection and cannot use a standby`
    : 'there is no such value'
  throw new Error(
    `has target_session_attrs=${text}: ${reason}. Use read-write, which is the default for several hosts, or ${supportedAttributes
      .filter((it) => it !== 'read-write')
      .join(' or ')}`,
  )
}

/** Settings of PostgreSQL that do not contradict the ones of the platform. */
const allowedOptions: ReadonlySet<string> = new Set(['search_path', 'role', 'work_mem'])

/** Accepts `-c name=value` and `--name=value`, as the command line of PostgreSQL does. */
function readOptions(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const words = text.trim().split(/\s+/)
  const settings: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (word === '-c') settings.push(words[++index] ?? '')
    else if (word.startsWith('-c')) settings.push(word.slice(2))
    else settings.push(word.startsWith('--') ? word.slice(2) : '')
  }
  for (const item of settings) {
    const name = item.split('=')[0] ?? ''
    if (name === '' || !item.includes('=')) {
      throw new Error('has options that cannot be read. Write them as "-c NAME=VALUE", percent-encoded')
    }
    if (!allowedOptions.has(name.toLowerCase().replaceAll('-', '_'))) {
      throw new Error(
        `has the option "${name}", which is not supported here. Use ${[...allowedOptions].join(', ')}, or set it for the role: alter role … set ${name} = …`,
      )
    }
  }
  return text
}
