import { describe, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { parseAddress } from './address.ts'
import { parseAllowList } from './allow-list.ts'
import { outboundSettings } from './settings.ts'

function byAddress(entries: readonly string[], text: string, port = 80) {
  const address = parseAddress(text)
  if (address === undefined) throw new Error(`${text} is no address`)
  return parseAllowList(entries).openingByAddress(address, port)
}

describe('the allow-list', () => {
  test.each([
    ['10.0.0.5', '10.0.0.5', 'place'],
    ['10.0.0.5', '10.0.0.6', 'nothing'],
    ['10.0.0.5', '::ffff:10.0.0.5', 'place'],
    ['::ffff:10.0.0.5', '10.0.0.5', 'place'],
    ['10.1.0.0/16', '10.1.255.255', 'place'],
    ['10.1.0.0/16', '10.2.0.0', 'nothing'],
    ['::ffff:10.1.0.0/112', '10.1.3.4', 'place'],
    ['0.0.0.0/0', '127.0.0.1', 'place'],
    ['0.0.0.0/0', '::1', 'nothing'],
    ['::1', '0:0:0:0:0:0:0:1', 'place'],
    ['[::1]', '::1', 'place'],
    ['fd00::/8', 'fd12:3456::1', 'place'],
    ['fd00::/8', 'fe80::1', 'nothing'],
    ['10.0.0.5:80', '10.0.0.5', 'port'],
    ['10.0.0.5:81', '10.0.0.5', 'nothing'],
    ['10.0.0.0/8:80', '10.9.9.9', 'port'],
    ['[fd00::1]:80', 'fd00::1', 'port'],
    ['[fd00::/8]:81', 'fd00::1', 'nothing'],
  ])('with %s opens at %s: %s', (entry, address, opening) => {
    expect(byAddress([entry], address)).toBe(opening)
  })

  test('opens a name exactly as written, in any case, and none below or above it', () => {
    const list = parseAllowList(['Hooks.Corp.Example', 'db:8080', 'localhost.'])
    expect(list.openingByName('hooks.corp.example', 80)).toBe('place')
    expect(list.openingByName('corp.example', 80)).toBe('nothing')
    expect(list.openingByName('x.hooks.corp.example', 80)).toBe('nothing')
    expect(list.openingByName('db', 8080)).toBe('port')
    expect(list.openingByName('db', 80)).toBe('nothing')
    expect(list.openingByName('localhost', 3000)).toBe('place')
  })

  test('takes the widest of several entries', () => {
    const list = parseAllowList(['db', 'db:25'])
    expect(list.openingByName('db', 25)).toBe('port')
    expect(list.openingByName('db', 80)).toBe('place')
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

  test('is checked when the settings are read, in one line that names variable and entry', () => {
    expect(readSettings(outboundSettings, { TUTTI_OUTBOUND_ALLOW: 'db, 10.0.0.0/8 ,[::1]:3000' })).toEqual({
      allow: ['db', '10.0.0.0/8', '[::1]:3000'],
    })
    expect(readSettings(outboundSettings, {})).toEqual({ allow: [] })
    expect(() => readSettings(outboundSettings, { TUTTI_OUTBOUND_ALLOW: 'db,10.0.0.5/8' })).toThrow(
      /^TUTTI_OUTBOUND_ALLOW has an entry .*"10\.0\.0\.5\/8"$/,
    )
  })
})
