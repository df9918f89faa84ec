import { expect, test } from 'vitest'
import { parseXml } from './parse-xml.ts'

test('returns elements with decoded attributes and omits text', () => {
  expect(
    parseXml(
      '\uFEFF<?xml version="1.0"?><!-- note --><a n="&lt;&#39;&#x1F600;&amp;lt;&gt;">text<b/><![CDATA[<c/>]]></a>\n',
    ),
  ).toEqual({
    name: 'a',
    attributes: new Map([['n', `<'😀&lt;>`]]),
    children: [{ name: 'b', attributes: new Map(), children: [] }],
  })
})

test('a DOCTYPE with a URL is parsed, and nothing is fetched or expanded', () => {
  expect(parseXml('<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><a/>')?.name).toBe('a')
  const expanding = '<!DOCTYPE a [<!ENTITY x "xxxxxxxx"><!ENTITY y "&x;&x;&x;&x;">]><a n="&y;"/>'
  expect([undefined, '&y;']).toContain(parseXml(expanding)?.attributes.get('n'))
  expect(parseXml('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a n="&x;"/>')).toBeUndefined()
})

test('names of Object.prototype properties are ordinary names', () => {
  parseXml('<a __proto__="x"><__proto__ polluted="x"/></a>')
  parseXml('<a constructor="x"><constructor><prototype polluted="x"/></constructor></a>')
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test.each([
  ['unclosed', '<a><b></b>'],
  ['crossed', '<a><b></a></b>'],
  ['two roots', '<a/><b/>'],
  ['empty', ''],
  ['nested too deep', '<a>'.repeat(65) + '</a>'.repeat(65)],
  ['cut off', '<a'],
])('%s is undefined', (_what, text) => {
  expect(parseXml(text)).toBeUndefined()
})

test('an invalid character reference is kept as text', () => {
  expect(parseXml('<a n="&#9999999;"/>')?.attributes.get('n')).toBe('&#9999999;')
})

test('64 levels of nesting are parsed', () => {
  expect(parseXml('<a>'.repeat(64) + '</a>'.repeat(64))).toBeDefined()
})
