import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { type Database, databaseSettings, openDatabase } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { type Certificates, createCertificates } from '../support/certificates.ts'
import { eventually } from '../support/eventually.ts'
import { hasProgram } from '../support/has-program.ts'
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts'

const log = createLogger({ level: 'silent', format: 'json' })

function open(url: string, environment: Readonly<Record<string, string>> = {}): Promise<Database> {
  const settings = readSettings(databaseSettings, {
    DATABASE_CONNECT_WAIT: '20s',
    ...environment,
    DATABASE_URL: url,
  })
  return openDatabase({ settings, log })
}

async function isEncrypted(url: string): Promise<boolean> {
  await using database = await open(url)
  const [row] = await database.query<{ ssl: boolean }>(
    'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
  )
  return row?.ssl ?? false
}

const warnings: Error[] = []
const keep = (warning: Error) => void warnings.push(warning)

describe.skipIf(!hasProgram('openssl', 'version'))('a connection with TLS', () => {
  const closing = new AsyncDisposableStack()
  let folder: string
  let certificates: Certificates
  let server: PostgresServer

  beforeAll(async () => {
    process.on('warning', keep)
    closing.defer(() => void process.off('warning', keep))
    folder = await mkdtemp(join(tmpdir(), 'tutti-tls-'))
    closing.defer(() => rm(folder, { recursive: true, force: true }))
    certificates = await createCertificates(folder)
    server = closing.use(
      await startPostgres({
        settings: { ssl: 'on', ssl_ca_file: 'ca.crt' },
        files: { ...certificates.files, 'ca.crt': certificates.ca },
        access: [
          'hostssl all certified 127.0.0.1/32 cert',
          'hostnossl all plain 127.0.0.1/32 trust',
          'hostssl all tutti 127.0.0.1/32 trust',
        ],
      }),
    )
    await server.run('create role plain login superuser')
  })
  afterAll(() => closing.disposeAsync())

  const url = (parameters: string, user = 'tutti', host = 'localhost') =>
    `postgres://${user}:any@${host}:${server.port}/tutti${parameters}`

  test.each([
    ['', true],
    ['?sslmode=prefer', true],
    ['?sslmode=require', true],
  ])('"%s" encrypts', async (parameters, encrypted) => {
    expect(await isEncrypted(url(parameters))).toBe(encrypted)
  })

  test('allow begins without TLS and uses it when the server insists', async () => {
    expect(await isEncrypted(url('?sslmode=allow'))).toBe(true)
    expect(await isEncrypted(url('?sslmode=allow', 'plain'))).toBe(false)
  })

  test('prefer goes without TLS when the server wants that', async () => {
    expect(await isEncrypted(url('?sslmode=prefer', 'plain'))).toBe(false)
  })

  test('disable never encrypts, so a server that insists refuses', async () => {
    expect(await isEncrypted(url('?sslmode=disable', 'plain'))).toBe(false)
    await expect(open(url('?sslmode=disable'))).rejects.toThrow(
      /^DATABASE_URL: no pg_hba\.conf entry .*no encryption/,
    )
  })

  test('verify-full accepts the name of the certificate, signed by the CA of sslrootcert', async () => {
    expect(await isEncrypted(url(`?sslmode=verify-full&sslrootcert=${certificates.caFile}`))).toBe(true)
  })

  test('verify-full refuses another name, which verify-ca accepts', async () => {
    const parameters = `sslrootcert=${certificates.caFile}`
    await expect(open(url(`?sslmode=verify-full&${parameters}`, 'tutti', '127.0.0.1'))).rejects.toThrow(
      /^DATABASE_URL: the certificate of 127\.0\.0\.1 is for another name\./,
    )
    expect(await isEncrypted(url(`?sslmode=verify-ca&${parameters}`, 'tutti', '127.0.0.1'))).toBe(true)
  })

  test.each(['?sslmode=verify-full', '?sslmode=verify-full&sslrootcert=system'])(
    '%s refuses a private CA, and says how to trust it',
    async (parameters) => {
      await expect(open(url(parameters))).rejects.toThrow(
        /^DATABASE_URL: the certificate of localhost is not trusted \([A-Z_]+\)\. Set sslrootcert to a file/,
      )
    },
  )

  test.each(['require', 'verify-ca', 'verify-full'])(
    '%s with the CA of another company is refused',
    async (mode) => {
      const otherFolder = await mkdtemp(join(folder, 'other-'))
      const other = await createCertificates(otherFolder)
      await expect(open(url(`?sslmode=${mode}&sslrootcert=${other.caFile}`))).rejects.toThrow(
        /is not trusted/,
      )
    },
  )

  test.each(['prefer', 'require'])('%s prints no warning of a library', async (mode) => {
    expect(await isEncrypted(url(`?sslmode=${mode}`))).toBe(true)
    expect(warnings).toEqual([])
  })

  test('a file that is missing is named', async () => {
    await expect(open(url('?sslmode=verify-full&sslrootcert=/nowhere/ca.pem'))).rejects.toThrow(
      'DATABASE_URL: the file of sslrootcert cannot be read (ENOENT): /nowhere/ca.pem',
    )
  })

  test('a client certificate signs in', async () => {
    const { caFile, clientCertificateFile, clientKeyFile } = certificates
    await server.run('create role certified login')
    const parameters = `?sslmode=verify-full&sslrootcert=${caFile}&sslcert=${clientCertificateFile}&sslkey=${clientKeyFile}`
    await expect(open(url('?sslmode=require', 'certified'))).rejects.toThrow(/certificate/)
    expect(await isEncrypted(url(parameters, 'certified'))).toBe(true)
  })
})

test('a server without TLS is refused by require, with the reason', async () => {
  await using server = await startPostgres()
  await expect(open(`${server.url}?sslmode=require`)).rejects.toThrow(
    'DATABASE_URL: 127.0.0.1 does not offer TLS, which sslmode=require demands.',
  )
  expect(await isEncrypted(server.url)).toBe(false)
})

test('a password file is read again for each connection', async () => {
  await using server = await startPostgres({ access: ['host all all 127.0.0.1/32 scram-sha-256'] })
  await server.run(`create role app login superuser password 'first'`)
  const folder = await mkdtemp(join(tmpdir(), 'tutti-password-'))
  try {
    const file = join(folder, 'password')
    const url = `postgres://app@127.0.0.1:${server.port}/tutti`
    await expect(open(url)).rejects.toThrow(/^DATABASE_URL: the server asks for a password\. /)
    await expect(open(url, { DATABASE_PASSWORD_FILE: file })).rejects.toThrow(
      `DATABASE_PASSWORD_FILE: the file cannot be read (ENOENT): ${file}`,
    )
    await writeFile(file, 'first\n')
    await expect(
      open(`postgres://app:hush@127.0.0.1:${server.port}/tutti`, { DATABASE_PASSWORD_FILE: file }),
    ).rejects.toThrow('DATABASE_URL contains a password and DATABASE_PASSWORD_FILE is set too.')

    await using database = await open(url, { DATABASE_PASSWORD_FILE: file })
    await server.run(`alter role app password 'second'`)
    await writeFile(file, 'second\n')
    await server.run(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'`)
    await eventually(() =>
      database.query('select 1').then(
        () => true,
        () => false,
      ),
    )

    await writeFile(file, 'wrong\n')
    await expect(open(url, { DATABASE_PASSWORD_FILE: file })).rejects.toThrow(
      /^DATABASE_URL: password authentication failed for user "app"$/,
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test.each(['DATABASE_DIRECT_URL', 'DATABASE_PASSWORD_FILE'])(
  '%s without DATABASE_URL is refused',
  async (variable) => {
    const settings = readSettings(databaseSettings, { [variable]: 'postgres://me@h/d' })
    await expect(openDatabase({ settings, log })).rejects.toThrow(`${variable} is set without DATABASE_URL.`)
  },
)
