import { describe, expect, test } from 'vitest'
import { setFlowValue } from '../document/edits.ts'
import { emptyDocument, type FlowDocument } from '../document/flow-document.ts'
import { createFlowEditor } from '../document/flow-editor.ts'
import { createLineage } from './use-draft.ts'

const named = (label: string): FlowDocument => setFlowValue(emptyDocument, ['label'], label)

function open(saved: FlowDocument, draft?: FlowDocument) {
  const editor = createFlowEditor({ saved, draft })
  const lineage = createLineage(editor, [
    { document: saved, revision: 5 },
    ...(draft === undefined ? [] : [{ document: draft, revision: 3 }]),
  ])
  const label = (text: string) => editor.change({ what: 'the label' }, () => named(text))
  return { editor, lineage, label }
}

describe('the base revision of a document', () => {
  test('is the opened revision, after any edit', () => {
    const { lineage, label } = open(named('five'))
    label('more')
    expect(lineage.base()).toBe(5)
  })

  test('is that of a draft until the draft is discarded, and again after an undo', () => {
    const { editor, lineage, label } = open(named('five'), named('draft of three'))
    expect(lineage.base()).toBe(3)
    label('more')
    expect(lineage.base()).toBe(3)
    lineage.remember()
    editor.change({ what: 'throwing away' }, () => named('five'))
    expect(lineage.base()).toBe(5)
    label('made on five')
    expect(lineage.base()).toBe(5)
    editor.undo()
    editor.undo()
    expect(editor.read().document.definition.label).toBe('more')
    expect(lineage.base()).toBe(3)
  })

  test('is another user’s revision once it is loaded, and not after an undo', () => {
    const { editor, lineage, label } = open(named('five'))
    label('mine')
    lineage.platformHas({ document: named('theirs'), revision: 6 })
    expect(lineage.base()).toBe(5)
    editor.change({ what: 'loading' }, () => named('theirs'))
    expect(lineage.base()).toBe(6)
    editor.undo()
    expect(lineage.base()).toBe(5)
  })

  test('is the newest after saving, also after an undo', () => {
    const { editor, lineage, label } = open(named('five'))
    label('six')
    lineage.platformHas({ document: named('six'), revision: 6 })
    expect(lineage.base()).toBe(6)
    editor.undo()
    expect(lineage.base()).toBe(6)
  })
})
