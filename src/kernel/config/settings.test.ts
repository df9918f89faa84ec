import { describe, expect, test } from 'vitest'
import { UserError } from '#kernel/errors'
import { defineSettings, readSettings, setting } from './settings.ts'

const group = defineSettings({
  port: setting.port('PORT', { about: 'port', default: 3000 }),
  level: setting.choice('LEVEL', ['low', 'high'], { about: 'level', default: 'low' }),
  wait: setting.durationMs('WAIT', { about: 'wait', default: 1000 }),
  hosts: setting.list('HOSTS', { about: 'hosts', default: ['a'] }),
  flag: setting.flag('FLAG', { about: 'flag', default: false }),
  url: setting.secretUrl('URL', ['postgres:'], { about: 'url', optional: true }),
})

describe('reading settings', () => {
  test('an empty environment results in the frozen defaults', () => {
    const settings = readSettings(group, {})
    expect(settings).toEqual({
      port: 3000,
      level: 'low',
      wait: 1000,
      hosts: ['a'],
      flag: false,
      url: undefined,
    })
    expect(Object.isFrozen(settings)).toBe(true)
  })

  test('texts are parsed', () => {
    const environment = {
      PORT: '0',
      LEVEL: 'high',
      WAIT: '2m',
      HOSTS: ' x , y ',
      FLAG: 'on',
      URL: 'postgres://u:p@h/d',
    }
    expect(readSettings(group, environment)).toEqual({
      port: 0,
      level: 'high',
      wait: 120_000,
      hosts: ['x', 'y'],
      flag: true,
      url: 'postgres://u:p@h/d',
    })
  })

  test('an empty variable counts as not set, except for a list', () => {
    expect(readSettings(group, { PORT: '', LEVEL: '', HOSTS: '' })).toMatchObject({
      port: 3000,
      level: 'low',
      hosts: [],
    })
  })

  test.each([
    ['PORT', 'abc', 'PORT must be a whole number from 0 to 65535, not "abc"'],
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535, not "65536"'],
    ['PORT', '1e3', 'PORT must be a whole number from 0 to 65535, not "1e3"'],
    ['LEVEL', 'middle', 'LEVEL must be one of low, high, not "middle"'],
    ['WAIT', 'soon', 'WAIT must be a duration such as 500ms, 30s, 5m or 2h, not "soon"'],
    ['WAIT', '25d', 'WAIT must be from 0ms to 24d, not "25d"'],
    ['FLAG', 'maybe', 'FLAG must be true or false, not "maybe"'],
  ])('%s=%s is reported in one line', (variable, text, line) => {
    expect(() => readSettings(group, { [variable]: text })).toThrow(new UserError(line))
  })

  test('all invalid values are reported at once', () => {
    expect(() => readSettings(group, { PORT: 'x', FLAG: 'y' })).toThrow(/^PORT .*\nFLAG .*$/)
  })

  test('an invalid secret is not printed', () => {
    expect(() => readSettings(group, { URL: 'mysql://me:hunter2@host' })).toThrow(
      new UserError('URL must be an address starting with postgres://'),
    )
  })
})
