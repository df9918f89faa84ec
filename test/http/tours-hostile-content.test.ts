import { parseFragment } from 'parse5'
import { expect, test } from 'vitest'
import { allowedAttributes, allowedTags } from '../../src/tours/content/allowed-html.ts'
import { checkSelector } from '../../src/tours/content/check-selector.ts'
import { cleanBody } from '../../src/tours/content/clean-body.ts'
import { hostileBodies, hostileSelectors } from '../fixtures/hostile-tours.ts'

interface Node {
  readonly nodeName: string
  readonly tagName?: string
  readonly attrs?: readonly { readonly name: string; readonly value: string }[]
  readonly childNodes?: readonly Node[]
}

function elementsOf(node: Node): Node[] {
  const within = (node.childNodes ?? []).flatMap(elementsOf)
  return node.tagName === undefined ? within : [node, ...within]
}

test.each(hostileBodies.map((body) => [body.slice(0, 60), body]))(
  'the body %j is sanitized',
  (_name, body) => {
    const cleaned = cleanBody(body)
    for (const { nodeName, tagName = '', attrs = [] } of elementsOf(parseFragment(cleaned))) {
      expect(allowedTags, nodeName).toContain(tagName)
      for (const { name, value } of attrs) {
        expect(allowedAttributes[tagName], tagName).toContain(name)
        if (name === 'alt') continue
        expect(value).toMatch(/^(?:https?:\/\/|mailto:|[^:\\]*$)/)
        expect(value).not.toMatch(/^[\\/]{2}/)
      }
    }
    expect(cleaned).not.toMatch(/<!--|<\?/)
    expect(cleanBody(cleaned)).toBe(cleaned)
  },
)

test.each(hostileSelectors.filter((selector) => !isDull(selector)).map((selector) => [selector]))(
  'the selector %j is refused',
  (selector) => {
    expect(checkSelector(selector)).toMatch(/^(?:is|must) /)
  },
)

/** Unusual but harmless: browsers accept them. */
function isDull(selector: string): boolean {
  return selector.startsWith('div div') || selector.startsWith(':not(:not') || selector.startsWith(':is(a,')
}
