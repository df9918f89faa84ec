import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type InspectedBackup, inspectBackup, lockKey, writeBackup } from '#kernel/backup'
import { createEncryption, readInstallationSecrets } from '#kernel/encryption'
import { UserError } from '#kernel/errors'
import { planKey, type RestoreOptions } from '../../src/app/commands/restore.ts'
import { readPlatformSettings } from '../../src/app/settings.ts'
import { createTestDatabase } from '../support/test-database.ts'

const passphrase = 'a passphrase of some length'
const secrets = { right: 'r'.repeat(40), wrong: 'w'.repeat(40), earlier: 'e'.repeat(40) }
const server = { kind: 'server' } as const
const embedded = { kind: 'embedded' } as const

let folder: string
let keyless: InspectedBackup
let withKey: InspectedBackup

/** Two values are encrypted: with the current secret, and with the one before it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-backup-key-'))
  await using database = await createTestDatabase()
  const { encryption: settings } = readPlatformSettings({
    TUTTI_SECRET: secrets.right,
    TUTTI_SECRET_PREVIOUS: secrets.earlier,
  })
  const before = readPlatformSettings({ TUTTI_SECRET: secrets.earlier }).encryption
  for (const [id, given] of [settings, before].entries()) {
    const encryption = createEncryption({ settings: given, database, dataDir: folder })
    const text = await encryption.encrypt('a token', { purpose: 'test', place: '1' })
    await database.query(
      `insert into kernel_events (id, type, data, created_at) values ($1, 'test.stored', $2, now())`,
      [1_000_000 + id, { text }],
    )
  }
  // A text that only looks encrypted.
  await database.query(
    `insert into kernel_events (id, type, data, created_at) values (2000000, 'test.stored', $1, now())`,
    [{ text: `v1.AAAAAAAA.${'x'.repeat(60)}` }],
  )
  const known = await readInstallationSecrets({ settings, database, dataDir: folder })
  const write = async (name: string, key?: Awaited<ReturnType<typeof lockKey>>) => {
    const path = join(folder, name)
    const summary = await writeBackup({ database, path, program: '0.1.0', secrets: known, key })
    expect(summary.encryptedUnknown).toBe(1)
    expect(summary.encrypted.map(({ source, values }) => [source, values])).toEqual([
      ['TUTTI_SECRET', 1],
      ['TUTTI_SECRET_PREVIOUS', 1],
    ])
    return inspectBackup(path)
  }
  keyless = await write('keyless.tar')
  withKey = await write('with-key.tar', await lockKey([secrets.right, secrets.earlier], passphrase))
})
afterAll(() => rm(folder, { recursive: true }))

const plan = (
  backup: InspectedBackup,
  environment: Readonly<Record<string, string>>,
  more: { kind?: typeof server | typeof embedded; options?: RestoreOptions; asked?: string } = {},
) => {
  const { kind = server, options = {}, asked } = more
  return planKey({
    backup,
    database: kind,
    settings: readPlatformSettings(environment),
    options,
    askPassphrase: async () => {
      if (asked === undefined) throw new Error('the passphrase was asked for')
      return asked
    },
  })
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => new Error('it was not refused'),
    (it: unknown) => it,
  )
  if (!(error instanceof UserError)) throw error
  return error.message
}

test('the file has neither a secret nor a stored value in plain text', async () => {
  const bytes = await readFile(withKey.path)
  for (const text of [secrets.right, secrets.earlier, 'a token']) expect(bytes.includes(text)).toBe(false)
})

test('nothing is asked when the keys are configured, and nothing is stored', async () => {
  const environment = { TUTTI_SECRET: secrets.right, TUTTI_SECRET_PREVIOUS: secrets.earlier }
  expect(await plan(keyless, environment)).toMatchObject({ report: [] })
})

test('a missing or wrong key is refused before the restore, by its name', async () => {
  const message = await refusal(plan(keyless, {}))
  expect(message).toContain(
    'The backup has 2 stored secrets, encrypted with a key that neither this installation nor the backup has.',
  )
  expect(message).toMatch(/TUTTI_SECRET \(key [\w-]{8}\) and TUTTI_SECRET_PREVIOUS \(key [\w-]{8}\)/)
  expect(await refusal(plan(keyless, { TUTTI_SECRET: secrets.wrong }))).toContain('2 stored secrets')
  expect(await refusal(plan(keyless, { TUTTI_SECRET: secrets.right }))).toContain(
    'The backup has 1 stored secret,',
  )
})

test('without the key, the operator learns what is lost', async () => {
  const { report } = await plan(keyless, {}, { options: { withoutKey: true } })
  expect(report.join(' ')).toContain('2 stored secrets cannot be decrypted')
})

test('a wrong passphrase is refused', async () => {
  expect(await refusal(plan(withKey, {}, { asked: 'another passphrase' }))).toContain(
    'The passphrase is wrong',
  )
  expect(await refusal(lockKey([secrets.right], 'short'))).toContain('12 characters or more')
})

test('with a server, the keys of the backup are written as settings', async () => {
  expect(await refusal(plan(withKey, {}, { asked: passphrase }))).toContain('Add --key-out FILE')
  const keyOut = join(folder, 'key.env')
  const written = await plan(withKey, {}, { asked: passphrase, options: { keyOut } })
  await written.store()
  expect(written.report).toEqual([`${keyOut} has the key of the backup and earlier ones, as settings.`])
  expect(await readFile(keyOut, 'utf8')).toBe(
    `TUTTI_SECRET=${secrets.right}\nTUTTI_SECRET_PREVIOUS=${secrets.earlier}\n`,
  )
  expect((await stat(keyOut)).mode & 0o777).toBe(0o600)
  expect(await refusal(plan(withKey, {}, { asked: passphrase, options: { keyOut } }))).toContain(
    'exists already',
  )
  const none = { options: { keyOut: join(folder, 'none.env') } }
  const environment = { TUTTI_SECRET: secrets.right, TUTTI_SECRET_PREVIOUS: secrets.earlier }
  expect(await refusal(plan(keyless, environment, none))).toContain('without --with-key')
})

test('an embedded database takes the key over and keeps the one it had', async () => {
  const dataDir = await mkdtemp(join(folder, 'data-'))
  await writeFile(join(dataDir, 'secret'), `${secrets.wrong}\n`)
  const environment = { TUTTI_DATA_DIR: dataDir, TUTTI_SECRET_PREVIOUS: secrets.earlier }
  await (await plan(withKey, environment, { kind: embedded, asked: passphrase })).store()
  expect(await readFile(join(dataDir, 'secret'), 'utf8')).toBe(`${secrets.right}\n`)
  const names = await readdir(dataDir)
  expect(names).toHaveLength(2)
  const kept = names.find((name) => name !== 'secret') ?? ''
  expect(await readFile(join(dataDir, kept), 'utf8')).toBe(`${secrets.wrong}\n`)
})
