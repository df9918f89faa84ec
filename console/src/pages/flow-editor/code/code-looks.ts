import { EditorView } from '@codemirror/view'

/** The code fills its place, and what is marked in it looks like the rest of the console. */
export const codeLooks = EditorView.theme({
  '&': { height: '100%', fontSize: 'var(--text-dense)' },
  '.cm-scroller': { overflow: 'auto', lineHeight: '1.5' },
  '.cm-foldGutter .cm-gutterElement': { cursor: 'pointer' },
  // Drawn, because not every font has such a sign.
  '.cm-fold': {
    display: 'inline-block',
    margin: '0 4px 2px',
    border: '4px solid transparent',
    borderTopColor: 'currentColor',
    borderBottomWidth: '0',
  },
  '.cm-fold-closed': { transform: 'rotate(-90deg)' },
  '.cm-foldPlaceholder': {
    padding: '0 4px',
    border: '1px solid var(--line-strong)',
    backgroundColor: 'var(--hover)',
    color: 'var(--text-soft)',
  },
  '&.cm-focused .cm-matchingBracket': {
    outline: '1px solid var(--line-strong)',
    backgroundColor: 'var(--accent-soft)',
  },
  '&.cm-focused .cm-nonmatchingBracket': { outline: '1px solid var(--bad)', backgroundColor: 'transparent' },
  '.cm-lintRange-error, .cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warn)' },
  '.cm-diagnostic': { padding: '4px 8px', fontFamily: 'inherit', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warn)' },
})
