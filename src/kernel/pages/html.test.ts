import { expect, test } from 'vitest'
import { html } from './html.ts'

test('values are escaped, in text and in attributes', () => {
  const hostile = `"><script>alert('x')</script>&`
  expect(html`<a title="${hostile}">${hostile}</a>`.toString()).toBe(
    '<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</a>',
  )
})

test('nested markup is not escaped; lists are joined; absent values are empty', () => {
  expect(
    html`<ul>${['a', '<b>'].map((it) => html`<li>${it}</li>`)}${undefined}${null}${false}${0}</ul>`.toString(),
  ).toBe('<ul><li>a</li><li>&lt;b&gt;</li>0</ul>')
})
