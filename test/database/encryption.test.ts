import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { checkSecret, createEncryption, type Encryption, encryptionSettings } from '#kernel/encryption'
import { createTestDatabase } from '../support/test-database.ts'

const associatedData = { purpose: 'provider-key', place: 'openai' }
const [oldSecret, newSecret] = ['the old one, 32 characters long!', 'the new one, 32 characters long!']

/** A data folder of an embedded database. */
async function createFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'tutti-encryption-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

function encryptionOf(
  kind: 'embedded' | 'server',
  { path }: { readonly path: string },
  environment: Readonly<Record<string, string>> = {},
): Encryption {
  return createEncryption({
    settings: readSettings(encryptionSettings, environment),
    database: { kind },
    dataDir: path,
  })
}

describe('without TUTTI_SECRET', () => {
  test('the embedded database gets its own secret at first use, readable by its owner only', async () => {
    await using folder = await createFolder()
    const encryption = encryptionOf('embedded', folder)
    expect(encryption.canEncrypt()).toBe(true)
    expect(await readdir(folder.path)).toEqual([])
    const encrypted = await encryption.encrypt('sk-1', associatedData)
    expect(await readdir(folder.path)).toEqual(['secret'])
    expect((await stat(join(folder.path, 'secret'))).mode & 0o777).toBe(0o600)
    expect(await encryptionOf('embedded', folder).decrypt(encrypted, associatedData)).toBe('sk-1')
  })

  test('processes that create it concurrently agree on one', async () => {
    await using folder = await createFolder()
    const several = Array.from({ length: 20 }, () => encryptionOf('embedded', folder))
    const encrypted = await Promise.all(
      several.map((encryption) => encryption.encrypt('sk-1', associatedData)),
    )
    const last = encryptionOf('embedded', folder)
    expect(await Promise.all(encrypted.map((text) => last.decrypt(text, associatedData)))).toEqual(
      several.map(() => 'sk-1'),
    )
    expect(await readdir(folder.path)).toEqual(['secret'])
  })

  test('nothing is stored beside an external server, and the error names the setting', async () => {
    await using folder = await createFolder()
    const encryption = encryptionOf('server', folder)
    expect(encryption.canEncrypt()).toBe(false)
    await expect(encryption.encrypt('sk-1', associatedData)).rejects.toMatchObject({
      code: 'secret_missing',
      status: 409,
      message: expect.stringContaining('TUTTI_SECRET'),
    })
    expect(await readdir(folder.path)).toEqual([])
  })

  test('decrypting creates no secret', async () => {
    await using folder = await createFolder()
    const encrypted = await encryptionOf('server', folder, { TUTTI_SECRET: oldSecret }).encrypt(
      'sk-1',
      associatedData,
    )
    const encryption = encryptionOf('embedded', folder)
    expect(await encryption.isCurrent(encrypted)).toBe(false)
    await expect(encryption.decrypt(encrypted, associatedData)).rejects.toMatchObject({
      code: 'secret_wrong',
      status: 409,
    })
    expect(await readdir(folder.path)).toEqual([])
  })

  test.each([
    ['is empty', (path: string) => writeFile(path, '')],
    ['is a folder', (path: string) => mkdir(path)],
  ])('a file that %s is never replaced, and named in the error', async (_name, spoil) => {
    await using folder = await createFolder()
    await spoil(join(folder.path, 'secret'))
    await expect(encryptionOf('embedded', folder).encrypt('sk-1', associatedData)).rejects.toMatchObject({
      code: 'secret_missing',
      message: expect.stringContaining(join(folder.path, 'secret')),
    })
    expect(await readdir(folder.path)).toEqual(['secret'])
  })
})

describe('another secret', () => {
  test('decrypts what the previous one encrypted, and encrypts with itself', async () => {
    await using folder = await createFolder()
    const before = await encryptionOf('server', folder, { TUTTI_SECRET: oldSecret }).encrypt(
      'sk-1',
      associatedData,
    )
    const encryption = encryptionOf('server', folder, {
      TUTTI_SECRET: newSecret,
      TUTTI_SECRET_PREVIOUS: oldSecret,
    })
    expect(await encryption.decrypt(before, associatedData)).toBe('sk-1')
    expect(await encryption.isCurrent(before)).toBe(false)
    const after = await encryption.encrypt('sk-1', associatedData)
    expect(await encryption.isCurrent(after)).toBe(true)
    const alone = encryptionOf('server', folder, { TUTTI_SECRET: newSecret })
    expect(await alone.decrypt(after, associatedData)).toBe('sk-1')
    await expect(alone.decrypt(before, associatedData)).rejects.toMatchObject({
      code: 'secret_wrong',
      message: expect.stringContaining('TUTTI_SECRET_PREVIOUS'),
    })
  })

  test('set for an embedded database, still decrypts values of its file', async () => {
    await using folder = await createFolder()
    const before = await encryptionOf('embedded', folder).encrypt('sk-1', associatedData)
    const file = await readFile(join(folder.path, 'secret'), 'utf8')
    const encryption = encryptionOf('embedded', folder, { TUTTI_SECRET: newSecret })
    expect(await encryption.decrypt(before, associatedData)).toBe('sk-1')
    expect(await encryption.isCurrent(before)).toBe(false)
    // Moving to a server keeps the secret of the file.
    const moved = encryptionOf('server', folder, {
      TUTTI_SECRET: newSecret,
      TUTTI_SECRET_PREVIOUS: file.trim(),
    })
    expect(await moved.decrypt(before, associatedData)).toBe('sk-1')
  })

  test.each(['TUTTI_SECRET', 'TUTTI_SECRET_PREVIOUS'])(
    '%s must be long enough, and is not shown',
    (variable) => {
      const secret = 'thirty-one characters are less!'
      expect(() => readSettings(encryptionSettings, { [variable]: secret })).toThrow(
        `${variable} must have 32 characters or more`,
      )
      expect(() => readSettings(encryptionSettings, { [variable]: secret })).not.toThrow(secret)
    },
  )
})

/** A database, and processes that start with it: `start` resolves, or throws why one does not start. */
async function openScene() {
  const database = await createTestDatabase()
  const folder = await createFolder()
  return {
    database,
    folder,
    start: async (environment: Readonly<Record<string, string>>, kind: 'embedded' | 'server' = 'server') => {
      const settings = readSettings(encryptionSettings, environment)
      const asKind = { kind, query: database.query.bind(database) }
      const encryption = createEncryption({ settings, database: asKind, dataDir: folder.path })
      await checkSecret({ database: asKind, encryption, settings })
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

describe('the secret of the installation', () => {
  const [right, wrong] = [{ TUTTI_SECRET: oldSecret }, { TUTTI_SECRET: newSecret }]

  test('is that of the first process: one with another secret, or none, does not start', async () => {
    await using scene = await openScene()
    await scene.start({})
    await scene.start(right)
    await scene.start(right)
    await expect(scene.start(wrong)).rejects.toThrow(/^TUTTI_SECRET is not the secret of this database\. /)
    await expect(scene.start({})).rejects.toThrow(/Set TUTTI_SECRET to it/)
  })

  test('is one when several processes start at once', async () => {
    await using scene = await openScene()
    const started = await Promise.allSettled([right, wrong, right, wrong].map((it) => scene.start(it)))
    const outcomes = started.map(({ status }) => status)
    expect(outcomes.slice(0, 2)).toEqual(outcomes.slice(2))
    expect(outcomes.slice(0, 2).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('changes with TUTTI_SECRET_PREVIOUS, and the earlier one is refused from then on', async () => {
    await using scene = await openScene()
    await scene.start(right)
    await scene.start({ ...wrong, TUTTI_SECRET_PREVIOUS: oldSecret })
    await scene.start(wrong)
    await expect(scene.start(right)).rejects.toThrow(/TUTTI_SECRET_PREVIOUS/)
  })

  test('that is lost is replaced by naming its key', async () => {
    await using scene = await openScene()
    await scene.start(right)
    const refusal: unknown = await scene.start(wrong).catch(String)
    const [, key = ''] = /TUTTI_SECRET_LOST=([\w-]+)/.exec(String(refusal)) ?? []
    await expect(scene.start({ ...wrong, TUTTI_SECRET_LOST: `${key}x` })).rejects.toThrow()
    await scene.start({ ...wrong, TUTTI_SECRET_LOST: key })
    await scene.start(wrong)
  })

  test('of an embedded database is its file', async () => {
    await using scene = await openScene()
    await scene.start({}, 'embedded')
    await scene.start({}, 'embedded')
    await rm(join(scene.folder.path, 'secret'))
    await expect(scene.start({}, 'embedded')).rejects.toThrow(/^The file "secret" of the data folder/)
    expect(await readdir(scene.folder.path)).toEqual([])
  })
})
