import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** Looks like every other field of the console, in light and dark. */
export const codeTheme = [
  EditorView.theme({
    '&': {
      color: 'var(--text)',
      backgroundColor: 'var(--surface)',
      fontSize: 'var(--text-label)',
    },
    '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
    '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--text)' },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    '.cm-gutters': {
      color: 'var(--text-soft)',
      backgroundColor: 'var(--ground)',
      borderRight: '1px solid var(--line)',
    },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
    '.cm-tooltip': {
      color: 'var(--text)',
      backgroundColor: 'var(--surface)',
      border: '1px solid var(--line)',
      borderRadius: 'var(--radius-small)',
    },
    '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      color: 'var(--text)',
      backgroundColor: 'var(--hover)',
    },
    '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)' },
    '.cm-completionDetail': { color: 'var(--text-soft)', fontStyle: 'normal' },
    // Both words are read, not one of both.
    '.cm-completionDetail::before': { content: '" "' },
    '.cm-completionInfo': { maxWidth: '320px', padding: '4px 8px', whiteSpace: 'pre-wrap' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.propertyName, color: 'var(--accent)' },
      { tag: [tags.number, tags.bool, tags.null], fontWeight: 'var(--weight-strong)' },
      { tag: tags.special(tags.string), color: 'var(--accent)', fontWeight: 'var(--weight-strong)' },
    ]),
  ),
]
