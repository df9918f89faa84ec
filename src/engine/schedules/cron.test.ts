import { describe, expect, test } from 'vitest'
import { describeCronProblem, describeTimezoneProblem, nextTime, nextTimes } from './cron.ts'

describe('a cron expression', () => {
  test.each([
    '0 9 * * 1-5',
    '*/15 * * * *',
    '0 0 L * *',
    '0 12 * JAN,JUL MON#1',
    '30 0 0 1 * *',
    '*/10 * * * * *',
    '  0   9 * * *  ',
  ])('%j is accepted', (expression) => {
    expect(describeCronProblem(expression)).toBeUndefined()
  })

  test.each([
    ['', /is empty; it needs five/],
    ['* * * *', /has 4 fields; it needs five/],
    ['0 0 1 1 * * 2030', /has 7 fields/],
    ['@daily', /has 1 field;/],
    ['2030-01-01T00:00:00', /has 1 field;/],
    ['60 * * * *', /field for the minute, "60", is not valid; it takes 0 to 59/],
    ['0 25 * * *', /field for the hour, "25"/],
    ['0 9 32 * *', /field for the day of the month, "32"/],
    ['0 9 * 13 *', /field for the month, "13"/],
    ['0 9 * * FUNDAY', /field for the day of the week, "FUNDAY"/],
    ['61 0 9 * * *', /field for the second, "61"/],
    ['*/0 * * * *', /field for the minute/],
    ['0 0 30 2 *', /never comes/],
  ])('%j is refused with the problem and an example', (expression, reason) => {
    const problem = describeCronProblem(expression)
    expect(problem).toMatch(reason)
    expect(problem).toContain('For example: "0 9 * * 1-5"')
  })

  test.each([
    ['* * * * * *', 1],
    ['*/5 * * * * *', 5],
    ['58,2 * * * * *', 4],
    ['2,58 0,59 0,23 * * *', 4],
  ])('%j is refused as too frequent', (expression, seconds) => {
    expect(describeCronProblem(expression)).toContain(`comes ${seconds} second`)
    expect(describeCronProblem(expression)).toContain('the least is 10')
  })
})

describe('a time zone', () => {
  test.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])(
    '%s is accepted',
    (name) => {
      expect(describeTimezoneProblem(name)).toBeUndefined()
    },
  )

  test.each(['', 'Mars/Olympus', '+02:00', 'Europe/Berlin; drop', '../etc'])('%j is refused', (name) => {
    expect(describeTimezoneProblem(name)).toContain(
      'is no time zone of the IANA database, such as Europe/Berlin',
    )
  })
})

const always = { timezone: 'UTC', startsAt: null, endsAt: null }
const tell = (times: readonly Date[]) => times.map((time) => time.toISOString().replace(':00.000Z', ''))

describe('the next times', () => {
  test('come strictly after the given time', () => {
    const daily = { ...always, cron: '0 9 * * *' }
    expect(nextTime(daily, new Date('2026-05-01T08:59:59.999Z'))).toEqual(new Date('2026-05-01T09:00:00Z'))
    expect(nextTime(daily, new Date('2026-05-01T09:00:00.000Z'))).toEqual(new Date('2026-05-02T09:00:00Z'))
    expect(nextTime(daily, new Date('2026-05-01T09:00:00.250Z'))).toEqual(new Date('2026-05-02T09:00:00Z'))
  })

  test('are within the window, including its first and last moment', () => {
    const window = {
      ...always,
      cron: '0 9 * * *',
      startsAt: new Date('2026-05-03T09:00:00Z'),
      endsAt: new Date('2026-05-05T09:00:00Z'),
    }
    expect(tell(nextTimes(window, new Date('2026-05-01T00:00:00Z'), 5))).toEqual([
      '2026-05-03T09:00',
      '2026-05-04T09:00',
      '2026-05-05T09:00',
    ])
    expect(nextTime(window, new Date('2026-05-05T09:00:00Z'))).toBeNull()
  })

  test('are searched for a hundred years', () => {
    const rare = nextTimes({ ...always, cron: '0 0 29 2 +MON' }, new Date('2026-05-10T00:00:00Z'), 50)
    expect(tell(rare)).toEqual(['2044-02-29T00:00', '2072-02-29T00:00', '2112-02-29T00:00'])
  })

  test('a day and a weekday together match either', () => {
    const either = { ...always, cron: '0 0 13 * FRI' }
    expect(tell(nextTimes(either, new Date('2026-05-10T00:00:00Z'), 3))).toEqual([
      '2026-05-13T00:00',
      '2026-05-15T00:00',
      '2026-05-22T00:00',
    ])
  })
})

describe('when clocks go forward', () => {
  const before = new Date('2026-03-28T12:00:00Z')
  const berlin = { ...always, timezone: 'Europe/Berlin' }

  test('a fixed time that does not exist runs once, right after the change', () => {
    expect(tell(nextTimes({ ...berlin, cron: '30 2 * * *' }, before, 3))).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
      '2026-03-31T00:30',
    ])
  })

  test('a fixed time keeps its local hour', () => {
    expect(tell(nextTimes({ ...berlin, cron: '0 9 * * *' }, new Date('2026-03-28T00:00:00Z'), 2))).toEqual([
      '2026-03-28T08:00',
      '2026-03-29T07:00',
    ])
  })

  test('a step continues without a gap in real time', () => {
    const times = nextTimes({ ...berlin, cron: '*/30 * * * *' }, new Date('2026-03-29T00:00:00Z'), 5)
    expect(tell(times)).toEqual([
      '2026-03-29T00:30',
      '2026-03-29T01:00',
      '2026-03-29T01:30',
      '2026-03-29T02:00',
      '2026-03-29T02:30',
    ])
  })
})

describe('when clocks go back', () => {
  const newYork = { ...always, timezone: 'America/New_York' }

  test('a fixed time that occurs twice runs once, the first time', () => {
    expect(tell(nextTimes({ ...newYork, cron: '30 1 * * *' }, new Date('2026-10-31T12:00:00Z'), 2))).toEqual([
      '2026-11-01T05:30',
      '2026-11-02T06:30',
    ])
  })

  test('a step runs in both hours', () => {
    const times = nextTimes({ ...newYork, cron: '0,30 * * * *' }, new Date('2026-11-01T04:59:00Z'), 5)
    expect(tell(times)).toEqual([
      '2026-11-01T05:00',
      '2026-11-01T05:30',
      '2026-11-01T06:00',
      '2026-11-01T06:30',
      '2026-11-01T07:00',
    ])
  })
})
