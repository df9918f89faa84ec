import { expect, test } from 'vitest'
import { agentKind, stepKinds } from '../document/step-kinds.ts'
import { readKind, writeKind } from './dragged-kind.ts'

test('a dragged step type is read back as written', () => {
  for (const kind of [...stepKinds, agentKind({ id: 'seo-optimizer', label: 'SEO optimizer' })]) {
    const { type, title, about, beginsWith } = kind
    expect(readKind(writeKind(kind))).toEqual({ type, title, about, beginsWith })
  }
})

test('drag data of other pages is no step type', () => {
  for (const text of ['', 'hello', '[]', 'null', '{"type": "ai_prompt"}', '{"type": 1, "title": "x"}']) {
    expect(readKind(text)).toBeNull()
  }
})
