import { describe, expect, test } from 'vitest'
import { anonymousPrincipal, type Principal } from '#kernel/http'
import { dayOf, readDays, readFilter, readGroups, readMoments } from './routes.ts'

describe('the days', () => {
  test('are the last thirty, up to today', () => {
    const before = dayOf(Date.now())
    const { from, to } = readDays({})
    expect([before, dayOf(Date.now())]).toContain(to)
    expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(29)
  })

  test('are the requested ones', () => {
    expect(readDays({ from: '2026-02-27', to: '2026-03-01' })).toEqual({
      from: '2026-02-27',
      to: '2026-03-01',
    })
    expect(readDays({ to: '2026-03-01' }).from).toBe('2026-01-31')
  })

  test('are refused in the wrong order, or when the range is too long', () => {
    expect(() => readDays({ from: '2026-03-02', to: '2026-03-01' })).toThrow('from must not be after to')
    expect(() => readDays({ from: '2000-01-01', to: '2026-03-01' })).toThrow('at most 3660 days')
  })

  test('of a list of calls are whole days', () => {
    expect(readMoments({ from: '2026-03-01', to: '2026-03-01' })).toEqual({
      from: new Date('2026-03-01T00:00:00Z'),
      to: new Date('2026-03-02T00:00:00Z'),
    })
    expect(readMoments({})).toEqual({ from: undefined, to: undefined })
    expect(() => readMoments({ from: '2026-03-02', to: '2026-03-01' })).toThrow('from must not be after to')
  })
})

describe('the groups', () => {
  test.each([
    [undefined, []],
    ['', []],
    ['model', ['model']],
    ['model, day', ['day', 'model']],
    ['model,model', ['model']],
  ])('%s', (text, groups) => {
    expect(readGroups(text)).toEqual(groups)
  })

  test.each([
    ['colour', 'group_by must name one or two of account, day, provider, model, source'],
    ['model,day,source', 'group_by must name at most 2'],
  ])('%s is refused', (text, reason) => {
    expect(() => readGroups(text)).toThrow(reason)
  })
})

describe('the account filter', () => {
  const nadia: Principal = { ...anonymousPrincipal, id: 'nadia', username: 'nadia', method: 'session' }
  const admin: Principal = { ...nadia, id: 'admin', permissions: new Set(['administer llm']) }

  test('is the own account by default', () => {
    expect(readFilter(nadia, { model: 'm' })).toMatchObject({ account: 'nadia', model: 'm' })
    expect(readFilter(nadia, { account: 'nadia' })).toMatchObject({ account: 'nadia' })
    expect(readFilter(admin, {})).toMatchObject({ account: 'admin' })
  })

  test('allows other accounts with the permission', () => {
    expect(readFilter(admin, { account: 'nadia' })).toMatchObject({ account: 'nadia' })
    expect(readFilter(admin, { account: 'all' })).toMatchObject({ account: undefined })
    for (const account of ['all', 'admin']) {
      expect(() => readFilter(nadia, { account })).toThrow('administer llm')
    }
  })
})
