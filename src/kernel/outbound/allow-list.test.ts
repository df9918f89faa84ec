import { describe, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { parseAddress } from './address.ts'
import { parseAllowList } from './allow-list.ts'
import { outboundSettings } from './settings.ts'

function byAddress(entries: readonly string[], text: string, port = 80) {
  const address = parseAddress(text)
  if (address === undefined) throw new Error(`${text} is no address`)
  return parseAllowList(entries).permissionByAddress(address, port)
}

describe('the allow-list', () => {
  test.each([
    ['10.0.0.5', '10.0.0.5', 'host'],
    ['10.0.0.5', '10.0.0.6', 'nothing'],
    ['10.0.0.5', '::ffff:10.0.0.5', 'host'],
    ['::ffff:10.0.0.5', '10.0.0.5', 'host'],
    ['10.1.0.0/16', '10.1.255.255', 'host'],
    ['10.1.0.0/16', '10.2.0.0', 'nothing'],
    ['::ffff:10.1.0.0/112', '10.1.3.4', 'host'],
    ['0.0.0.0/0', '127.0.0.1', 'host'],
    ['0.0.0.0/0', '::1', 'nothing'],
    ['::1', '0:0:0:0:0:0:0:1', 'host'],
    ['[::1]', '::1', 'host'],
    ['fd00::/8', 'fd12:3456::1', 'host'],
    ['fd00::/8', 'fe80::1', 'nothing'],
    ['10.0.0.5:80', '10.0.0.5', 'port'],
    ['10.0.0.5:81', '10.0.0.5', 'nothing'],
    ['10.0.0.0/8:80', '10.9.9.9', 'port'],
    ['[fd00::1]:80', 'fd00::1', 'port'],
    ['[fd00::/8]:81', 'fd00::1', 'nothing'],
  ])('with %s opens at %s: %s', (entry, address, opening) => {
    expect(byAddress([entry], address)).toBe(opening)
  })

  test('allows a name exactly as written, in any case, but no subdomain or parent', () => {
    const list = parseAllowList(['Hooks.Corp.Example', 'db:8080', 'localhost.'])
    expect(list.permissionByName('hooks.corp.example', 80)).toBe('host')
    expect(list.permissionByName('corp.example', 80)).toBe('nothing')
    expect(list.permissionByName('x.hooks.corp.example', 80)).toBe('nothing')
    expect(list.permissionByName('db', 8080)).toBe('port')
    expect(list.permissionByName('db', 80)).toBe('nothing')
    expect(list.permissionByName('localhost', 3000)).toBe('host')
  })

  test('uses the widest of several entries', () => {
    const list = parseAllowList(['db', 'db:25'])
    expect(list.permissionByName('db', 25)).toBe('port')
    expect(list.permissionByName('db', 80)).toBe('host')
  })

  test.each([
    'http://db',
    'db/path',
    'user@db',
    'db:0',
    'db:99999',
    'db:http',
    'db:',
    ':80',
    '10.0.0.5/8',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'fd00::1/8',
    'fd00::/129',
    '::ffff:10.0.0.0/90',
    '[::1',
    '[::1]x',
    '2130706433',
    '0x7f.1',
    '127.1',
    '0177.0.0.1',
    '*.corp.example',
    '-db',
    'a..b',
    'exa mple',
    'bücher.example',
    '300.1.1.1',
  ])('refuses the entry %s', (entry) => {
    expect(() => parseAllowList(['localhost', entry])).toThrow(JSON.stringify(entry))
  })

  test('is validated when the settings are read, with variable and entry in one line', () => {
    expect(readSettings(outboundSettings, { TUTTI_OUTBOUND_ALLOW: 'db, 10.0.0.0/8 ,[::1]:3000' })).toEqual({
      allow: ['db', '10.0.0.0/8', '[::1]:3000'],
    })
    expect(readSettings(outboundSettings, {})).toEqual({ allow: [] })
    expect(() => readSettings(outboundSettings, { TUTTI_OUTBOUND_ALLOW: 'db,10.0.0.5/8' })).toThrow(
      /^TUTTI_OUTBOUND_ALLOW has an entry .*"10\.0\.0\.5\/8"$/,
    )
  })
})
