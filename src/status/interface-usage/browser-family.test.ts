import { expect, test } from 'vitest'
import { browserFamilyOf } from './browser-family.ts'

const webKit = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const blink =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0'

test.each([
  [`${blink} Safari/537.36`, 'chrome'],
  [`${blink} Safari/537.36 Edg/142.0.0.0`, 'edge'],
  [`${blink} Safari/537.36 OPR/120.0.0.0`, 'opera'],
  [`${blink} SamsungBrowser/28.0 Mobile Safari/537.36`, 'samsung'],
  [`${webKit} Version/18.0 Safari/605.1.15`, 'safari'],
  [`${webKit} CriOS/142.0 Mobile/15E148 Safari/604.1`, 'chrome'],
  [`${webKit} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, 'firefox'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'firefox'],
  ['Mozilla/5.0 (compatible; Examplebot/2.1; +https://example.com/bot.html)', 'bot'],
  ['Examplereader', 'other'],
  ['', 'other'],
])('%s is %s', (userAgent, family) => {
  expect(browserFamilyOf(userAgent)).toBe(family)
})
