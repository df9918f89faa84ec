import { expect, test } from 'vitest'
import { escapeXml } from './routes.ts'

test('XML markup characters are escaped', () => {
  expect(escapeXml(`]]><a b="c">'&amp;\r\n`)).toBe(']]&gt;&lt;a b=&quot;c&quot;&gt;&apos;&amp;amp;&#13;\n')
})

test('characters that XML cannot represent are replaced', () => {
  expect(escapeXml('a\u0001b\u000Bc\uFFFEd\uD800e😀')).toBe('a\uFFFDb\uFFFDc\uFFFDd\uFFFDe😀')
})
