import { expect, test } from 'vitest'
import { writeCsv } from './csv-route.ts'

test('fields are quoted where they need it, and formulas are text', () => {
  const rows = [
    { label: 'Say "hi", please', views: 3, rate: null },
    { label: '=HYPERLINK("x")', views: -1, rate: 0.5 },
    { label: '@cmd', views: 0, rate: 100 },
    { label: 'two\nlines', views: 1, rate: null },
  ]
  expect(writeCsv(rows, ['label', 'views', 'rate'])).toBe(
    [
      'label,views,rate',
      '"Say ""hi"", please",3,',
      '"\'=HYPERLINK(""x"")",-1,0.5',
      "'@cmd,0,100",
      '"two\nlines",1,',
      '',
    ].join('\r\n'),
  )
})
