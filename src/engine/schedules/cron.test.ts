import { describe, expect, test } from 'vitest'
import { describeCronProblem, describeTimezoneProblem } from './cron.ts'

describe('a cron expression', () => {
  test.each([
    '0 9 * * 1-5',
    '*/15 * * * *',
    '0 0 L * *',
    '0 12 * JAN,JUL MON#1',
    '30 0 0 1 * *',
    '*/10 * * * * *',
    '  0   9 * * *  ',
  ])('%j is taken', (expression) => {
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
  ])('%j is refused with what is wrong and an example', (expression, reason) => {
    const problem = describeCronProblem(expression)
    expect(problem).toMatch(reason)
    expect(problem).toContain('For example: "0 9 * * 1-5"')
  })

  test.each([
    ['* * * * * *', 1],
    ['*/5 * * * * *', 5],
    ['58,2 * * * * *', 4],
    ['2,58 0,59 0,23 * * *', 4],
  ])('%j comes too often', (expression, seconds) => {
    expect(describeCronProblem(expression)).toContain(`comes ${seconds} second`)
    expect(describeCronProblem(expression)).toContain('the least is 10')
  })
})

describe('a time zone', () => {
  test.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])(
    '%s is taken',
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
