import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { createDataFolder } from '../support/data-folder.ts'
import { eventually } from '../support/eventually.ts'
import { startNameServer } from './outbound-name-server.ts'
import { makeOutbound, serve } from './outbound-support.ts'

/** Keeps the hosts file of the machine out of these tests. */
const noFiles = { hostsPath: '/nowhere/hosts', resolvConfPath: '/nowhere/resolv.conf' }

const silentNames = Array.from({ length: 12 }, (_, index) => `silent${index}.example`)
const silent = Object.fromEntries(silentNames.map((name) => [name, 'silent' as const]))

describe('names without a responding DNS server', () => {
  test('delay neither another account nor passwords and files', async () => {
    await using names = await startNameServer({ ...silent, 'good.example': ['127.0.0.1'] })
    await using server = await serve((_request, response) => response.end('here'))
    const { outbound } = makeOutbound({
      allow: ['127.0.0.1'],
      names: { ...noFiles, servers: [names.address] },
    })
    const giveUp = new AbortController()
    let ended = 0
    const calls = silentNames.map((name) =>
      outbound
        .request(`http://${name}/`, { account: 'greedy', signal: giveUp.signal })
        .catch((error: unknown) => error)
        .finally(() => {
          ended += 1
        }),
    )
    await eventually(() => names.questions.length >= 16)
    const [answer] = await Promise.all([
      outbound.request(`http://good.example:${server.port}/`, { account: 'other' }),
      hash('correct horse battery'),
      readFile(new URL(import.meta.url)),
    ])
    expect(answer.body.toString()).toBe('here')
    expect(ended).toBe(0)

    // More than eight names of one account were never requested at a time; a timeout frees its slot at once.
    expect(new Set(names.questions.filter((question) => question.includes('silent'))).size).toBe(16)
    giveUp.abort('enough')
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['enough']))
    await outbound.checkUrl(`http://good.example:${server.port}/`, { account: 'greedy' })
  })

  test('time out with an error', async () => {
    await using names = await startNameServer(silent)
    const { outbound } = makeOutbound({ names: { ...noFiles, servers: [names.address], timeoutMs: 100 } })
    await expect(outbound.request('http://silent0.example/')).rejects.toMatchObject({
      code: 'outbound_unresolvable',
      retryable: true,
    })
  })
})

describe('a name', () => {
  test('that does not exist cannot be resolved', async () => {
    await using names = await startNameServer({})
    const { outbound } = makeOutbound({ names: { ...noFiles, servers: [names.address] } })
    await expect(outbound.checkUrl('http://unknown.example/')).rejects.toMatchObject({
      code: 'outbound_unresolvable',
      cause: { code: 'ENOTFOUND' },
    })
    // A question that is not answered within 1.5 seconds is repeated.
    expect([...new Set(names.questions)].toSorted()).toEqual(['A unknown.example', 'AAAA unknown.example'])
  })

  test.each([
    ['two kinds of addresses', ['1.1.1.1', '::1']],
    ['a public and a private address', ['1.1.1.1', '10.0.0.1']],
  ])('with %s is checked by all of them', async (_what, addresses) => {
    await using names = await startNameServer({ 'mixed.example': addresses })
    const { outbound } = makeOutbound({ names: { ...noFiles, servers: [names.address] } })
    await expect(outbound.checkUrl('http://mixed.example/')).rejects.toMatchObject({
      code: 'outbound_refused',
    })
  })

  test('is completed by the search list, as in a container cluster', async () => {
    await using folder = await createDataFolder()
    const resolvConfPath = join(folder.path, 'resolv.conf')
    await writeFile(resolvConfPath, 'search team.svc.cluster.test svc.cluster.test\noptions ndots:5\n')
    await using names = await startNameServer({
      'hooks.other.svc.cluster.test': ['1.1.1.1'],
      'api.example': ['1.0.0.1'],
    })
    const { outbound } = makeOutbound({ names: { ...noFiles, resolvConfPath, servers: [names.address] } })
    await outbound.checkUrl('http://hooks.other/')
    await outbound.checkUrl('http://api.example/')
    expect([...new Set(names.questions)].filter((question) => question.startsWith('A '))).toEqual([
      'A hooks.other.team.svc.cluster.test',
      'A hooks.other.svc.cluster.test',
      'A api.example.team.svc.cluster.test',
      'A api.example.svc.cluster.test',
      'A api.example',
    ])
  })
})

describe('the hosts file', () => {
  test('takes precedence over DNS servers, and is read again after a change', async () => {
    await using folder = await createDataFolder()
    const hostsPath = join(folder.path, 'hosts')
    await writeFile(hostsPath, '# ours\n127.0.0.1 Inside.example inside # not outside\n')
    await using names = await startNameServer({ 'outside.example': ['1.1.1.1'] })
    await using server = await serve((_request, response) => response.end('here'))
    const { outbound } = makeOutbound({
      allow: ['127.0.0.1'],
      names: { ...noFiles, hostsPath, servers: [names.address] },
    })
    for (const host of ['inside.example', 'inside']) {
      const answer = await outbound.request(`http://${host}:${server.port}/`)
      expect(answer.body.toString()).toBe('here')
    }
    expect(names.questions).toEqual([])
    await outbound.checkUrl('http://outside.example/')

    await writeFile(`${hostsPath}.new`, '10.0.0.1 outside.example\n')
    await rename(`${hostsPath}.new`, hostsPath)
    await eventually(async () => {
      const refused = await outbound.checkUrl('http://outside.example/').catch((error: unknown) => error)
      return (refused as { code?: string }).code === 'outbound_refused'
    })
  })

  test('is not needed for localhost, for which no DNS server is called', async () => {
    await using names = await startNameServer({})
    await using server = await serve((_request, response) => response.end('here'))
    const { outbound } = makeOutbound({
      allow: ['localhost', 'app.localhost'],
      names: { ...noFiles, servers: [names.address] },
    })
    for (const host of ['localhost', 'app.localhost']) {
      const answer = await outbound.request(`http://${host}:${server.port}/`)
      expect(answer.body.toString()).toBe('here')
    }
    expect(names.questions).toEqual([])
  })
})
