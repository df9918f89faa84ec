import { expect, test } from 'vitest'
import { numbersIn } from '../checks/run-checks.ts'
import { amountsIn, datesIn } from './facts.ts'
import { addressesIn } from './links.ts'
import { measuredShare, personalDataIn, runAnalysers } from './run-analysers.ts'

const { signal } = new AbortController()
const analyse = async (text: string, analyser: Parameters<typeof runAnalysers>[1][number]) => {
  const parameters = { keyword: 'tea', sentences: 1, format: 'html' }
  const { findings } = await runAnalysers(text, [analyser], { parameters, signal })
  return findings[analyser.analyser]
}

test('numbers ignore national separators, and single digits do not count', () => {
  expect([...numbersIn('1,234.50 and 1.234,50, 7 of 12, in 2024')]).toEqual(['123450', '12', '2024'])
})

test('dates and amounts are found by pattern', () => {
  expect(datesIn('On 2024-02-30, 1 May 2023 and March 3rd, 2022.')).toEqual([
    { text: '2024-02-30', iso: '2024-02-30', exists: false },
    { text: '1 May 2023', iso: '2023-05-01', exists: true },
    { text: 'March 3rd, 2022', iso: '2022-03-03', exists: true },
  ])
  expect(amountsIn('$1,200.50, 12 %, 5 EUR and 7 apples')).toEqual(['$1,200.50', '12 %', '5 EUR'])
})

test('URLs end where sentences end', () => {
  expect(addressesIn('See https://a.example/b?c=1, (http://d.example) and https://a.example/b?c=1.')).toEqual(
    ['https://a.example/b?c=1', 'http://d.example'],
  )
})

test('IBANs and card numbers need valid check digits', () => {
  expect(personalDataIn('DE89370400440532013000 GB82 WEST 1234 5698 7654 32')).toHaveLength(2)
  expect(personalDataIn('DE88370400440532013000 4111 1111 1111 1112 0000000000000000')).toEqual([])
  expect(personalDataIn('4111-1111-1111-1111, +49 30 1234567')).toEqual([
    { kind: 'card', masked: '4111…11' },
    { kind: 'phone', masked: '+49 …67' },
  ])
})

test('named values are read from any kind of list', async () => {
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

test('repeated sentences, wrong heading order and images without alt text are found', async () => {
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

test('analysers use the parameters of the agent', async () => {
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

test('an analyser without a result gives a reason and lowers the share', async () => {
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

test('adversarial texts are analysed in bounded time', () => {
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
    // Quadratic time would take minutes.
    expect(performance.now() - begun, text.slice(0, 20)).toBeLessThan(20_000)
  }
})
