import { standardKeymap } from '@codemirror/commands'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Annotation, Compartment, EditorState, type Extension, Transaction } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { getNonce } from 'get-nonce'
import { useEffect, useEffectEvent, useRef } from 'react'
import { smallestChange } from './smallest-change.ts'

interface CodeMirrorProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /**
   * Extensions besides plain text editing; pass the same object until they change, since a new one reconfigures the
   * editor.
   */
  readonly extensions: Extension
  /** The accessible name of the editor. */
  readonly label: string
  readonly describedBy?: string | undefined
  readonly isInvalid?: boolean
  readonly isReadOnly?: boolean
  readonly className?: string | undefined
  /** Receives the view once it is created, so that the owner can move the focus into it. */
  readonly onView?: ((view: EditorView) => void) | undefined
}

/** Marks a change that came from the `value` prop: the owner already has it, so `onChange` is skipped. */
const fromAbove = Annotation.define<true>()

/**
 * A code editor. Tab leaves it, as it leaves every field. The editor keeps no history: the owner of the whole document
 * does, so that one undo key covers changes in every view.
 */
export function CodeMirror(props: CodeMirrorProps) {
  const { value, extensions, label, describedBy, isInvalid = false, isReadOnly = false, className } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const parts = useRef({ given: new Compartment(), attributes: new Compartment() })
  const onText = useEffectEvent((text: string) => props.onChange(text))
  const onView = useEffectEvent((made: EditorView) => props.onView?.(made))
  const begin = useEffectEvent((parent: HTMLElement) => {
    const { given, attributes } = parts.current
    return new EditorView({
      parent,
      state: EditorState.create({
        doc: value,
        extensions: [
          // The given extensions come first: their key bindings take precedence over the standard ones.
          given.of(extensions),
          keymap.of(standardKeymap),
          withoutUndo,
          EditorView.lineWrapping,
          EditorView.cspNonce.of(getNonce() ?? ''),
          codeTheme,
          EditorView.updateListener.of((update) => {
            const isTyped = update.transactions.some(
              (change) => change.docChanged && change.annotation(fromAbove) === undefined,
            )
            if (isTyped) onText(update.state.doc.toString())
          }),
          attributes.of(attributesOf({ label, describedBy, isInvalid, isReadOnly })),
        ],
      }),
    })
  })

  useEffect(() => {
    if (place.current === null) return undefined
    const made = begin(place.current)
    view.current = made
    onView(made)
    return () => {
      view.current = null
      made.destroy()
    }
  }, [])

  useEffect(() => {
    const shown = view.current
    // While the user types, the editor has the newest text; the prop follows a render later.
    if (shown === null) return
    const before = shown.state.doc.toString()
    if (before === value) return
    shown.dispatch({
      changes: smallestChange(before, value),
      annotations: [fromAbove.of(true), Transaction.addToHistory.of(false)],
    })
  }, [value])

  useEffect(() => {
    const { given, attributes } = parts.current
    view.current?.dispatch({
      effects: [
        given.reconfigure(extensions),
        attributes.reconfigure(attributesOf({ label, describedBy, isInvalid, isReadOnly })),
      ],
    })
  }, [extensions, label, describedBy, isInvalid, isReadOnly])

  return <div ref={place} className={className} />
}

/** The undo of the browser is disabled: it does not know the changes of the document. */
const withoutUndo = EditorView.domEventHandlers({
  beforeinput: (input) => {
    if (!input.inputType.startsWith('history')) return false
    input.preventDefault()
    return true
  },
})

function attributesOf({
  label,
  describedBy,
  isInvalid,
  isReadOnly,
}: {
  readonly label: string
  readonly describedBy: string | undefined
  readonly isInvalid: boolean
  readonly isReadOnly: boolean
}): Extension {
  return [
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({
      // A contenteditable element is focusable anyway; the attribute declares it to code that looks for tabindex.
      tabindex: '0',
      'aria-label': label,
      'aria-invalid': String(isInvalid),
      ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
    }),
  ]
}

/** The theme matches the other fields of the console, in light and dark mode. */
const codeTheme = [
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
    // The space separates label and detail; otherwise screen readers read them as one word.
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
