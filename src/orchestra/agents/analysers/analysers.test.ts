import { expect, test } from 'vitest'
import { amountsIn, datesIn } from './facts.ts'
import { addressesIn } from './links.ts'
import { numbersIn } from './numbers.ts'
import { personalDataIn } from './personal-data.ts'
import { measuredShare, runAnalysers } from './run-analysers.ts'

const { signal } = new AbortController()
const analyse = async (text: string, analyser: Parameters<typeof runAnalysers>[1][number]) => {
  const parameters = { keyword: 'tea', sentences: 1, format: 'html' }
  const { findings } = await runAnalysers(text, [analyser], { parameters, signal })
  return findings[analyser.analyser]
}

test('numbers are the same in every country, and single digits are none', () => {
  expect([...numbersIn('1,234.50 and 1.234,50, 7 of 12, in 2024')]).toEqual(['123450', '12', '2024'])
})

test('dates and amounts are found by their form', () => {
  expect(datesIn('On 2024-02-30, 1 May 2023 and March 3rd, 2022.')).toEqual([
    { text: '2024-02-30', iso: '2024-02-30', exists: false },
    { text: '1 May 2023', iso: '2023-05-01', exists: true },
    { text: 'March 3rd, 2022', iso: '2022-03-03', exists: true },
  ])
  expect(amountsIn('$1,200.50, 12 %, 5 EUR and 7 apples')).toEqual(['$1,200.50', '12 %', '5 EUR'])
})

test('addresses end where sentences do', () => {
  expect(addressesIn('See https://a.example/b?c=1, (http://d.example) and https://a.example/b?c=1.')).toEqual(
    ['https://a.example/b?c=1', 'http://d.example'],
  )
})

test('accounts and cards are those whose digits are right', () => {
  expect(personalDataIn('DE89370400440532013000 GB82 WEST 1234 5698 7654 32')).toHaveLength(2)
  expect(personalDataIn('DE88370400440532013000 4111 1111 1111 1112 0000000000000000')).toEqual([])
  expect(personalDataIn('4111-1111-1111-1111, +49 30 1234567')).toEqual([
    { kind: 'card', masked: '4111…11' },
    { kind: 'phone', masked: '+49 …67' },
  ])
})

test('data with names are read, whatever the list looks like', async () => {
  const text =
    'Name: Ada Lovelace\n- **Born**: 1815-12-10\n* E-mail = ada@example.com\nA sentence without any.'
  expect(await analyse(text, { analyser: 'data' })).toMatchObject({
    pairs: [
      { name: 'name', value: 'Ada Lovelace' },
      { name: 'born', value: '1815-12-10' },
      { name: 'e_mail', value: 'ada@example.com' },
    ],
    emails: ['ada@example.com'],
    dates: ['1815-12-10'],
    reason: null,
  })
})

test('sentences that stand there twice, headings out of order and images without words are found', async () => {
  const twice = 'This sentence stands here twice indeed.'
  expect(await analyse(`${twice} Something else is here. ${twice}`, { analyser: 'repetition' })).toEqual({
    count: 1,
    findings: [{ excerpt: twice, times: 2 }],
  })
  expect(
    await analyse('# A\n\n### B\n\n![](x.png)\n\n[here](http://x.example)', { analyser: 'markup' }),
  ).toMatchObject({
    verdict: 'fail',
    counts: { headings: 2, links: 1, images: 1, images_without_alt: 1 },
  })
})

test('analysers go by what the agent was told', async () => {
  const text = 'Tea is good. Coffee is fine. Water is best of all drinks there are in this world.'
  expect(await analyse(text, { analyser: 'summary', parameter: 'sentences' })).toMatchObject({
    sentences: [expect.any(String)],
  })
  expect(await analyse(text, { analyser: 'seo', parameter: 'keyword' })).toMatchObject({
    keyword: { keyword: 'tea', occurrences: 1 },
  })
  expect(await analyse('# Tea', { analyser: 'converted', parameter: 'format' })).toMatchObject({
    text: expect.stringContaining('<h1'),
    format: 'html',
  })
  expect(await analyse(text, { analyser: 'key_phrases', most: 1 })).toMatchObject({
    phrases: [expect.any(String)],
  })
})

test('what could not be measured has a reason, and counts', async () => {
  const { findings } = await runAnalysers('Ok.', [{ analyser: 'readability' }, { analyser: 'length' }], {
    parameters: {},
    signal,
  })
  expect(findings.readability).toMatchObject({
    score: null,
    difficulty: 'not judged',
    reason: expect.any(String),
  })
  expect(measuredShare(findings)).toBe(0.5)
})

test('texts made to be slow are not', () => {
  const hostile = [
    '1'.repeat(200_000),
    `between 5${' '.repeat(200_000)}x`,
    `https://${','.repeat(200_000)}x`,
    `1 ${' '.repeat(200_000)}+`,
    'AA11 '.repeat(40_000),
    `${' '.repeat(200_000)}a`,
    'a@'.repeat(100_000),
  ]
  for (const text of hostile) {
    const begun = performance.now()
    personalDataIn(text)
    datesIn(text)
    amountsIn(text)
    addressesIn(text)
    numbersIn(text)
    // What takes the square of the length would be at it for minutes.
    expect(performance.now() - begun, text.slice(0, 20)).toBeLessThan(20_000)
  }
})
