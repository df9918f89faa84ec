import { expect, test } from 'vitest'
import { describeCron } from './describe-cron.ts'

test.each([
  ['0 9 * * 1-5', 'At 9:00 from Monday to Friday'],
  ['0 9 * * *', 'Every day at 9:00'],
  ['30 8,17 * * *', 'Every day at 8:30 and 17:30'],
  ['0 6 * * SAT,SUN', 'At 6:00 on Saturday and Sunday'],
  ['0 6 * * 7', 'At 6:00 on Sunday'],
  ['15 3 1 * *', 'At 3:15 on day 1 of the month'],
  ['0 0 L * *', 'At 0:00 on the last day of the month'],
  ['0 0 1 jan,jul *', 'At 0:00 on day 1 of the month in January and July'],
  ['0 0 * 6-8 *', 'Every day at 0:00 from June to August'],
  ['* * * * *', 'Every minute'],
  ['*/15 * * * *', 'Every 15 minutes'],
  ['*/10 9-16 * * 1-5', 'Every 10 minutes from 9:00 to 16:59 from Monday to Friday'],
  ['*/30 9 * * *', 'Every 30 minutes from 9:00 to 9:59'],
  ['0 * * * *', 'Every hour'],
  ['5 * * * *', 'Every hour at 5 past'],
  ['0 */6 * * *', 'Every 6 hours'],
  ['0 8-18 * * *', 'Every hour from 8:00 to 18:00'],
  ['*/30 * * * * *', 'Every 30 seconds'],
  ['0 0 9 * * *', 'Every day at 9:00'],
])('describes %s as “%s”', (expression, words) => {
  expect(describeCron(expression)).toBe(words)
})

test.each([
  '',
  'every day',
  '0 9 * *',
  '*/7 * * * *',
  '0 */5 * * *',
  '0 9 1 * 1',
  '0 9 * * FRI#2',
  '1,2,3,4,5 9 * * *',
  '99 9 * * *',
  '0 9 * * 5-1',
  '30 0 9 * * *',
  '0 9 * MAYBE *',
])('has no description of %s, which a short sentence cannot express', (expression) => {
  expect(describeCron(expression)).toBeUndefined()
})
